// What a worker does with an entry of the queue.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openAccounts } from '../../../src/app/queue/accounts.js';
import type { WorkerParts } from '../../../src/app/queue/find-needed.js';
import { writeTask } from '../../../src/app/queue/task.js';
import { canTake, sweepTasks, takeEntry } from '../../../src/app/queue/work.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { systemClock } from '../../../src/app/system-clock.js';
import type { JobFile } from '../../../src/config/job-schema.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { UNWATCHED } from '../../../src/model/telemetry/observe.js';
import type { Dispatcher, QueueEntry, Turn } from '../../../src/ports/dispatcher.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { T0 } from '../../contract/store-bench.js';
import { answering, startServer } from '../../helpers/counting-server.js';
import { runPlan } from '../../helpers/leads.js';
import { testState } from '../../helpers/postgres.js';
import { plantInRuns, plantLease } from '../../helpers/state.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { csv, people } from '../../helpers/workdir.js';

const state = await testState();
const folder = tempFolder();
const JOB = { input: 'a.csv', out: 'b.csv', ask: ['find_email'], url: 'sandbox' } as const;
let store: Store;

beforeEach(async () => {
  await state.empty();
  store = await openPostgresStore(state.address);
  const { id, job } = await store.startRun(runPlan(), T0);
  const settings = describeJob(job, JOB);
  await store.noteTask(id, writeTask({ settings, dialect: NEUTRAL_DIALECT }));
});
afterEach(() => store.close());

const NIGHTLY: QueueEntry = { job: 'nightly', isFromFile: false };

const DAY_MS = 24 * 3_600_000;
/** A queue that is told nothing: what is looked at is what the state says. */
const dispatcher = {
  nextTime: (_, after) => (Math.floor(after / DAY_MS) + 1) * DAY_MS,
  sweepAt: async () => undefined,
} as Partial<Dispatcher> as Dispatcher;

/** A time of the schedule of `job` that is not dealt with. */
async function keepDue(job: string, nextAt = T0, catchUp: 'one' | 'none' = 'one'): Promise<void> {
  await store.keepSchedule(job, { pattern: '0 0 * * *', timezone: 'UTC', catchUp, nextAt });
}

async function partsOf(wishes: Partial<WorkerParts> = {}): Promise<WorkerParts> {
  return {
    store,
    state: state.address,
    dispatcher,
    accounts: await openAccounts(
      readEnvironment({ SLUICE_USERNAME: 'me', SLUICE_PASSWORD: 'secret', SLUICE_ACCOUNT: 'acme' }),
      undefined,
    ),
    stated: {},
    jobs: undefined,
    loadJob: async () => undefined,
    writesTables: false,
    since: 0,
    clock: systemClock,
    watch: UNWATCHED,
    lacking: new Set(),
    onEnd: async () => undefined,
    tell: () => undefined,
    warn: () => undefined,
    ...wishes,
  };
}

function telling(told: string[], wishes: Partial<WorkerParts> = {}): Promise<WorkerParts> {
  const push = (sentence: string): void => void told.push(sentence);
  return partsOf({ tell: push, warn: push, ...wishes });
}

async function take(parts = partsOf(), entry = NIGHTLY): Promise<Turn> {
  return takeEntry(await parts, entry, new AbortController().signal);
}

const hold = (ms: number) => plantLease(state.pool, 'nightly', ms);

it('looks again every 5 s while another process works on the job', async () => {
  await hold(30_000);
  expect(await take()).toEqual({ kind: 'later', ms: 5_000 });
});

it('looks again at the end of its lease where that is not renewed any more', async () => {
  await hold(4_000);
  const turn = await take();
  expect(turn).toEqual({ kind: 'later', ms: expect.any(Number) as number });
  expect('ms' in turn && turn.ms).toBeLessThanOrEqual(4_000);
});

