// docs/cron-sees.md, row by row: each ending is brought about, and cron sees what the page says.
import { EventEmitter, once } from 'node:events';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startServer } from '../helpers/counting-server.js';
import { openWorkdir, type Workdir } from '../helpers/workdir.js';

const PAGE = readFileSync(
  fileURLToPath(new URL('../../docs/cron-sees.md', import.meta.url)),
  'utf8',
);
const ROWS = PAGE.split('|---|---|---|---|\n')[1]?.split('\n\n')[0]?.split('\n') ?? [];

/** Says when a ticket is asked for that has no answer yet. */
const waits = new EventEmitter();
let tickets = 0;
let askedAgain = 0;
/** A platform that does for each lead what its first name says. */
const platform = await startServer((request, response) => {
  const url = new URL(`http://x${request.url ?? ''}`);
  const answer = (status: number, body: unknown = {}) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (url.pathname === '/schema/people') return answer(404);
  if (request.method === 'POST') {
    const name = url.searchParams.get('firstName') ?? '';
    if (name === 'refused') return answer(422, { error: 'unusable' });
    if (name === 'later') askedAgain += 1;
    if (name === 'lost' || (name === 'later' && askedAgain > 1))
      return answer(500, { error: 'oops' });
    if (name === 'stranger') return answer(401, { error: 'who?' });
    tickets += 1;
    return answer(200, { id: `enr_${tickets}-${name}` });
  }
  const id = url.pathname.split('/').at(-1) ?? '';
  if (id.endsWith('-silent')) waits.emit('asked');
  if (id.endsWith('-silent')) return answer(202);
  if (id.endsWith('-failed')) {
    return answer(200, { type: 'enrichmentError', data: [{ id, error: 'no source' }] });
  }
  const data = id.endsWith('-strange')
    ? { mails: [{ address: 'a@b.example' }] }
    : { find_email: { email: `${id}@b.example`, status: 'deliverable' } };
  answer(200, { type: 'enrichmentDone', data: [{ id, data }] });
});

const FOUND = ['found', 'found', 'found', 'found', 'found'];
const csvOf = (names: readonly string[]): string =>
  `first_name,last_name,domain\n${names.map((name, i) => `${name},L${i},f${i}.example\n`).join('')}`;

function withJob(names: readonly string[], keys = ''): Workdir {
  const dir = openWorkdir(platform.url)
    .write('leads.csv', csvOf(names))
    .write(
      'jobs/nightly.yaml',
      `input: leads.csv\nout: out.csv\nask: [find_email]\nsubmit: single\nrate: off\n${keys}notify:\n  command: [./tell.sh]\n`,
    )
    .write('tell.sh', '#!/bin/sh\ncat >> told.ndjson\n');
  chmodSync(dir.at('tell.sh'), 0o755);
  return dir;
}

interface Night {
  readonly dir: Workdir;
  readonly flags?: string;
}

