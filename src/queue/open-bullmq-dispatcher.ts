// The queue on BullMQ, in the same PostgreSQL as the store; docs/decisions/0022-engine.md gives the reasons, and says
// what its settings are for. There are two queues: one of runs, and one of the times at which workers look for runs
// that it lacks, which happens at once however many runs are under way.
import type * as BullMq from 'bullmq';
import type { Queue, Worker } from 'bullmq';
import type { Pool, PoolConfig } from 'pg';
import { SluiceError } from '../model/errors.js';
import { installing } from '../model/optional-packages.js';
import type { Dispatcher, Work, WorkOptions } from '../ports/dispatcher.js';
import { isNoneLeft, isNoRight, makeQueue, NEEDED_BY_WORKER, noRights } from './make-queue.js';
import { entryOf, LOOK_MS, pass, takingPassed, unpass } from './take-passed.js';
import { createTroubleLog } from './trouble-log.js';
import { openWaitingPool, type WaitingPool } from './waiting-pool.js';
import { watchLocks } from './watch-locks.js';

export interface QueueAddress {
  /** The text that `pg` connects with. */
  readonly connectionString: string;
  /** The name of the queue; states that share a database have one each. */
  readonly name: string;
  /** The address as people may see it. */
  readonly shown: string;
  readonly load: () => Promise<QueueDriver>;
}

export interface QueueDriver {
  readonly DatabaseClient: NonNullable<PoolConfig['Client']>;
  /** A clause that says why a database cannot be used; undefined if the error has another cause. */
  readonly troubleOf: (error: unknown) => string | undefined;
}

export interface QueueTimes {
  /** An entry whose worker was silent for this time is given to another. */
  readonly lockMs?: number;
  /** The interval at which such entries are looked for. */
  readonly stalledCheckMs?: number;
  /** Any worker takes an entry that one could not do after this time, or at most twice as long. */
  readonly passedMs?: number;
}

/**
 * Together with the interval of the look, this is no longer than a lease of the store: by then the entry is given to
 * another.
 */
const LOCK_MS = 25_000;
const STALLED_CHECK_MS = 5_000;
const PASSED_MS = 3_000;
/** The lock is renewed often, so that a worker may stand still, or wait for the database, for most of its length. */
const RENEWALS = 10;
/** An entry never fails because its workers stall. */
const STALLS_MAX = 1_000_000;
/** One connection asks, and one listens for each queue. */
const CONNECTIONS_MAX = 3;
const LISTENING = 2;
const QUERY_MS_MAX = 30_000;

/** An entry that is done is removed whole. Its outcome is in the store. */
const LEAVES_NOTHING = { removeOnComplete: true, removeOnFail: true } as const;

/** @throws SluiceError `usage` if its packages are missing, `store` if the database cannot be reached */
export async function openBullmqDispatcher(
  address: QueueAddress,
  times: QueueTimes = {},
): Promise<Dispatcher> {
  const { bullmq, pg } = await load();
  const { DatabaseClient: Client, troubleOf } = await address.load();
  const reasonOf = (error: unknown): string => troubleOf(error) ?? messageOf(error);
  const pool = new pg.Pool({
    connectionString: address.connectionString,
    Client,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: 10_000,
    query_timeout: QUERY_MS_MAX,
    keepAlive: true,
    application_name: 'sluice queue',
    options: `-c search_path=${bullmq.DEFAULT_SCHEMA}`,
  });
  // Every queue and worker listens.
  pool.setMaxListeners(0);
  pool.on('error', () => undefined);
  // A connection that is given up may fail again.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await makeQueue(bullmq, pool, { queues: namesOf(address.name), shown: address.shown });
    return await createDispatcher({ bullmq, pool, address, reasonOf, times });
  } catch (cause) {
    await pool.end();
    if (cause instanceof SluiceError) throw cause;
    const message = `The queue in ${address.shown} cannot be opened: ${reasonOf(cause)}. ${adviceOn(cause)}`;
    throw new SluiceError('store', message, {}, { cause });
  }
}

async function load() {
  try {
    const [bullmq, { default: pg }] = await Promise.all([import('bullmq'), import('pg')]);
    return { bullmq, pg };
  } catch (cause) {
    throw new SluiceError(
      'usage',
      `A queue needs the packages pg and bullmq, which are not installed. Install them where Sluice is: ${installing('pg', 'bullmq')} (without -g where Sluice was installed so).`,
      {},
      { cause },
    );
  }
}

/** The words of PgBouncer about the schema, which each connection of the queue names as it begins. */
const OF_PGBOUNCER = /unsupported startup parameter/;

