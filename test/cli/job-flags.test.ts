import { describe, expect, it, onTestFinished, vi } from 'vitest';
import yargs from 'yargs';
import { jobFlags, jobOfFlags } from '../../src/cli/job-flags.js';
import { aboutKey, type JobFile, jobKeys } from '../../src/config/job-schema.js';
import { problemOf } from '../platform/test-server.js';

const BASE: JobFile = { input: 'leads.csv' };

function programOf(line: readonly string[]) {
  return yargs([...line])
    .help(false)
    .version(false)
    .options(jobFlags());
}

/** What a command line states, with yargs between, as the commands have it. */
async function jobOf(line: readonly string[], base: JobFile = BASE): Promise<JobFile> {
  const flags = await programOf(line).parseAsync();
  return jobOfFlags(flags, base);
}

describe('flags', () => {
  it('state nothing where none is given', async () => {
    expect(await jobOf([])).toEqual(BASE);
  });

  it.each<[string[], Partial<JobFile>]>([
    [['--out', 'a.csv'], { out: 'a.csv' }],
    [['--ask', 'find_email'], { ask: ['find_email'] }],
    [['--ask', 'find_email, find_phone'], { ask: ['find_email', 'find_phone'] }],
    [['--set', 'concurrency=5', '--limit', '10'], { concurrency: 5, limit: 10 }],
    [['--set', 'rate=20/2s'], { rate: '20/2s' }],
    [['--fresh-for', '30d', '--set', 'deadline=2h'], { 'fresh-for': '30d', deadline: '2h' }],
    [['--excel', '--set', 'formula-guard=false'], { excel: true, 'formula-guard': false }],
    [['--set', 'delimiter="\\t"'], { delimiter: '\t' }],
    [['--set', 'delimiter=tab'], { delimiter: '\t' }],
    [['--set', 'delimiter=;'], { delimiter: ';' }],
    [['--map', 'email=mail'], { map: { email: 'mail' } }],
    [
      ['--map', 'email=E Mail', '--map', 'firstName=fname'],
      { map: { email: 'E Mail', firstName: 'fname' } },
    ],
    [['--map', 'email='], { map: { email: '' } }],
    [['--map', 'email=a=b'], { map: { email: 'a=b' } }],
    [
      ['--where', 'country in (FR)', '--only-missing'],
      { where: 'country in (FR)', 'only-missing': true },
    ],
    [
      ['--fill', 'email=E=Mail', '--fill', 'phone=Handy'],
      { fill: { email: 'E=Mail', phone: 'Handy' } },
    ],
    [['--sample', '50', '--set', 'seed=7'], { sample: 50, seed: 7 }],
    [['--set', 'list.name=Warm {date}'], { list: { name: 'Warm {date}' } }],
    [
      ['--set', 'list.name=Warm', '--set', 'list.where=credits > 0'],
      { list: { name: 'Warm', where: 'credits > 0' } },
    ],
  ])('%j are read', async (line, stated) => {
    expect(await jobOf(line)).toEqual({ ...BASE, ...stated });
  });

  it('override the keys of a job file one by one', async () => {
    const base: JobFile = {
      ...BASE,
      out: 'a.csv',
      rate: 'off',
      map: { email: 'a', lastName: 'b' },
    };
    expect(
      await jobOf(['--out', 'c.csv', '--map', 'email=', '--map', 'firstName=f'], base),
    ).toEqual({
      ...base,
      out: 'c.csv',
      map: { email: '', lastName: 'b', firstName: 'f' },
    });
  });

  it('do not swallow what stands behind one --map', async () => {
    const flags = await programOf(['--map', 'email=a', 'leads.csv']).parseAsync();
    expect(flags).toMatchObject({ _: ['leads.csv'], map: ['email=a'] });
  });

  it('are explained as in a job file, and name --set for the other keys', async () => {
    const help = await programOf([]).wrap(null).getHelp();
    const flagged = jobKeys.filter(([, { flag }]) => flag !== undefined);
    expect(flagged.length).toBeLessThan(25);
    for (const [name, key] of flagged) {
      expect(help).toMatch(new RegExp(`--${name} `));
      expect(help).toContain(aboutKey(key));
    }
    expect(help).toMatch(/--set .*sluice keys/);
  });
});

