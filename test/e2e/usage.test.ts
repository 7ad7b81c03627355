// Command lines and job files that say something wrong: exit 2, one sentence, nothing made and nothing asked.
import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { canBeUnprivileged } from '../helpers/command-line.js';
import { answering, startServer } from '../helpers/counting-server.js';
import { complaintOf, csv, openWorkdir } from '../helpers/workdir.js';

const silent = await startServer(answering({}));

const LEADS = csv(['Jane,Doe,acme.com']);
const ENRICH = 'enrich leads.csv --out out.csv --ask find_email';

describe.concurrent('a wrong command line is exit 2 and one sentence', () => {
  test.each([
    ['prune --yes', 'Did you mean "sluice state prune"?'],
    ['enrch leads.csv', 'There is no command "enrch". Did you mean "enrich"?'],
    ['report --compare 1', '--compare needs a value after it'],
    [`${ENRICH} more.csv`, 'does not know what to do with "more.csv"'],
    [`${ENRICH} --freshfor 1d`, 'does not know --freshfor. Did you mean "--fresh-for"?'],
    [`${ENRICH} --deadline 1h`, 'There is no flag --deadline: write --set deadline=1h.'],
    [
      `${ENRICH} --prices find_email=5,find_phone=10`,
      'write --set prices.find_email=5 --set prices.find_phone=10.',
    ],
    [`${ENRICH} --list Foo`, 'There is no flag --list: write --set list.name=Foo.'],
    [`${ENRICH} --list-where=a`, 'There is no flag --list-where: write --set list.where=a.'],
    [`${ENRICH} --out-positions p.csv`, 'write --set out.positions=p.csv.'],
    ['hooks prune', '"sluice hooks" has no command "prune".'],
    ['hooks remove', '"sluice hooks remove" needs one more argument.'],
    [`${ENRICH} --no-bom`, 'There is no flag --no-bom: write --set bom=false.'],
    ['enrich leads.csv --ask find_email --out', '--out needs a value'],
    [`${ENRICH} --out b.csv`, '--out is given twice'],
    [`${ENRICH} --ask find_phone`, 'Give it once, with commas: --ask find_email,find_phone'],
    [
      `${ENRICH} --set prices=1`,
      '--set prices: name what it is for, like --set prices.find_email=5',
    ],
    [`${ENRICH} --excel=perhaps`, '--excel takes no value.'],
    ['events --out a.csv --out b.csv', '--out is given twice'],
    ['draft c d --owner o --owner p', '--owner is given twice'],
    ['events --out data/sluice.db', 'would replace the state file data/sluice.db'],
    [
      `${ENRICH} --set rate=fast`,
      '--set rate: a rate is written like 20/2s, [20/2s, 100/60s], or off.',
    ],
    [`${ENRICH} --positions wide:0`, '--positions: positions is current, wide:N'],
    [`${ENRICH} --limit none`, '--limit: a number of leads is whole'],
    [`${ENRICH} --fresh-for soon`, '--fresh-for: a duration is written like 30d'],
    [
      ENRICH.replace('find_email', 'find_mail'),
      '--ask: "find_mail" is not known. Did you mean "find_email"?',
    ],
    ['enrich leads.csv --out out.csv', '"sluice enrich" needs --ask. "sluice enrich --help" says'],
    [
      'enrich leads.csv --ask find_email',
      '"sluice enrich" needs --out. "sluice enrich --help" says',
    ],
    [`${ENRICH} --map fistName=a`, 'Did you mean "firstName"?'],
    [`${ENRICH} --url nonsense`, 'base address is not a URL'],
    [`${ENRICH.replace('out.csv', 'x.db')} --state x.db`, 'would replace the state file x.db'],
    [`${ENRICH.replace('out.csv', 'x.db-wal')} --state x.db`, 'would replace the state file x.db'],
    ['status last', 'A run is named by its number'],
    ['runs --last many', '--last: a whole number'],
    ['enrich --out out.csv', '"sluice enrich" needs <file>'],
    ['run nightly', 'There is no job file jobs/nightly.yaml'],
    [
      'run late.csv',
      'late.csv is a file of leads, not a job. Enrich it with: sluice enrich late.csv',
    ],
    [`${ENRICH} --dialect no.yaml`, 'file no.yaml cannot be read'],
  ])('%s', async (line, sentence) => {
    const dir = openWorkdir(silent.url).write('leads.csv', LEADS);
    // The newest run is looked for in a state file, so there must be one.
    await openSqliteStore(dir.at('data/sluice.db')).close();
    const ended = await dir.sluice(line);
    expect(complaintOf(ended)).toContain(sentence);
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(dir.has('out.csv')).toBe(false);
    expect(silent.asked).toEqual([]);
  });

  test('no --url and no SLUICE_URL', async () => {
    const dir = openWorkdir().write('leads.csv', LEADS);
    expect(await dir.refusal(ENRICH)).toContain('url is missing: give --url, or url: in the job');
    expect(dir.files()).toEqual(['leads.csv']);
  });

  test('nothing at all shows the commands', async () => {
    const ended = await openWorkdir().sluice([]);
    expect(complaintOf(ended)).toContain('Say what to do');
    expect(ended.stderr).toContain('sluice enrich <file>');
    expect(ended.code).toBe(2);
  });

  test('a script that reads JSON gets the sentence as JSON', async () => {
    const ended = await openWorkdir().sluice(`${ENRICH} --url sandbox --set rate=fast --json`);
    expect(JSON.parse(ended.stderr)).toEqual({
      error: {
        code: 'usage',
        message: expect.stringMatching(/^--set rate: /),
        exit_code: 2,
      },
    });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
  });

  test('a state file that is named and not there is exit 5 where one only looks', async () => {
    const dir = openWorkdir();
    for (const words of ['status --state typo.db', 'runs --state typo.db', 'explain 1 1']) {
      const ended = await dir.sluice(words);
      expect(complaintOf(ended), words).toMatch(/There is no state file (typo|data\/sluice)\.db/);
      expect(ended.code, words).toBe(5);
    }
    expect(dir.files()).toEqual([]);
  });
});