function adviceOn(error: unknown): string {
  if (OF_PGBOUNCER.test(messageOf(error))) {
    return 'PgBouncer is in between, and the queue needs a connection of its own: name the database itself with SLUICE_QUEUE.';
  }
  return isNoneLeft(error)
    ? 'Run the same command again when one is free; where that lasts, raise the limit of the server (max_connections) or of its role.'
    : 'Fix that and run the same command again.';
}

const WAITED_FOR = 'It is waited for.';

interface Parts {
  readonly bullmq: typeof BullMq;
  readonly pool: Pool;
  readonly address: QueueAddress;
  readonly reasonOf: (error: unknown) => string;
  readonly times: QueueTimes;
}

async function createDispatcher(parts: Parts): Promise<Dispatcher> {
  const { address, bullmq, pool } = parts;
  const queues = openQueues(bullmq, pool, address.name);
  const { runs, ticks } = queues;
  // A queue that fails here fails for good.
  await Promise.all([runs.waitUntilReady(), ticks.waitUntilReady()]);
  const ask = <A extends unknown[], R>(verb: (...args: A) => Promise<R>) => told(verb, parts);
  const enqueue: Dispatcher['enqueue'] = async (entry, { delayMs = 0, wakes = false } = {}) => {
    const deduplication = { id: entry.job, ...(wakes ? { reschedule: true } : {}) };
    const id = wakes ? await runs.getDeduplicationJobId(entry.job) : null;
    const waiting = id === null ? undefined : await runs.getJob(id);
    if (waiting !== undefined) await unpass(waiting, entryOf(waiting) ?? entry);
    await runs.add('run', entry, { ...LEAVES_NOTHING, delay: Math.ceil(delayMs), deduplication });
  };
  const works: Work[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(works.map((work) => work.stop()));
    await queues.close();
    await pool.end();
  };
  let closing: Promise<void> | undefined;
  return {
    enqueue: ask(enqueue),
    work: ask(async (options) => {
      // If the queue takes no writes, nothing is begun.
      await keepSweeping(ticks);
      const work = await startWork(parts, options);
      works.push(work);
      return work;
    }),
    nextTime: ({ pattern, timezone }, after) =>
      bullmq.getNextMillis(after, { pattern, tz: timezone }) as number,
    sweepAt: ask(async (at) => {
      const delay = Math.max(0, Math.ceil(at - Date.now()));
      await ticks.add(SWEEP, {}, { ...LEAVES_NOTHING, delay, jobId: `${SWEEP} ${at}` });
    }),
    counts: ask(async () => {
      const { waiting = 0, active = 0, delayed = 0 } = await runs.getJobCounts();
      return { waiting, active, parked: delayed };
    }),
    clockAheadMs: ask(() => clockAheadMs(pool)),
    close: () => (closing ??= close()),
  };
}

/** Opens both queues, with connections from `from`; closing them leaves those open. */
function openQueues(bullmq: typeof BullMq, from: Pool | WaitingPool, name: string) {
  const open = (name: string): Queue => {
    const queue = new bullmq.Queue(
      name,
      { connection: connectionOf(from) },
      bullmq.createPostgresBackend,
    ) as unknown as Queue;
    // The caller of a verb gets its error as well.
    queue.on('error', () => undefined);
    return queue;
  };
  const [runs, ticks] = namesOf(name).map(open) as [Queue, Queue];
  const close = async (): Promise<void> => {
    await Promise.all([runs.close(), ticks.close()]);
  };
  return { runs, ticks, close };
}

function namesOf(name: string): readonly [runs: string, ticks: string] {
  return [`${name}-runs`, `${name}-ticks`];
}

/** BullMQ's types describe a pool in fewer words than those of pg. */
function connectionOf(pool: Pool | WaitingPool): BullMq.PgPool {
  return pool as unknown as BullMq.PgPool;
}

/** @throws SluiceError `store` for any failure */
function told<A extends unknown[], R>(
  verb: (...args: A) => Promise<R>,
  { address: { shown }, reasonOf }: Parts,
): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await verb(...args);
    } catch (cause) {
      if (cause instanceof SluiceError) throw cause;
      if (isNoRight(cause)) throw noRights(shown, (cause as Error).message);
      const message = `The queue in ${shown} does not answer: ${reasonOf(cause)}. The runs are safe in the store; start again when it does.`;
      throw new SluiceError('store', message, {}, { cause });
    }
  };
}

function messageOf(error: unknown): string {
  const text = error instanceof Error && error.message !== '' ? error.message : String(error);
  return text.replace(/\.$/, '');
}

