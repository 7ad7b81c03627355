// The password, in any form, stands in nothing that a run leaves behind or says.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startServer } from '../helpers/counting-server.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const USERNAME = 'analyst@example.com';
const PASSWORD = 'Tr0ub4dor&3-hunter2';
const ENV = { SLUICE_USERNAME: USERNAME, SLUICE_PASSWORD: PASSWORD };
const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --state state.db';
const FORMS = [
  PASSWORD,
  encodeURIComponent(PASSWORD),
  ...[PASSWORD, `${USERNAME}:${PASSWORD}`].flatMap((text) => [
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
    Buffer.from(text).toString('base64url'),
  ]),
];

/** A dialect that asks for a key. */
const KEYED = fileURLToPath(new URL('dialects/key.yaml', import.meta.url));

function leaksIn(name: string, bytes: Buffer): string[] {
  return FORMS.filter((form) => bytes.includes(form)).map((form) => `${form} in ${name}`);
}

async function expectNoLeaks(dir: Workdir, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const { stdout, stderr } = await dir.sluice(line, { env: ENV });
    expect(leaksIn(line, Buffer.from(stdout + stderr))).toEqual([]);
  }
  const files = dir.files().filter((name) => name !== 'leads.csv');
  expect(files).toContain('state.db');
  for (const name of files) expect(leaksIn(name, readFileSync(dir.at(name)))).toEqual([]);
}

describe.concurrent('the password', () => {
  test('leaks from no run, no report and no file', async () => {
    const sandbox = await startSandboxProcess(
      `--latency 20ms --username ${USERNAME} --password ${PASSWORD}`,
    );
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(4)));
    await expectNoLeaks(dir, [
      'plan leads.csv --ask find_email --state state.db',
      ENRICH,
      `${ENRICH} --json`,
      'status --state state.db --json',
      'runs --state state.db',
      'export 1 --state state.db --out again.ndjson',
    ]);
    expect(dir.rows('out.csv')[0]).toMatchObject({ sluice_status: 'found' });
  });

  test('does not leak where the platform repeats it in an error', async () => {
    const server = await startServer((request, response) => {
      const isPost = request.method === 'POST';
      response.statusCode = isPost ? 400 : 200;
      const said = `no ${PASSWORD} and no ${FORMS.join(' or ')}: ${request.headers.authorization}`;
      response.end(JSON.stringify(isPost ? { error: said } : { schema: {} }));
    });
    const dir = openWorkdir(server.url).write('leads.csv', csv(people(2)));
    await expectNoLeaks(dir, [ENRICH]);
    expect(dir.rows('out.csv')[0]).toMatchObject({ sluice_status: 'failed' });
    expect(dir.rows('out.csv')[0]?.['sluice_reason']).toContain('no […] and no');
  });

  test('does not leak where the platform is a page that repeats it', async () => {
    const server = await startServer((request, response) => {
      response.end(`<p>${PASSWORD} ${request.headers.authorization}</p>`);
    });
    const dir = openWorkdir(server.url).write('leads.csv', csv(people(2)));
    await expectNoLeaks(dir, [ENRICH, `${ENRICH} --json`]);
  });

  test('leaks nowhere where it is a key', async () => {
    const server = await startServer(({ headers, method, url }, response) => {
      response.statusCode = headers.authorization === `Bearer ${PASSWORD}` ? 200 : 401;
      const find_email = { email: 'a@b.example', status: 'deliverable' };
      const result = url?.startsWith('/enrich') ? [{ id: 'e-1', data: { find_email } }] : [];
      const read = { data: result, schema: {}, properties: [] };
      response.end(JSON.stringify(method === 'POST' ? { id: 'e-1' } : read));
    });
    const dir = openWorkdir(server.url, {}).write('leads.csv', csv(people(1)));
    const run = `${ENRICH} --dialect ${KEYED}`;
    const env = { SLUICE_API_KEY: PASSWORD };
    for (const line of [run, `${run} --json`, `doctor --dialect ${KEYED} --state state.db`]) {
      const { code, stdout, stderr } = await dir.sluice(line, { env });
      expect(code, stderr).toBe(0);
      expect(leaksIn(line, Buffer.from(stdout + stderr))).toEqual([]);
    }
    for (const name of dir.files()) {
      expect(leaksIn(name, readFileSync(dir.at(name)))).toEqual([]);
    }
    expect(dir.rows('out.csv')[0]).toMatchObject({ sluice_status: 'found' });
    const wrong = await dir.sluice(`${run} --set pay-anew=true`, {
      env: { SLUICE_API_KEY: `${PASSWORD}-old` },
    });
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toMatch(/refused the credentials .*Check SLUICE_API_KEY\./);
    const none = await dir.sluice(run);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("The platform's key is missing: set SLUICE_API_KEY");
  });

  test('in the address is refused, and not repeated', async () => {
    const dir = openWorkdir().write('leads.csv', csv(people(1)));
    const url = `http://analyst:${encodeURIComponent(PASSWORD)}@127.0.0.1:1/`;
    const ended = await dir.sluice(`${ENRICH} --url ${url}`, { env: ENV });
    expect(ended.code).toBe(2);
    expect(leaksIn('stderr', Buffer.from(ended.stderr))).toEqual([]);
    for (const name of dir.files()) {
      expect(leaksIn(name, readFileSync(dir.at(name)))).toEqual([]);
    }
  });
});

test('a person whom the platform names in an error stands in nothing that repeats it', async () => {
  const server = await startServer((request, response) => {
    const isPost = request.method === 'POST';
    response.statusCode = isPost ? 400 : 200;
    const error = 'Ask zoe@elsewhere.example or call +33 6 12 34 56 78, not Eve1.';
    response.end(JSON.stringify(isPost ? { error } : { schema: {} }));
  });
  const dir = openWorkdir(server.url).write('leads.csv', csv(people(1)));
  for (const line of [`${ENRICH} --log-level trace`, 'status --state state.db']) {
    const { stdout, stderr } = await dir.sluice(line);
    expect(stdout + stderr).toContain('failed');
    expect(stdout + stderr).not.toMatch(/zoe|33 6 12|Eve1/);
  }
  expect(dir.rows('out.csv')).toMatchObject([
    { sluice_reason: 'refused by the platform: Ask […] or call […], not […].' },
  ]);
});