describe('a time of a schedule that catches nothing up', () => {
  const SECOND = 1_000;
  const told: string[] = [];
  let isBegun = false;
  /** The time was so long ago, and the worker began so long ago. */
  const takeDue = async (job: string, agoMs: number, workerMs: number): Promise<Turn> => {
    isBegun = false;
    told.length = 0;
    const loadJob = async (): Promise<undefined> => {
      isBegun = true;
    };
    const clock = { ...systemClock, now: () => T0 };
    const entry = { job, isFromFile: true };
    await keepDue(job, T0 - agoMs, 'none');
    const tell = (sentence: string): void => void told.push(sentence);
    return take(partsOf({ since: T0 - workerMs, clock, loadJob, tell }), entry);
  };

  it.each([
    ['it has just come', 0, 60 * SECOND],
    ['it comes late by some seconds', 30 * SECOND, 60 * SECOND],
    ['the worker began at that moment', 4 * SECOND, 2 * SECOND],
  ])('begins a run where %s', async (_, agoMs, workerMs) => {
    await takeDue('due', agoMs, workerMs);
    expect(isBegun).toBe(true);
  });

  it('is left to a worker that was there, where this one was not', async () => {
    expect(await takeDue('due', 10 * SECOND, 4 * SECOND)).toEqual({ kind: 'elsewhere' });
    expect(isBegun).toBe(false);
    const loadJob = async (job: string) => describeJob(job, JOB);
    const due: QueueEntry = { job: 'due', isFromFile: true };
    await keepDue('due', T0, 'none');
    expect(await canTake(await partsOf({ since: T0, loadJob }), due)).toBe(true);
    expect(await canTake(await partsOf({ since: T0 + 6 * SECOND, loadJob }), due)).toBe(false);
  });

  it.each([
    ['was there', 3_600 * SECOND],
    ['was not', SECOND],
  ])(
    'passes where no run was begun within a minute, and a worker that %s says so',
    async (_, workerMs) => {
      expect(await takeDue('due', 61 * SECOND, workerMs)).toEqual({ kind: 'done' });
      expect(isBegun).toBe(false);
      expect((await store.schedules())[0]?.nextAt).toBeGreaterThan(T0);
      expect(told).toEqual([
        'The job due was due at 2023-11-14 22:12:19 (UTC), and is not run late: its catch-up is none.',
      ]);
    },
  );

  it('ends no run that was begun and is not read yet', async () => {
    await store.startRun({ ...runPlan(), job: 'due' }, T0);
    await takeDue('due', 3_600 * SECOND, SECOND);
    expect(isBegun).toBe(true);
  });
});

describe('a run that nobody asks for', () => {
  const leads = join(folder, 'leads.csv');
  writeFileSync(leads, csv(people(1)));
  const loadJob = async (job: string) => describeJob(job, { ...JOB, input: leads });
  const begin = async (job: string): Promise<Turn> => {
    const told: string[] = [];
    const turn = await take(telling(told, { loadJob }), { job, isFromFile: true });
    expect(told.join('')).toBe(turn.kind === 'done' ? TOLD : '');
    return turn;
  };
  const TOLD = 'Run 2 of weekly: taken up.Run 2 of weekly: finished.';
  const runs = async () => (await store.listRuns(9)).map(({ job }) => job);

  it('is begun once for a time that is due, whatever the queue asks for', async () => {
    await keepDue('weekly', Date.now() + 60_000);
    expect(await begin('weekly')).toMatchObject({ kind: 'refused' });
    await keepDue('weekly');
    expect(await begin('weekly')).toEqual({ kind: 'done' });
    expect(await begin('weekly')).toMatchObject({ kind: 'refused' });
    expect(await runs()).toEqual(['weekly', 'nightly']);
  });

  it('is not begun where the job has no schedule, and a name from the queue is cut', async () => {
    expect(await begin('x'.repeat(4_000))).toEqual({
      kind: 'refused',
      why: expect.stringMatching(
        /^An entry of the queue would begin a run of x{99}…, which has no/,
      ),
    });
    expect(await runs()).toEqual(['nightly']);
  });

  it('is begun once by two entries at a time', async () => {
    await keepDue('weekly');
    const parts = await partsOf({ loadJob });
    const { signal } = new AbortController();
    const entry = { job: 'weekly', isFromFile: true };
    const turns = await Promise.all([1, 2, 3].map(() => takeEntry(parts, entry, signal)));
    for (const { kind } of turns) expect(kind).toMatch(/done|later|refused/);
    expect(await begin('weekly')).toMatchObject({ kind: 'refused' });
    expect(await runs()).toEqual(['weekly', 'nightly']);
  });

  it('is not begun by a time at which the last one was under way', async () => {
    await keepDue('nightly');
    const told: string[] = [];
    await take(telling(told), { job: 'nightly', isFromFile: true });
    expect(told).toContain('Run 1 of nightly: taken up.');
    expect(await begin('nightly')).toMatchObject({ kind: 'refused' });
  });

  it('waits for its next time where the user has to put something right', async () => {
    await keepDue('weekly');
    const broken = async (job: string) => describeJob(job, { ...JOB, input: 'missing.csv' });
    const ended: string[] = [];
    const onEnd = async (job: string) => void ended.push(job);
    const parts = partsOf({ loadJob: broken, onEnd });
    expect(await take(parts, { job: 'weekly', isFromFile: true })).toEqual({ kind: 'done' });
    expect(ended).toEqual(['weekly']);
    expect(await begin('weekly')).toMatchObject({ kind: 'refused' });
  });
});

