// A sweep: what someone tries who may write into the state of a worker, or into its queue. Each attack on the state changes
// the task or the plan of a run that was enqueued, so that the worker would send its credentials elsewhere, call or spend
// what its user did not mean, or write outside its folder. Each attack on the queue makes up an entry, so that a worker would
// begin a run that nobody wants. SLUICE_HOSTILE_TASKS makes it longer.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPostgresBackend, Queue } from 'bullmq';
import { Pool } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { openAccounts } from '../../src/app/queue/accounts.js';
import type { WorkerParts } from '../../src/app/queue/find-needed.js';
import { readJob } from '../../src/app/queue/read-job.js';
import { startWorker } from '../../src/app/queue/start-worker.js';
import { takeEntry } from '../../src/app/queue/work.js';
import { describeJob } from '../../src/app/settings/describe-job.js';
import { readEnvironment } from '../../src/app/settings/environment.js';
import { systemClock } from '../../src/app/system-clock.js';
import { UNWATCHED } from '../../src/model/telemetry/observe.js';
import type { Dispatcher } from '../../src/ports/dispatcher.js';
import { openSandbox } from '../../src/sandbox/open-sandbox.js';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.js';
import { answering, startServer } from '../helpers/counting-server.js';
import { TEST_MS } from '../helpers/patience.js';
import { testState } from '../helpers/postgres.js';
import { plantInRuns } from '../helpers/state.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { csv, people } from '../helpers/workdir.js';
import { type Chance, createChance } from './attacks.js';

const ATTACKS = Number(process.env['SLUICE_HOSTILE_TASKS'] ?? 60);
/** After so many a task that nobody has changed, which the worker has to make. */
const GOOD_EVERY = 10;

const folder = tempFolder();
const aside = join(folder, 'aside');
mkdirSync(aside);
writeFileSync(join(folder, 'leads.csv'), csv(people(1)));
const state = await testState();
const platform = await openSandbox({ rate: 'off' });
const stranger = await startServer(answering({ id: 'enr_1' }));
const environment = readEnvironment({
  SLUICE_USERNAME: 'sandbox',
  SLUICE_PASSWORD: 'sandbox',
  SLUICE_ACCOUNT: 'acme',
  SLUICE_WEBHOOK_SECRET: 'the secret of webhooks',
});
afterAll(() => platform.close());

interface Planted {
  /** Into the job of the task. */
  readonly job?: object;
  /** Into the dialect of the task. */
  readonly dialect?: object;
  /** Into what the plan says of the tables. */
  readonly output?: object;
}

const portOf = (url: string): string => new URL(url).port;
const [ours, theirs] = [portOf(platform.url), portOf(stranger.url)];

const HOSTS = [
  '127.0.0.1',
  'localhost',
  '127.1',
  '0x7f.1',
  '2130706433',
  '[::ffff:127.0.0.1]',
  '127.0.0.1.',
  `127.0.0.1:${ours}@127.0.0.1`,
];

/** Ways to write an address that is not the platform's, though it may look like it. */
const ENDS = [
  '',
  '/',
  `/http://127.0.0.1:${ours}`,
  `?${ours}`,
  `#@127.0.0.1:${ours}`,
  `\\@${ours}`,
];

function pick<T>(chance: Chance, from: readonly T[]): T {
  return from[Math.floor(chance() * from.length)] as T;
}

