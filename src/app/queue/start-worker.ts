import { SluiceError, wrongUse } from '../../model/errors.js';
import type { Watch } from '../../model/telemetry/observe.js';
import type { ListenAddress } from '../../model/text/address.js';
import type { Dispatcher, WorkOptions } from '../../ports/dispatcher.js';
import type { Store } from '../../ports/store/store.js';
import { isNoneLeft, NEEDED_BY_WORKER } from '../../queue/make-queue.js';
import { loadPostgres, openStore } from '../../store/open-store.js';
import { type Metrics, openMetrics } from '../../telemetry/open-metrics.js';
import { serveMetrics } from '../../telemetry/serve-metrics.js';
import type { Environment } from '../settings/environment.js';
import { watchDatabase } from '../state/state-file.js';
import { systemClock } from '../system-clock.js';
import { openAccounts } from './accounts.js';
import type { WorkerOptions, WorkerParts } from './find-needed.js';
import { CLOCK_MS_MAX } from './keep-schedules.js';
import { openDispatcher } from './open-dispatcher.js';
import { canTake, sweepTasks, takeEntry } from './work.js';

export interface WorkerWish extends WorkerOptions {
  readonly environment: Environment;
  readonly credentials: string | undefined;
  readonly concurrency: number;
  readonly metricsListen: ListenAddress | undefined;
  /** The interval at which it looks whether it has to end. */
  readonly lookMs?: number;
}

export interface StartedWorker {
  readonly accounts: number;
  /** Resolves with the reason when it cannot go on. */
  readonly failed: Promise<SluiceError>;
  stop(): Promise<void>;
}

const LOOK_MS = 60_000;
/** The turn for another worker, because this one ends. */
const ELSEWHERE = { kind: 'later', ms: 3_000 } as const;
/** The wait until the next attempt to open a database that is away; it grows each time. */
const AWAY_MS_MIN = 1_000;
const AWAY_MS_MAX = 15_000;
/** The connections that runs share: each needs one for moments only. */
const CONNECTIONS_MIN = 4;

/**
 * It waits for a database that is away, however long: a worker starts with its machine, perhaps before the database's.
 * @throws SluiceError `usage`, `store`; `usage` also if this machine's clock is off
 */
export async function startWorker(wish: WorkerWish): Promise<StartedWorker> {
  const { concurrency, credentials, environment, metricsListen, state, watch } = wish;
  const accounts = await openAccounts(environment, credentials);
  const metrics = openMetrics();
  const observe: Watch['observe'] = (event) => {
    metrics.observe(event);
    watch.observe(event);
  };
  const warn: WorkerWish['warn'] = (sentence, logged = sentence) => {
    if (logged !== null) {
      observe({ kind: 'run.warned', warning: 'worker_trouble', message: logged });
    }
    wish.warn(sentence, logged);
  };
  const told = { ...wish, warn };
  const health = metricsListen && (await serveHealth(metricsListen, metrics));
  if (health !== undefined) wish.tell(`Metrics are at ${health.url}.`);
  let dispatcher: Dispatcher | undefined;
  let store: Store | undefined;
  try {
    dispatcher = await onceThere(() => openDispatcher(state, environment), told);
    const onTrouble = watchDatabase(observe, systemClock);
    const connectionsMax = Math.max(CONNECTIONS_MIN, Math.ceil(concurrency / 2));
    store = await onceThere(() => openStore(state, { onTrouble, connectionsMax }), told);
    const problem = await reasonToEnd(dispatcher, store);
    if (problem !== undefined) throw problem;
    const parts: WorkerParts = {
      ...told,
      store,
      dispatcher,
      accounts,
      since: systemClock.now(),
      clock: systemClock,
      lacking: new Set(),
      watch: { observe, observesRequests: true },
    };
    return await beginWork(parts, wish, metrics, health);
  } catch (error) {
    await health?.close();
    await store?.close();
    await dispatcher?.close();
    throw error;
  }
}

type Health = Awaited<ReturnType<typeof serveHealth>>;
type AtWork = Pick<WorkerParts, 'dispatcher' | 'store'> & { readonly running: () => number };