it('puts into the queue what is due, and looks again at what is due soon', async () => {
  const clock = { ...systemClock, now: () => T0 };
  const enqueued: QueueEntry[] = [];
  const looks: number[] = [];
  const queue = {
    ...dispatcher,
    enqueue: async (entry: QueueEntry) => void enqueued.push(entry),
    sweepAt: async (at: number) => void looks.push(at),
  };
  await keepDue('nightly');
  await keepDue('weekly', T0 + 1_999);
  await keepDue('soon', T0 + 90_000);
  await keepDue('later', T0 + DAY_MS);
  await sweepTasks({ store, clock, dispatcher: queue });
  expect(enqueued).toEqual([NIGHTLY, { job: 'weekly', isFromFile: true }]);
  expect(looks).toEqual([T0 + 90_000]);
  expect((await store.schedules())[0]?.nextAt).toBeGreaterThan(T0);
});

/** The run's account is one of the real platform. */
async function nameAccount(account: string): Promise<void> {
  const run = (await store.jobNow('nightly')).openRun;
  const stated = { ...JOB, url: 'https://platform.example', account };
  const settings = describeJob('nightly', stated);
  await store.noteTask(run?.id ?? 0, writeTask({ settings, dialect: NEUTRAL_DIALECT }));
}

it('passes on what it cannot do: other jobs, other accounts, jobs whose file is elsewhere', async () => {
  const due: QueueEntry = { job: 'weekly', isFromFile: true };
  await keepDue('weekly');
  const own = readEnvironment({ SLUICE_API_KEY: 'key', SLUICE_ACCOUNT: 'acme' });
  const accounts = await openAccounts(own, undefined);
  for (const [parts, entry] of [
    [partsOf({ jobs: ['weekly'] }), NIGHTLY],
    [partsOf(), due],
    [nameAccount('other').then(() => partsOf({ accounts })), NIGHTLY],
  ] as const) {
    expect(await take(parts, entry)).toEqual({ kind: 'elsewhere' });
    expect(await canTake(await parts, entry)).toBe(false);
  }
});

it('asks for the jobs and accounts that it has, and for jobs whose file is here', async () => {
  const own = readEnvironment({ SLUICE_API_KEY: 'key', SLUICE_ACCOUNT: 'acme' });
  const accounts = await openAccounts(own, undefined);
  expect(await canTake(await partsOf({ jobs: ['nightly'] }), NIGHTLY)).toBe(true);
  await nameAccount('acme');
  const stated = { url: 'https://platform.example' };
  expect(await canTake(await partsOf({ accounts, stated }), NIGHTLY)).toBe(true);
  expect(await canTake(await partsOf({ accounts, stated: {} }), NIGHTLY)).toBe(false);
  const loadJob = async (job: string) => describeJob(job, JOB);
  const due: QueueEntry = { job: 'weekly', isFromFile: true };
  expect(await canTake(await partsOf({ loadJob }), due)).toBe(false);
  await keepDue('weekly');
  expect(await canTake(await partsOf({ loadJob }), due)).toBe(true);
  expect(await canTake(await partsOf({ loadJob }), { ...due, isFromFile: false })).toBe(false);
});