/** The night of each row, by its first cell. */
const NIGHTS: Readonly<Record<string, () => Promise<Night> | Night>> = {
  'every lead is answered': () => ({ dir: withJob(FOUND) }),
  'one lead of six ended with an error of its own': () => ({ dir: withJob([...FOUND, 'failed']) }),
  'nothing is new in a drop folder': async () => {
    const dir = withJob([]);
    const job = dir.text('jobs/nightly.yaml').replace('leads.csv', 'in/*.csv');
    dir.write('in/a.csv', csvOf(FOUND)).write('jobs/nightly.yaml', job);
    await dir.sluice('run nightly -q');
    dir.write('told.ndjson', '');
    return { dir };
  },
  'more than a fifth of the leads ended with an error of their own': () => ({
    dir: withJob(['found', 'failed']),
  }),
  'nothing was found, and a lead ended with an error of its own': () => ({
    dir: withJob(['failed'], 'fail-on: [failed > 99.9 %]\n'),
  }),
  'the platform refused a request': () => ({ dir: withJob([...FOUND, 'refused']) }),
  'a request may have been accepted, and no answer is known': () => ({
    dir: withJob([...FOUND, 'lost']),
  }),
  'the same of a lead that shows what was known before': async () => {
    const dir = withJob([...FOUND, 'later'], 'fresh-for: 1ms\n');
    await dir.sluice('run nightly -q');
    dir.write('told.ndjson', '');
    return { dir };
  },
  'an answer did not come by the deadline': () => ({
    dir: withJob([...FOUND, 'silent'], 'deadline: 1s\n'),
  }),
  'no lead could be asked for': () => ({ dir: withJob(['']) }),
  'the input has a header alone; a table that is there stays as it is': () => ({
    dir: withJob([]),
  }),
  'the job file is wrong': () => ({ dir: withJob(FOUND, 'askk: 1\n') }),
  'the input is not there': () => {
    const dir = withJob(FOUND);
    rmSync(dir.at('leads.csv'));
    return { dir };
  },
  'the platform refused the credentials': () => ({ dir: withJob(['stranger']) }),
  'an answer cannot be read': () => ({ dir: withJob(['strange']) }),
  'the state cannot be read': () => ({
    dir: withJob(FOUND).write('data/sluice.db', 'no database'.repeat(1_000)),
  }),
  'the budget is used up': () => ({ dir: withJob(FOUND), flags: ' --budget 1' }),
  'the run was cancelled': () => ({ dir: withJob(['silent']) }),
  'the job is paused, and something was left to send': async () => {
    const dir = withJob(FOUND);
    await dir.sluice('run nightly -q --budget 1');
    await dir.sluice('pause nightly');
    dir.write('told.ndjson', '');
    return { dir };
  },
  'a cap is met': () => ({ dir: withJob(FOUND, 'caps: {day: 1}\n') }),
  'the platform finds too little': () => ({
    dir: withJob([...FOUND, ...FOUND], 'stop-below: 90 % of 4\n').write(
      'leads.csv',
      csvOf(['failed', 'failed', ...FOUND]),
    ),
  }),
  'another process works on the job': () => ({ dir: withJob(['silent']) }),
  'it was told to stop': () => ({ dir: withJob(['silent']) }),
};

/** The steps that are done while the night is at work, by the first cell. */
const MEANWHILE: Readonly<Record<string, (dir: Workdir, kill: () => void) => Promise<unknown>>> = {
  'the run was cancelled': (dir) => dir.sluice('cancel 1'),
  'it was told to stop': (_, kill) => Promise.resolve(kill()),
};

async function see(row: string): Promise<{ code: number | null; stderr: string; told: string }> {
  const night = await NIGHTS[row]?.();
  if (night === undefined) throw new Error(`no night is written for "${row}"`);
  const { dir, flags = '' } = night;
  const command = `run nightly -q${flags}`;
  const told = (): string => (dir.has('told.ndjson') ? dir.text('told.ndjson') : '');
  const isOver = !(row in MEANWHILE) && row !== 'another process works on the job';
  if (isOver) return { ...(await dir.sluice(command)), told: told() };
  const isAtWork = once(waits, 'asked');
  const started = dir.start(command);
  await isAtWork;
  if (row === 'another process works on the job') {
    const second = await dir.sluice(command);
    const both = { ...second, told: told() };
    started.child.kill('SIGTERM');
    await started.ended;
    return both;
  }
  await MEANWHILE[row]?.(dir, () => void started.child.kill('SIGTERM'));
  const ended = await started.ended;
  return { ...ended, told: told() };
}

describe('the page of endings', () => {
  test('has every exit code that a night can end with, but those of a closed terminal and a bug', () => {
    const codes = ROWS.map((row) => Number(row.split(' | ')[1]));
    expect([...new Set(codes)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 75, 143]);
    expect(ROWS.map((row) => row.split(' | ')[0]?.slice(2))).toEqual(Object.keys(NIGHTS));
  });

  test.each(ROWS)('%s', async (row) => {
    const [name = '', code = '', printed = '', state = ''] = row
      .slice(2, -2)
      .split(/ ?\| ?/)
      .map((cell) => cell.replaceAll('`', ''));
    const night = await see(name);
    expect(night.code, night.stderr).toBe(Number(code));
    if (printed === '') expect(night.stderr).toBe('');
    else expect(night.stderr).toContain(printed);
    const notices = night.told.split('\n').filter((line) => line !== '');
    if (state === 'no notice') expect(notices).toEqual([]);
    else {
      const notice = JSON.parse(notices.at(-1) ?? '{}') as Record<string, unknown>;
      expect([String(notice['state']), notice['exit_code']]).toEqual([state, Number(code)]);
    }
  });
});