const KINDS: Readonly<Record<string, (chance: Chance) => Planted>> = {
  url: (chance) => {
    const url = `http://${pick(chance, HOSTS)}:${theirs}${pick(chance, ENDS)}`;
    return { job: { url: pick(chance, [url, url.toUpperCase(), `\t${url} `]) } };
  },
  otherName: (chance) => ({
    job: {
      url: `${pick(chance, ['https', 'http'])}://${pick(chance, ['localhost', 'localhost.'])}:${ours}`,
    },
  }),
  wayBack: (chance) => ({
    job: {
      ...pick(chance, [{}, { url: 'sandbox' }]),
      ...pick(chance, [{ 'public-url': stranger.url }, { listen: `localhost.:${theirs}` }]),
      collect: pick(chance, ['webhook', 'hybrid']),
      callback: pick(chance, ['request', 'hook']),
    },
  }),
  dialect: (chance) => ({
    dialect: pick(chance, [
      { prefix: '/x' },
      { enrich: { path: '/hooks' } },
      { auth: { header: 'x-key', scheme: null } },
      { headers: { 'x-more': 'y' } },
      { limits: { rate: 'off' } },
      { prices: { find_email: 0 } },
    ]),
  }),
  noKey: (chance) => ({
    job: pick(chance, [
      { notify: { command: ['touch', join(aside, 'touched')] } },
      { 'metrics-file': join(aside, 'x.prom') },
      { dialect: '/etc/passwd' },
      { state: join(aside, 'x.db') },
    ]),
  }),
  out: (chance) => {
    const path = pick(chance, [
      join(aside, 'x.csv'),
      `../${'../'.repeat(9)}${aside}/x.csv`,
      '~/x.csv',
    ]);
    return {
      output: pick(chance, [
        { out: path },
        { further: { positions: path } },
        { out: path, template: path },
        { report: path.replace('.csv', '.html') },
      ]),
    };
  },
};

it(`stands ${ATTACKS} tasks and states that a stranger has changed`, {
  timeout: TEST_MS + ATTACKS * 1_000,
}, async () => {
  const chance = createChance(20_251_123);
  const store = await openPostgresStore(state.address);
  const names = Object.keys(KINDS);
  let made = 0;
  for (let n = 1; n <= ATTACKS; n += 1) {
    const kind = n % GOOD_EVERY === 0 ? 'good' : (names[n % names.length] as string);
    const planted = KINDS[kind]?.(chance) ?? {};
    const job = `job-${n}`;
    const settings = describeJob(job, {
      input: join(folder, 'leads.csv'),
      out: join(folder, `${job}.csv`),
      ask: ['find_email'],
      url: platform.url,
      account: 'acme',
      rate: 'off',
      state: state.address,
    });
    const run = await readJob(settings, { environment }, store);
    await plantInRuns(state.pool, planted, run?.id ?? 0);
    const told: string[] = [];
    const parts: WorkerParts = {
      store,
      state: state.address,
      dispatcher: {} as Dispatcher,
      accounts: await openAccounts(environment, undefined),
      stated: { url: platform.url },
      jobs: undefined,
      // Its own file is here, and says where the table goes.
      loadJob: async () => describeJob(job, { ...settings.stated, prices: undefined }),
      since: 0,
      writesTables: true,
      clock: systemClock,
      watch: UNWATCHED,
      lacking: new Set(),
      onEnd: async () => undefined,
      tell: (sentence) => void told.push(sentence),
      warn: (sentence) => void told.push(sentence),
    };
    const turn = await takeEntry(parts, { job, isFromFile: false }, new AbortController().signal);
    const what = `${kind}: ${JSON.stringify(planted)}, ${told.join(' ')}`;
    if (kind === 'good') {
      expect(turn, what).toEqual({ kind: 'done' });
      made += 1;
    } else {
      expect(turn, what).toMatchObject({ kind: expect.stringMatching(/^(later|elsewhere)$/) });
      expect((await store.jobNow(job)).task?.parked?.why, what).toMatch(/\.$/);
    }
    expect(platform.ledger.summary().accepted, what).toBe(Math.min(made, 1));
    expect(stranger.asked, what).toEqual([]);
    expect(readdirSync(aside), what).toEqual([]);
    expect(existsSync(join(folder, `${job}.csv`)), what).toBe(kind === 'good');
  }
  await store.close();
});

const NAMES = [
  'nightly',
  '../jobs/nightly',
  './nightly',
  'nightly\u001b[2Jx',
  'x'.repeat(100_000),
  '',
];
const FLAGS = [true, true, 'true', 1, undefined];