describe('a waterfall', () => {
  const OURS = 'https://platform.example';
  const one = { name: 'one', url: OURS, account: 'acme' };
  const two = { name: 'two', url: 'https://other.example', account: 'other' };
  const chain: JobFile = { ...JOB, waterfall: [one, two] };
  const steps = [
    { name: 'one', account: '1', dialect: NEUTRAL_DIALECT },
    { name: 'two', account: '2', dialect: NEUTRAL_DIALECT },
  ];
  const keep = (job: JobFile = chain) =>
    store.noteTask(
      1,
      writeTask({ settings: describeJob('nightly', job), dialect: NEUTRAL_DIALECT }, steps),
    );
  /** A worker that holds both, or the first alone, and whose own file of the job is this. */
  async function holding(names: string, own: JobFile = chain): Promise<Partial<WorkerParts>> {
    const path = join(folder, `${names}.yaml`);
    const held = names.split(' ').map((name) => `  ${name}: {username: me, password: secret}\n`);
    writeFileSync(path, `accounts:\n${held.join('')}`, { mode: 0o600 });
    const accounts = await openAccounts(readEnvironment({}), path);
    return { accounts, loadJob: async (job) => describeJob(job, own) };
  }

  it('is left to a worker that holds the accounts of all steps, which is no failure', async () => {
    await keep();
    const told: string[] = [];
    const ended: string[] = [];
    const onEnd = async (job: string) => void ended.push(job);
    const warn = (sentence: string) => void told.push(`Wrong: ${sentence}`);
    const lacking = telling(told, { ...(await holding('acme')), onEnd, warn });
    expect(await canTake(await lacking, NIGHTLY)).toBe(false);
    expect(await take(lacking)).toEqual({ kind: 'elsewhere' });
    expect(await take(lacking)).toEqual({ kind: 'elsewhere' });
    const parked = (await store.jobNow('nightly')).task?.parked;
    expect(told).toEqual([`Run 1 of nightly is left to another worker. ${parked?.why}`]);
    expect(parked).toMatchObject({
      times: 0,
      why: expect.stringMatching(/ lacks the account other, .*--credentials/) as string,
    });
    expect(ended).toEqual([]);
    expect(await canTake(await partsOf(await holding('acme other')), NIGHTLY)).toBe(true);
  });

  it.each([
    ['address', { url: 'https://evil.example' }, 'Step two: It is to ask https://evil.example'],
    ['way back', { collect: 'webhook', 'public-url': 'https://evil.example' }, 'Step two: Its res'],
  ] as const)(
    'asks and tells no one by the %s that a step brings',
    async (_, changes, sentence) => {
      await keep({ ...chain, waterfall: [one, { ...two, ...changes }] });
      const told: string[] = [];
      const parts = telling(told, await holding('acme other'));
      expect(await take(parts)).toEqual({ kind: 'elsewhere' });
      expect(told).toEqual([expect.stringContaining(sentence)]);
    },
  );

  it('gives no platform the credentials of another, whatever is written into its task', async () => {
    const both = { ...chain, waterfall: [one, { ...two, account: 'acme' }] };
    await keep(both);
    const told: string[] = [];
    const turn = await take(telling(told, await holding('acme other', both)));
    expect(turn).toMatchObject({ kind: 'later' });
    expect(told).toEqual([expect.stringContaining('would get the same credentials')]);
  });
});

it('asks no address that its own machine does not state: the run is parked, and left to another worker', async () => {
  const stranger = await startServer(answering({}));
  await plantInRuns(state.pool, { job: { url: stranger.url, account: 'acme' } });
  const told: string[] = [];
  const tell = () => undefined;
  const turn = await take(telling(told, { stated: { url: 'http://127.0.0.1:1' }, tell }));
  expect(turn).toEqual({ kind: 'elsewhere' });
  expect(stranger.asked).toEqual([]);
  const parked = (await store.jobNow('nightly')).task?.parked;
  expect(parked?.why).toContain(`It is to ask ${stranger.url}, and a worker goes by what`);
  expect(told).toEqual([`Run 1 of nightly is left to another worker. ${parked?.why}`]);
  await take(telling(told));
  expect(told).toHaveLength(1);
  expect((await store.jobNow('nightly')).task?.parked).toEqual(parked);
  expect(await take(telling(told, { stated: { url: stranger.url } }))).toEqual({ kind: 'done' });
  expect(told.at(-1)).toBe('Run 1 of nightly: finished.');
});