/** Answers scrapes and probes also before the database has answered for the first time. */
async function serveHealth(address: ListenAddress, metrics: Metrics) {
  let atWork: AtWork | undefined;
  const demand = (): AtWork => {
    if (atWork === undefined) throw new Error('The database has not answered yet.');
    return atWork;
  };
  const server = await serveMetrics(address, {
    contentType: metrics.contentType,
    text: () => {
      metrics.noteQueue({ running: atWork?.running() ?? 0 });
      return metrics.textAfter(async () => metrics.noteQueue(await demand().dispatcher.counts()));
    },
    isReady: async () => {
      const { dispatcher, store } = demand();
      await Promise.all([dispatcher.counts(), store.listRuns(1)]);
    },
  });
  return {
    url: server.url,
    close: () => server.close(),
    begin: (working: AtWork): void => {
      atWork = working;
    },
  };
}

async function onceThere<R>(open: () => Promise<R>, { tell, warn }: WorkerOptions): Promise<R> {
  for (let awayMs = 0; ; awayMs = Math.min(Math.max(awayMs * 2, AWAY_MS_MIN), AWAY_MS_MAX)) {
    try {
      if (awayMs > 0) await systemClock.sleep(awayMs);
      const opened = await open();
      if (awayMs > 0) tell('The database answers.');
      return opened;
    } catch (error) {
      if (!(error instanceof SluiceError) || error.code !== 'store') throw error;
      const why = (await loadPostgres()).whyAway(error);
      if (why === null) throw error;
      const waits = isNoneLeft(error) ? NEEDED_BY_WORKER : 'The worker waits for it.';
      if (awayMs === 0) warn(`The database cannot be used yet: ${why}. ${waits}`);
    }
  }
}

async function beginWork(
  parts: WorkerParts,
  { concurrency, lookMs = LOOK_MS }: WorkerWish,
  metrics: Metrics,
  health: Health | undefined,
): Promise<StartedWorker> {
  const { accounts, dispatcher, store, warn } = parts;
  const failing = new AbortController();
  const failed = new Promise<SluiceError>((resolve) => {
    const tell = (): void => resolve(failing.signal.reason as SluiceError);
    failing.signal.addEventListener('abort', tell, { once: true });
  });
  const end = (problem: SluiceError | undefined): void => {
    if (problem !== undefined) failing.abort(problem);
  };
  const wishes: WorkOptions = {
    concurrency,
    take: async (entry, signal) => {
      end(await reasonToEnd(dispatcher, store));
      return failing.signal.aborted ? ELSEWHERE : takeEntry(parts, entry, signal);
    },
    canTake: (entry) => canTake(parts, entry),
    sweep: () => sweepTasks(parts),
    onTrouble: (message) => {
      metrics.noteQueue({ troubles: 1 });
      warn(message);
    },
    onTakeover: () => metrics.noteQueue({ takeovers: 1 }),
    onHopeless: () => failing.abort(new SluiceError('store', HOPELESS)),
  };
  const work = await onceThere(() => dispatcher.work(wishes), parts);
  const timer = setInterval(() => void reasonToEnd(dispatcher, store).then(end), lookMs).unref();
  health?.begin({ dispatcher, store, running: () => work.running() });
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await health?.close();
    await work.stop();
    await dispatcher.close();
    await store.close();
  };
  let closing: Promise<void> | undefined;
  return {
    accounts: accounts.count,
    failed,
    stop: () => (closing ??= close()),
  };
}

const HOPELESS =
  'The queue fails thousands of times a minute. The worker ends, to be started again: its runs are safe, and another goes on with them.';

/** A queue or state that does not answer is not a reason, and is reported otherwise. */
async function reasonToEnd(dispatcher: Dispatcher, store: Store): Promise<SluiceError | undefined> {
  try {
    refuseClock(await dispatcher.clockAheadMs());
    // Refused with a sentence about it where the state was moved.
    await store.checkWriting();
  } catch (error) {
    const isKnown = error instanceof SluiceError;
    if (isKnown && (error.code === 'usage' || error.facts['moved_to'] !== undefined)) return error;
  }
  return undefined;
}

/** Refuses a clock that is ahead: such a worker takes runs from others that work on them. */
function refuseClock(aheadMs: number): void {
  if (Math.abs(aheadMs) <= CLOCK_MS_MAX) return;
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  const way = aheadMs > 0 ? 'ahead of' : 'behind';
  throw wrongUse(
    `The clock of this machine is ${seconds} s ${way} that of the database. Set it (by NTP), and start the worker again.`,
  );
}