describe('--set', () => {
  const list = { name: 'Warm', where: 'credits > 0' };

  it.each<[string, string[], JobFile, Partial<JobFile>]>([
    ['a nested key', ['list.name=Cold'], { ...BASE, list }, { list: { ...list, name: 'Cold' } }],
    ['all of a key', ['list={name: Cold}'], { ...BASE, list }, { list: { name: 'Cold' } }],
    ['a part of a new key', ['prices.find_email=0.5'], BASE, { prices: { find_email: 0.5 } }],
    [
      'two parts',
      ['prices.find_email=1', 'prices.find_phone=2'],
      BASE,
      { prices: { find_email: 1, find_phone: 2 } },
    ],
    [
      'a table beside that of a text',
      ['out.companies=c.csv'],
      { ...BASE, out: 'a.csv' },
      { out: { people: 'a.csv', companies: 'c.csv' } },
    ],
    [
      'a list, which replaces',
      ['notify.command=[b]'],
      { ...BASE, notify: { command: ['a', '-x'] } },
      { notify: { command: ['b'] } },
    ],
    [
      'a text without quotes',
      ['delimiter=,', 'delimiter-out=|', 'list.name={date} x'],
      BASE,
      { delimiter: ',', 'delimiter-out': '|', list: { name: '{date} x' } },
    ],
    ['null, which removes', ['rate=null'], { ...BASE, rate: 'off' }, {}],
    [
      'null of a part',
      ['list.where=null'],
      { ...BASE, list },
      { list: { name: 'Warm', where: undefined } },
    ],
    ['the input of a job file', ['input=[a.csv, b.csv]'], BASE, { input: ['a.csv', 'b.csv'] }],
    [
      'a value with =',
      ['list.where=a = b', 'list.name=x'],
      BASE,
      { list: { name: 'x', where: 'a = b' } },
    ],
  ])('states %s', async (_, texts, base, stated) => {
    const { rate: _rate, ...rest } = base;
    const line = texts.flatMap((text) => ['--set', text]);
    expect(await jobOf(line, base)).toEqual({ ...rest, ...stated });
  });

  it('fills in a variable, as a job file does', async () => {
    vi.stubEnv('NOTICE_HOST', 'hooks.example');
    onTestFinished(() => void vi.unstubAllEnvs());
    const job = await jobOf(['--set', 'notify.url=https://${NOTICE_HOST}/in']);
    expect(job.notify).toEqual({ url: 'https://hooks.example/in' });
  });

  it.each([
    ['deadline', '--set deadline: write', /KEY=VALUE, like deadline=1h/],
    ['deadlin=1h', '--set: "deadlin"', /Did you mean "deadline"\? "sluice keys"/],
    ['list.nam=x', '--set: "list.nam"', /Did you mean "name"\?/],
    ['budget=5', '--set budget: ', /a flag of its own, --budget/],
    ['map.email=Mail', '--set map.email: ', /a flag of its own, --map/],
    ['out.people=a.csv', '--set out.people: ', /a flag of its own, --out/],
    ['deadline=', '--set deadline: ', /it is empty/],
    ['delimiter=#', '--set delimiter: ', /cannot read/],
    ['prices={find_email', '--set prices: ', /in quotes/],
    ['keep=*name', '--set keep: ', /cannot read/],
    ['list.where=credits > 0', '--set list.name: ', /missing/],
    ['public-url=https://ada:pw@here.example', '--set public-url: ', /user name or password/],
    ['notify.url=https://ada:pw@here.example', '--set notify.url: ', /user name or password/],
    ['notify.url=https://x.example/${SLUICE_PASSWORD}', '--set notify.url: ', /has no place/],
    ['concurrency=many', '--set concurrency: ', /whole, from 1 to 1000/],
    ['concurrency=0', '--set concurrency: ', /whole, from 1 to 1000/],
    ['rate=fast', '--set rate: ', /20\/2s, \[20\/2s, 100\/60s\], or off/],
    ['deadline=soon', '--set deadline: ', /30d, 2h/],
    ['fail-on=failed', '--set fail-on: ', /write --set 'fail-on=\[failed\]'\.$/],
    ['format=xlsx', '--set format: ', /csv/],
    ['encoding=latin-one', '--set encoding: ', /windows-1252/],
    ['seed=-1', '--set seed: ', /0 or more/],
    ['input=null', '--set input: ', /name a file/],
    ['waterfall.0.url=x', '--set waterfall: ', /a list of steps/],
  ])('%s is refused', async (text, where, message) => {
    const problem = await problemOf(() => jobOf(['--set', text]));
    expect(problem).toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
    expect(`${problem.message} `).toContain(where.trimEnd());
    expect(problem.message).not.toContain('ada');
  });

  it.each([
    [['rate=off', 'rate=1/s']],
    [['list={name: a}', 'list.where=b > 1']],
    [['list.where=b > 1', 'list={name: a}']],
  ])('%j is refused, for one key is stated twice', async (texts) => {
    const line = texts.flatMap((text) => ['--set', text]);
    expect((await problemOf(() => jobOf(line))).message).toMatch(/it is given twice/);
  });
});

describe('a flag is refused by name', () => {
  it.each<[string, string[], RegExp]>([
    ['ask', ['--ask', 'find_emial'], /find_email/],
    ['ask', ['--ask', ''], /find_email/],
    ['ask', ['--ask', 'find_email,'], /find_email/],
    ['out', ['--out', ''], /--out: /],
    ['out', ['--no-out'], /--out: /],
    ['limit', ['--limit', '1.5'], /--limit: /],
    ['positions', ['--positions', 'wide'], /wide:N/],
    ['fresh-for', ['--fresh-for', '0d'], /30d, 2h/],
    ['map', ['--map', 'emial=mail'], /one of email, .* Did you mean "email"\?/],
    ['map', ['--map', 'email'], /write INPUT=COLUMN/],
    ['map', ['--map', '=mail'], /write INPUT=COLUMN/],
    ['map', ['--map', 'toString=mail'], /write INPUT=COLUMN/],
    ['where', ['--where', ''], /--where: /],
    ['fill', ['--fill', 'mail=Mail'], /write email=COLUMN/],
    ['sample', ['--sample', '0'], /--sample: /],
    ['map', ['--map', 'email=a', '--map', 'email=b'], /--map email is given twice/],
  ])('--%s in %j', async (flag, line, message) => {
    const problem = await problemOf(() => jobOf(line));
    expect(problem).toMatchObject({ code: 'usage', message: expect.stringContaining(flag) });
    expect(problem.message).toMatch(new RegExp(`^--${flag}\\b`));
    expect(problem.message).toMatch(message);
  });
});
