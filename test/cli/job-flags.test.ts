import { describe, expect, it } from 'vitest';
import yargs from 'yargs';
import { jobOfFlags, withJobFlags } from '../../src/cli/job-flags.js';
import { type JobFile, jobSchema } from '../../src/config/job-schema.js';
import { problemOf } from '../platform/test-server.js';

const BASE: JobFile = { input: 'leads.csv' };

/** What a command line states, with yargs between, as the commands have it. */
async function jobOf(line: readonly string[], base: JobFile = BASE): Promise<JobFile> {
  const flags = await withJobFlags(
    yargs([...line])
      .help(false)
      .version(false),
  ).parseAsync();
  return jobOfFlags(flags, base);
}

const OF_A_FILE = new Set([
  'input',
  'notify',
  'caps',
  'schedule',
  'timezone',
  'catch-up',
  'waterfall',
  'accept',
  'verify',
  'on-unavailable',
  'on-uncertain',
]);

describe('flags', () => {
  it('state nothing where none is given', async () => {
    expect(await jobOf([])).toEqual(BASE);
  });

  it.each<[string[], Partial<JobFile>]>([
    [['--out', 'a.csv'], { out: 'a.csv' }],
    [['--ask', 'find_email'], { ask: ['find_email'] }],
    [['--ask', 'find_email, find_phone'], { ask: ['find_email', 'find_phone'] }],
    [['--concurrency', '5', '--limit', '10'], { concurrency: 5, limit: 10 }],
    [['--rate', '20/2s'], { rate: '20/2s' }],
    [['--fresh-for', '30d', '--deadline', '2h'], { 'fresh-for': '30d', deadline: '2h' }],
    [['--excel', '--no-formula-guard'], { excel: true, 'formula-guard': false }],
    [['--delimiter', '\\t'], { delimiter: '\t' }],
    [['--delimiter', 'tab'], { delimiter: '\t' }],
    [['--delimiter', ';'], { delimiter: ';' }],
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
    [['--sample', '50', '--seed', '7'], { sample: 50, seed: 7 }],
    [['--list', 'Warm {date}'], { list: { name: 'Warm {date}' } }],
    [
      ['--list', 'Warm', '--list-where', 'credits > 0'],
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

  it('override the name of a job’s list, or who goes in, and leave the other', async () => {
    const base: JobFile = { ...BASE, list: { name: 'Warm', where: 'credits > 0' } };
    expect((await jobOf(['--list', 'Cold'], base)).list).toEqual({
      name: 'Cold',
      where: 'credits > 0',
    });
    expect((await jobOf(['--list-where', 'credits = 0'], base)).list).toEqual({
      name: 'Warm',
      where: 'credits = 0',
    });
  });

  it('do not swallow what stands behind one --map', async () => {
    const flags = withJobFlags(yargs(['--map', 'email=a', 'leads.csv']).help(false).version(false));
    expect(await flags.parseAsync()).toMatchObject({ _: ['leads.csv'], map: ['email=a'] });
  });

  it('are the keys of a job file, each explained by it', async () => {
    const help = await withJobFlags(yargs([]).wrap(null)).getHelp();
    expect(help).toMatch(/--list-where /);
    for (const [key, { description }] of Object.entries(jobSchema.shape)) {
      // One is an argument, one may hold a secret, and schedules and caps are those of a job file.
      if (OF_A_FILE.has(key)) continue;
      expect(help).toMatch(new RegExp(`--${key} `));
      // A list has two parts, and each is explained.
      if (key !== 'list') expect(help).toContain(description);
    }
  });
});

describe('a flag is refused by name', () => {
  it.each<[string, string[], RegExp]>([
    ['ask', ['--ask', 'find_emial'], /find_email/],
    ['ask', ['--ask', ''], /find_email/],
    ['ask', ['--ask', 'find_email,'], /find_email/],
    ['out', ['--out', ''], /--out: /],
    ['out', ['--no-out'], /--out: /],
    ['concurrency', ['--concurrency', 'many'], /--concurrency: /],
    ['concurrency', ['--concurrency', '0'], /--concurrency: /],
    ['limit', ['--limit', '1.5'], /--limit: /],
    ['rate', ['--rate', 'fast'], /20\/2s, or off/],
    ['positions', ['--positions', 'wide'], /wide:N/],
    ['fresh-for', ['--fresh-for', '0d'], /30d, 2h/],
    ['deadline', ['--deadline', 'soon'], /30d, 2h/],
    ['format', ['--format', 'xlsx'], /csv/],
    ['delimiter', ['--delimiter', '#'], /--delimiter: /],
    ['encoding', ['--encoding', 'latin-one'], /windows-1252/],
    ['map', ['--map', 'emial=mail'], /one of email, .* Did you mean email\?/],
    ['map', ['--map', 'email'], /write INPUT=COLUMN/],
    ['map', ['--map', '=mail'], /write INPUT=COLUMN/],
    ['map', ['--map', 'toString=mail'], /write INPUT=COLUMN/],
    ['list-where', ['--list-where', 'credits > 0'], /give --list/],
    ['list-where', ['--list', 'a', '--list-where', ''], /--list-where: /],
    ['where', ['--where', ''], /--where: /],
    ['fill', ['--fill', 'mail=Mail'], /write email=COLUMN/],
    ['sample', ['--sample', '0'], /--sample: /],
    ['seed', ['--seed', '-1'], /--seed: /],
    ['list', ['--list', ''], /--list: /],
    ['map', ['--map', 'email=a', '--map', 'email=b'], /--map email is given twice/],
  ])('--%s in %j', async (flag, line, message) => {
    const problem = await problemOf(() => jobOf(line));
    expect(problem).toMatchObject({ code: 'usage', message: expect.stringContaining(flag) });
    expect(problem.message).toMatch(new RegExp(`^--${flag}\\b`));
    expect(problem.message).toMatch(message);
  });
});