it.each([
  { notify: { url: 'http://127.0.0.1:1' } },
  { 'metrics-file': 'x.prom' },
  { dialect: '/etc/passwd' },
  { waterfall: [{ url: 'sandbox', dialect: '/etc/passwd' }] },
  { waterfall: [{ url: 'sandbox' }] },
  { state: 'other.db' },
])('makes no run whose task has what none has: %j', async (changes) => {
  await plantInRuns(state.pool, { job: changes });
  const told: string[] = [];
  expect(await take(telling(told))).toMatchObject({ kind: 'later', ms: 300_000 });
  expect(told).toEqual([expect.stringContaining('cannot be read by this Sluice')]);
});

it("writes no file outside its folder, unless the job's own file says so", async () => {
  const out = join(folder, 'x.csv');
  await plantInRuns(state.pool, { output: { out } });
  const told: string[] = [];
  const turn = await take(telling(told, { writesTables: true }));
  expect(turn).toEqual({ kind: 'elsewhere' });
  expect(told).toEqual([
    expect.stringContaining(`another worker. The state says that a file goes to ${out}, which is`),
  ]);
  expect(existsSync(out)).toBe(false);
  const own = describeJob('nightly', { ...JOB, out });
  expect(await take(partsOf({ writesTables: true, loadJob: async () => own }))).toEqual({
    kind: 'done',
  });
  expect(existsSync(out)).toBe(true);
});

it('parks a run at the end of a day’s window that its account states, and takes it up when that opens', async () => {
  const place = tempFolder();
  const { asked, url } = await startServer((request, response) => {
    const id = request.url?.split('/')[2];
    const found = { id, data: { find_email: { email: 'a@b.example', status: 'deliverable' } } };
    const read = { type: 'enrichmentDone', data: [found] };
    const schema = { schema: { properties: {} }, properties: [] };
    const got = id === 'people' ? schema : read;
    const body = request.method === 'POST' ? { id: `enr_${asked.length}` } : got;
    answering(body)(request, response);
  });
  const file = join(place, 'accounts.yaml');
  const text = `accounts: { acme: { username: me, password: secret, url: '${url}', rate: [20/2s, 5/1d] } }`;
  writeFileSync(file, text, { mode: 0o600 });
  writeFileSync(join(place, 'a.csv'), csv(people(4)));
  const job = {
    ...JOB,
    input: join(place, 'a.csv'),
    out: join(place, 'b.csv'),
    url,
    account: 'acme',
  };
  let aheadMs = 0;
  const clock = {
    ...systemClock,
    now: () => Date.now() + aheadMs,
    steady: () => ({ boot: 'a', ms: performance.now() + aheadMs }),
  };
  const path = join(place, 'state.db');
  const inFile = openSqliteStore(path);
  onTestFinished(() => inFile.close());
  await inFile.keepSchedule('daily', {
    pattern: '0 0 * * *',
    timezone: 'UTC',
    catchUp: 'one',
    nextAt: clock.now() - 1_000,
  });
  const told: string[] = [];
  const parts = await telling(told, {
    store: inFile,
    state: path,
    accounts: await openAccounts(readEnvironment({}), file),
    loadJob: async (name) => describeJob(name, job),
    writesTables: true,
    clock,
  });
  const ofDays: number[] = [];
  for (let turn: Turn = { kind: 'back' }; turn.kind !== 'done' && ofDays.length < 4; ) {
    const before = asked.length;
    turn = await take(Promise.resolve(parts), { job: 'daily', isFromFile: ofDays.length === 0 });
    ofDays.push(asked.length - before);
    if (turn.kind !== 'later') continue;
    expect(turn.ms).toBeGreaterThan(DAY_MS - 60_000);
    expect(turn.ms).toBeLessThan(DAY_MS + 3_600_000);
    aheadMs += turn.ms;
  }
  expect(ofDays).toEqual([5, 5]);
  expect(told).toContainEqual(expect.stringContaining('The rate limit of 5/1d is used up'));
  expect(told.at(-1)).toBe('Run 1 of daily: finished.');
  expect(readFileSync(job.out, 'utf8').match(/found/g)).toHaveLength(4);
});