async function clockAheadMs(pool: Pool): Promise<number> {
  const before = Date.now();
  const { rows } = await pool.query<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  const after = Date.now();
  const ms = (rows[0] as { ms: number }).ms;
  if (ms < before) return before - ms;
  return ms > after ? after - ms : 0;
}

async function startWork(
  { address, bullmq, pool, reasonOf, times }: Parts,
  { canTake, concurrency, onHopeless, onTakeover, onTrouble, sweep, take }: WorkOptions,
): Promise<Work> {
  const { lockMs = LOCK_MS, passedMs = PASSED_MS, stalledCheckMs = STALLED_CHECK_MS } = times;
  const { note, tell, close: closeLog } = createTroubleLog(onTrouble, onHopeless);
  pool.options.max += LISTENING;
  const waiting = openWaitingPool(pool, (error) => {
    note(new Error(`${reasonOf(error)}. ${isNoneLeft(error) ? NEEDED_BY_WORKER : WAITED_FOR}`));
  });
  const queues = openQueues(bullmq, waiting, address.name);
  const { runs, ticks } = queues;
  const shared = {
    connection: connectionOf(waiting),
    lockDuration: lockMs,
    // BullMQ renews twice in this time.
    lockRenewTime: (2 * lockMs) / RENEWALS,
    stalledInterval: stalledCheckMs,
    maxStalledCount: STALLS_MAX,
    autorun: false,
  };
  const backend = bullmq.createPostgresBackend;
  let isStopping = false;
  const runner = new bullmq.Worker(
    runs.name,
    // BullMQ gives the signal only to a function of three parameters.
    async (job, token, signal) => {
      const entry = entryOf(job);
      if (entry === undefined) return tell(NO_ENTRY);
      locks.took(job.id as string);
      try {
        const turn = isStopping ? BACK : await take(entry, signal as AbortSignal);
        if (turn.kind === 'refused') tell(turn.why);
        if (turn.kind === 'done' || turn.kind === 'refused') return;
        await (turn.kind === 'elsewhere' ? pass : unpass)(job, entry);
        // From here on, a renewal that comes too late does not mean that anything is lost.
        locks.left(job.id as string);
        if (turn.kind !== 'back') {
          const ms = turn.kind === 'later' ? turn.ms : passedMs * (1 + Math.random());
          // BullMQ keeps whole milliseconds, and fails with others.
          await job.moveToDelayed(Math.ceil(Date.now() + ms), token);
          throw new bullmq.DelayedError();
        }
        await job.moveToWait(token);
        throw new bullmq.WaitingError();
      } finally {
        locks.left(job.id as string);
      }
    },
    { ...shared, concurrency, drainDelay: LOOK_MS / 1_000 },
    takingPassed(backend, { queue: runs, pool: waiting, lockMs, canTake, onTrouble: note }),
  ) as unknown as Worker;
  const locks = watchLocks(runner, lockMs);
  const ticker = new bullmq.Worker(ticks.name, sweep, shared, backend) as unknown as Worker;
  runner.on('error', (error) => locks.isOfOneLeft(error) || note(error));
  ticker.on('error', note);
  for (const worker of [runner, ticker]) worker.run().catch(note);
  runner.on('stalled', onTakeover);
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    isStopping = true;
    // The worker is closed first: entries that are given back must not be taken here again.
    const closed = Promise.all([runner.close(), ticker.close()]);
    runner.cancelAllJobs('the worker stops');
    waiting.close();
    await closed;
    await queues.close();
    pool.options.max -= LISTENING;
    locks.close();
    closeLog();
  };
  return { running: () => locks.running(), stop: () => (stopping ??= stop()) };
}

/** The only kind of entry in the queue of times. */
const SWEEP = 'sweep';
const SWEEP_EVERY_MS = 60_000;
const BACK = { kind: 'back' } as const;
const NO_ENTRY = 'An entry of the queue is none of Sluice: nothing is done for it.';

const SWEEPING_TRIES = 3;

/**
 * Of workers that start at one moment, PostgreSQL ends some in a deadlock, and BullMQ refuses some; each of them then
 * finds the schedule of another.
 */
async function keepSweeping(ticks: Queue, tries = SWEEPING_TRIES): Promise<void> {
  if ((await ticks.getJobScheduler(SWEEP)) !== undefined) return;
  try {
    await ticks.upsertJobScheduler(
      SWEEP,
      { every: SWEEP_EVERY_MS },
      { name: SWEEP, opts: LEAVES_NOTHING },
    );
  } catch (error) {
    if (tries === 1) throw error;
    await keepSweeping(ticks, tries - 1);
  }
}