const MADE_UP: readonly ((chance: Chance) => unknown)[] = [
  (chance) => ({ job: pick(chance, NAMES), isFromFile: pick(chance, FLAGS) }),
  (chance) => ({ job: pick(chance, NAMES), isFromFile: true, dueAt: Date.now() }),
  (chance) => ({
    job: pick(chance, NAMES),
    isFromFile: true,
    passedAt: pick(chance, [1, 'x', null]),
  }),
  (chance) => ({
    job: pick(chance, [['nightly'], { name: 'nightly' }, 7, null]),
    isFromFile: true,
  }),
  (chance) => pick(chance, [null, 'nightly', 7, [], [{ job: 'nightly', isFromFile: true }]]),
];

it(`begins no run for ${ATTACKS} entries of the queue that a stranger has made up`, {
  timeout: TEST_MS + ATTACKS * 1_000,
}, async () => {
  const chance = createChance(20_251_130);
  // The runs that the other attacks have left parked would keep its queue busy.
  const state = await testState();
  const nightly = describeJob('nightly', {
    input: join(folder, 'leads.csv'),
    out: join(folder, 'nightly.csv'),
    ask: ['find_email'],
    url: platform.url,
    account: 'acme',
    rate: 'off',
    state: state.address,
  });
  const connection = new Pool({
    connectionString: state.address.split('?')[0],
    max: 2,
    options: '-c search_path=bullmq',
  });
  const told: string[] = [];
  const store = await openPostgresStore(state.address);
  const worker = await startWorker({
    environment,
    state: state.address,
    credentials: undefined,
    stated: { url: platform.url },
    jobs: undefined,
    loadJob: async (job) => (job === 'nightly' ? nightly : undefined),
    onEnd: async () => undefined,
    concurrency: 4,
    writesTables: true,
    metricsListen: undefined,
    watch: UNWATCHED,
    tell: (sentence) => void told.push(sentence),
    warn: (sentence) => void told.push(sentence),
  });
  const queueOf = (name: string) =>
    new Queue(
      `${state.schema}-${name}`,
      { connection: connection as never },
      createPostgresBackend,
    );
  const [runs, ticks] = [queueOf('runs'), queueOf('ticks')];
  const before = {
    runs: (await store.listRuns(1))[0]?.id,
    paid: platform.ledger.summary().accepted,
  };
  const counts = async () =>
    (await runs.getJobCountByTypes('waiting', 'active')) +
    (await ticks.getJobCountByTypes('waiting', 'active'));
  try {
    for (let n = 0; n < ATTACKS; n += 1) {
      const made = (MADE_UP[n % MADE_UP.length] as (chance: Chance) => unknown)(chance);
      const how = { removeOnComplete: true, removeOnFail: true };
      await (n % 7 === 0 ? ticks : runs).add(pick(chance, ['run', 'tick', 'sweep']), made, how);
    }
    await ticks.upsertJobScheduler(
      'job nightly',
      { every: 100, limit: 3 },
      { name: 'tick', data: { job: 'nightly', catchUp: 'one' } },
    );
    await expect.poll(counts, { timeout: TEST_MS }).toBe(0);
    expect((await store.listRuns(1))[0]?.id).toBe(before.runs);
    expect(platform.ledger.summary().accepted).toBe(before.paid);
    expect(told.join('\n').length).toBeLessThan(1_000);
    // The same entry counts where the state has a time that is due.
    await store.keepSchedule('nightly', {
      pattern: '0 0 1 1 *',
      timezone: 'UTC',
      catchUp: 'one',
      nextAt: Date.now(),
    });
    for (let n = 0; n < 3; n += 1) await runs.add('run', { job: 'nightly', isFromFile: true });
    await expect
      .poll(async () => (await store.listRuns(1))[0]?.state, { timeout: TEST_MS })
      .toBe('finished');
    await expect.poll(counts, { timeout: TEST_MS }).toBe(0);
    expect((await store.listRuns(9, { job: 'nightly' })).length).toBe(1);
  } finally {
    await worker.stop();
    await Promise.all([runs.close(), ticks.close()]);
    await connection.end();
    await store.close();
  }
});