test('in a new folder, looking at runs says that nothing has run yet and how to begin, and makes nothing', async () => {
  const dir = openWorkdir();
  const first = 'Nothing has run with the state file data/sluice.db yet. "sluice init leads.csv"';
  for (const words of ['status', 'runs', 'status --watch']) {
    const ended = await dir.sluice(words);
    expect(ended, words).toMatchObject({ code: 0, stdout: expect.stringContaining(first) });
  }
  expect((await dir.sluice('runs --json')).stdout).toBe('[]\n');
  expect((await dir.sluice('runs --ndjson')).stdout).toBe('');
  expect(await dir.json('status')).toEqual({
    run: null,
    state: null,
  });
  expect((await dir.sluice('schedule')).stdout).toContain('No job has a schedule.');
  expect((await dir.sluice('status 3')).code).toBe(2);
  expect(dir.files()).toEqual([]);
  await openSqliteStore(dir.at('data/sluice.db')).close();
  for (const words of ['status', 'runs']) {
    const ended = await dir.sluice(words);
    expect(ended, words).toMatchObject({ code: 0, stdout: expect.stringContaining(first) });
  }
});

test('the help lists what a newcomer needs, and each command once by its subject', async () => {
  const { stdout } = await openWorkdir().sluice(['--help']);
  const namesIn = (text: string) =>
    [...text.matchAll(/^ {2}sluice ([\w-]+)(?= [[<]| {2})/gm)].map(([, name]) => name);
  const [, first = ''] = /^Commands:\n([\s\S]*?)\n\n/m.exec(stdout) ?? [];
  expect(namesIn(first)).toEqual(['init', 'plan', 'enrich', 'run', 'status', 'explain', 'ui']);
  const topics = [...stdout.matchAll(/^ {2}sluice help ([a-z]+)/gm)].map(([, topic]) => topic);
  const listed: unknown[] = [];
  for (const topic of topics) {
    const help = await openWorkdir().sluice(['help', topic ?? '']);
    listed.push(...namesIn(help.stdout));
  }
  const all = JSON.parse((await openWorkdir().sluice('help --json')).stdout);
  const names = all.commands.map(({ command }: { command: string }) => command);
  const top = names.filter((name: string) => !name.includes(' '));
  expect(new Set(listed)).toEqual(new Set(top));
  expect(all.exit_codes).toContainEqual(expect.objectContaining({ code: 6, name: 'budget' }));
  expect(await openWorkdir().refusal('help waterfall')).toContain('"sluice keys waterfall"');
  expect(await openWorkdir().refusal('help step')).toContain('docs/README.md#words');
});

describe.concurrent('the help of a command with many flags', () => {
  test.each(['enrich', 'run', 'plan'])(
    '%s: everyday flags, on a screen and a half, 80 columns',
    async (name) => {
      const { code, stdout } = await openWorkdir().sluice([name, '--help']);
      expect(code).toBe(0);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
      const heads = [...stdout.matchAll(/^(\S.*):$/gm)].map(([, head]) => head);
      expect(heads).toEqual([
        'Arguments',
        'Job',
        'Options',
        ...(name === 'plan' ? [] : ['Examples']),
      ]);
      expect(stdout.split('\n').length).toBeLessThanOrEqual(61);
      const [, everyday = ''] = /^Job:\n([\s\S]*?)\n\n/m.exec(stdout) ?? [];
      const flags = [...everyday.matchAll(/^ +--([\w-]+)/gm)].map(([, flag]) => flag);
      expect(flags.slice(0, 5)).toEqual(['out', 'ask', 'map', 'url', 'limit']);
      expect(flags.at(-1)).toBe('set');
    },
  );
});

describe.concurrent('a wrong job file is exit 2, with file, line and key', () => {
  test.each([
    ['otu: out.csv', 'Job jobs/a.yaml, line 4: "otu"', 'Did you mean "out"?'],
    ['rate: fast', 'Job jobs/a.yaml, line 4: "rate"', 'written like 20/2s'],
    ['out: [', 'Job jobs/a.yaml, line', 'not YAML'],
    ['state: ${NOPE}', 'Job jobs/a.yaml, line 4', '${NOPE}'],
  ])('%s', async (line, place, why) => {
    const dir = openWorkdir(silent.url)
      .write('leads.csv', LEADS)
      .write('jobs/a.yaml', `input: leads.csv\nask: [find_email]\nout: out.csv\n${line}\n`);
    const ended = await dir.sluice('run a');
    expect(complaintOf(ended)).toContain(place);
    expect(complaintOf(ended)).toContain(why);
    expect(ended.code).toBe(2);
    expect(dir.files()).toEqual(['jobs/a.yaml', 'leads.csv']);
  });
});

describe.concurrent('an output that cannot be written is exit 2 before the first request', () => {
  test('its folder is missing', async () => {
    const dir = openWorkdir(silent.url).write('leads.csv', LEADS);
    expect(await dir.refusal('enrich leads.csv --out none/out.csv --ask find_email')).toBe(
      'The table cannot be written to "none/out.csv": its folder does not exist: create the folder, or name another file.',
    );
    expect(silent.asked).toEqual([]);
  });

  test.skipIf(!canBeUnprivileged)('its folder may not be written', async () => {
    const dir = openWorkdir(silent.url).write('leads.csv', LEADS).write('closed/old.csv', 'old');
    chmodSync(dir.at('closed'), 0o555);
    expect(
      await dir.refusal('enrich leads.csv --out closed/out.csv --ask find_email', {
        isUnprivileged: true,
      }),
    ).toMatch(
      /no file can be made in the folder \S+closed: it is not allowed\. Name a file elsewhere/,
    );
    expect(silent.asked).toEqual([]);
  });

  test('it is the input itself, by its name or by a pattern', async () => {
    const dir = openWorkdir(silent.url).write('leads.csv', LEADS).write('out.rejects.csv', LEADS);
    for (const line of [
      'enrich leads.csv --out ./leads.csv --ask find_email',
      'enrich *.csv --out leads.csv --ask find_email',
      'enrich *.csv --out out.csv --ask find_email',
    ]) {
      expect(await dir.refusal(line), line).toMatch(
        /would (replace the|match the) input (file|pattern)/,
      );
    }
    expect(dir.text('leads.csv')).toBe(LEADS);
    expect(silent.asked).toEqual([]);
  });
});
