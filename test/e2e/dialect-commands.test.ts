// sluice dialect from the command line.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { answering, startServer } from '../helpers/counting-server.js';
import { inBrief } from '../helpers/long.js';
import { complaintOf, openWorkdir } from '../helpers/workdir.js';

const OTHERS = readdirSync(new URL('../../dialects/', import.meta.url))
  .filter((name) => name.endsWith('.yaml') && name !== 'surfe.yaml')
  .map((name) => name.replace('.yaml', ''));
/** The example of docs/dialects.md. */
const EXAMPLE = readFileSync(
  new URL('../../samples/dialect/my-platform.yaml', import.meta.url),
  'utf8',
);

function holding(text: string) {
  return openWorkdir().write('acme.yaml', text);
}

describe.concurrent('sluice dialect show', () => {
  test('marks what no document shows and no file states', async () => {
    const failed = 'answer: { read: { failed: [{ at: state, values: [broken] }] } }';
    const dir = holding(`prices: { find_email: 2 }\n${failed}\n`);
    const { stdout } = await dir.sluice('dialect show --dialect acme.yaml');
    expect(stdout).toContain('\n  find_email: 2\n  verify_email: 1 # assumed\n');
    expect(stdout).toContain('\n  path: /enrich\n');
    expect(stdout).toContain('\n    pending: [{status: 202}] # assumed\n');
    expect(stdout).toContain('\n      - at: [state]\n        values: [broken]\n');
  });

  test.each([
    ['the neutral dialect', ''],
    ['the example of the documentation', EXAMPLE],
  ])('prints %s as a file that says the same', async (_, text) => {
    const dir = holding(text);
    const shown = await dir.sluice('dialect show --dialect acme.yaml');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    const changed = await dir.sluice('dialect show --dialect acme.yaml --changed');
    const json = await dir.sluice('dialect show --dialect acme.yaml --json');
    for (const { stdout } of [shown, changed, json]) {
      dir.write('again.yaml', stdout);
      expect((await dir.sluice('dialect check again.yaml')).code).toBe(0);
      const again = await dir.sluice('dialect show --dialect again.yaml --json');
      expect(again.stdout).toBe(json.stdout);
    }
  });

  test('prints the neutral dialect without a file, and what a file changes', async () => {
    const dir = holding('prefix: /v2\nenrich: { path: /enrich }\nlimits: { rate: 5/1s }\n');
    expect((await dir.sluice('dialect show')).stdout).toContain(
      '\nlimits:\n  rate: 20/2s # assumed\n',
    );
    const changed = await dir.sluice('dialect show --dialect acme.yaml --changed');
    expect(changed.stdout).toBe('prefix: /v2\nlimits:\n  rate: 5/1s\n');
    expect((await dir.sluice('dialect show --changed --json')).stdout).toBe('{}\n');
  });
});

describe.concurrent('sluice dialect check of a file', () => {
  test('that is right says so and sends nothing, whatever SLUICE_URL says', async () => {
    const server = await startServer(answering({}));
    const dir = openWorkdir(server.url).write('acme.yaml', EXAMPLE);
    const ended = await dir.sluice('dialect check acme.yaml');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^acme\.yaml is a dialect\. Nothing was sent/);
    expect(await dir.json('dialect check acme.yaml')).toMatchObject({
      is_right: true,
      transcript: null,
    });
    expect(server.asked).toEqual([]);
    expect(dir.files()).toEqual(['acme.yaml']);
  });

  test.each<[string, string, RegExp]>([
    ['a misspelt key', 'enrich:\n  pth: /x\n', /line 2: "enrich\.pth" .* mean "path"\?$/],
    ['what is not YAML', 'prefix: [\n', /line 2: not YAML: /],
    ['a list for a key', '? [a]\n: 1\n', /line 1: This is not a known key.*not repeated/],
  ])('refuses %s by line and key', async (_, text, says) => {
    const ended = await holding(text).sluice('dialect check acme.yaml');
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(complaintOf(ended)).toMatch(/^Dialect acme\.yaml, line/);
    expect(complaintOf(ended)).toMatch(says);
  });

  test('that is not there is exit 2, and so is no file at all', async () => {
    const missing = await openWorkdir().sluice('dialect check acme.yaml');
    expect(missing.code).toBe(2);
    expect(complaintOf(missing)).toMatch(/^The dialect file acme\.yaml cannot be read: ENOENT/);
    const none = await openWorkdir().sluice('dialect check');
    expect(none.code).toBe(2);
    complaintOf(none);
  });
});

describe.concurrent('sluice dialect check against a transcript', () => {
  const CALLS =
    '# lead: email=a@b.example\n# ask: verify_email\nPOST /enrich?verifyEmail=true&mail=a@b.example\n< {"id": "e-1"}\n';

  test('is 1 where it would send something else, and says where; nothing is sent', async () => {
    const server = await startServer(answering({}));
    const dir = openWorkdir(server.url).write('acme.yaml', '').write('calls.http', CALLS);
    const ended = await dir.sluice('dialect check acme.yaml --transcript calls.http');
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    expect(ended.stdout).toBe(
      'line 3          wrong: enrich: sends POST /enrich?verifyEmail=true&email=a%40b.example, reads accepted e-1\n' +
        '  query email     sends "a@b.example", recorded is nothing\n' +
        '  query mail      sends nothing, recorded is "a@b.example"\n',
    );
    expect(server.asked).toEqual([]);
  });

  test('is 0 where it fits, with warnings of what is never met', async () => {
    const dir = holding('enrich: { inputs: { email: mail, firstName: first } }\n');
    const line = 'dialect check acme.yaml --transcript calls.http';
    const ended = await dir.write('calls.http', CALLS).sluice(line);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(
      'warning: enrich.inputs.firstName: no exchange of the transcript shows it (first)\n',
    );
    expect(await dir.json(line)).toMatchObject({
      is_right: true,
      transcript: { exchanges: [{ line: 3, call: 'enrich', verdict: 'ok' }] },
    });
  });

  // test/dialects/every-dialect.test.ts checks all of them without a process.
  test.each(inBrief(['surfe'], OTHERS))(
    'is 0 for the ready-made dialect and its transcript: %s',
    async (name) => {
      const recorded = fileURLToPath(new URL(`../dialects/${name}.http`, import.meta.url));
      const ended = await openWorkdir().sluice([
        'dialect',
        'check',
        name,
        '--transcript',
        recorded,
      ]);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
    },
  );

  test('is 2 for a transcript that is none, by its line', async () => {
    const dir = holding('').write('calls.http', 'GET /a\n');
    expect(await dir.refusal('dialect check acme.yaml --transcript calls.http')).toMatch(
      /^Transcript calls\.http, line 1: this request has no answer/,
    );
  });
});

test('sluice dialect list lists the neutral dialect and the ready-made ones', async () => {
  const { stdout } = await openWorkdir().sluice('dialect list --ndjson');
  const [neutral] = stdout
    .split('\n')
    .map((line) => (line === '' ? {} : JSON.parse(line)) as object);
  expect(neutral).toEqual({
    dialect: 'neutral',
    asks: { find_email: 5, verify_email: 1, social_enrichment: 1, find_phone: 20 },
    rate: '20/2s',
    webhooks: ['request', 'hook'],
    bulk_max: 500,
  });
});
