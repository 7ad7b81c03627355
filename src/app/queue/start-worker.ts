// A worker from its start to its end: its state, its queue, the check of its clock, and its metrics.
import { SluiceError } from '../../model/errors.js';
import type { Watch } from '../../model/telemetry/observe.js';
import type { ListenAddress } from '../../model/text/address.js';
import type { Dispatcher } from '../../ports/dispatcher.js';
import type { Store } from '../../ports/store/store.js';
import { openStore } from '../../store/open-store.js';
import { openMetrics } from '../../telemetry/open-metrics.js';
import { type MetricsServer, serveMetrics } from '../../telemetry/serve-metrics.js';
import type { Environment } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { watchDatabase } from '../state/state-file.js';
import { systemClock } from '../system-clock.js';
import { openAccounts } from './accounts.js';
import { openDispatcher } from './open-dispatcher.js';
import { sweepTasks, takeEntry, type WorkerParts } from './work.js';

export interface WorkerWish extends Pick<WorkerParts, 'jobs' | 'state' | 'tell' | 'writesTables'> {
  readonly environment: Environment;
  /** Path of the credentials file. */
  readonly credentials: string | undefined;
  readonly loadJob: (job: string) => Promise<JobSettings | undefined>;
  /** Runs at a time. */
  readonly concurrency: number;
  readonly metricsListen: ListenAddress | undefined;
  readonly watch: Watch;
}

export interface StartedWorker {
  /** How many accounts its credentials file names. */
  readonly accounts: number;
  readonly metricsUrl: string | undefined;
  /** Resolves when it cannot go on, with the reason. */
  readonly failed: Promise<SluiceError>;
  /** Gives back what it works on. */
  stop(): Promise<void>;
}

const CLOCK_MS_MAX = 2_000;
const CLOCK_LOOK_MS = 60_000;
/** Runs share them: each needs one for moments only. */
const CONNECTIONS_MIN = 4;

/** @throws SluiceError `usage`, `store`; `usage` as well where this machine's clock is off */
export async function startWorker(wish: WorkerWish): Promise<StartedWorker> {
  const { concurrency, credentials, environment, state, watch } = wish;
  const accounts = await openAccounts(environment, credentials);
  const dispatcher = await openDispatcher(state, environment);
  let store: Store | undefined;
  try {
    refuseClock(await dispatcher.clockAheadMs());
    const metrics = openMetrics();
    const observe: Watch['observe'] = (event) => {
      metrics.observe(event);
      watch.observe(event);
    };
    const onTrouble = watchDatabase(observe, systemClock);
    const connectionsMax = Math.max(CONNECTIONS_MIN, Math.ceil(concurrency / 2));
    store = await openStore(state, { onTrouble, connectionsMax });
    const parts: WorkerParts = {
      ...wish,
      store,
      dispatcher,
      accounts,
      clock: systemClock,
      lacking: new Set(),
      watch: { observe, observesRequests: true },
    };
    return await beginWork(parts, wish, metrics, accounts.count);
  } catch (error) {
    await store?.close();
    await dispatcher.close();
    throw error;
  }
}

async function beginWork(
  parts: WorkerParts,
  { concurrency, metricsListen }: WorkerWish,
  metrics: ReturnType<typeof openMetrics>,
  accounts: number,
): Promise<StartedWorker> {
  const { dispatcher, store, tell } = parts;
  const failing = new AbortController();
  const failed = new Promise<SluiceError>((resolve) => {
    const tell = (): void => resolve(failing.signal.reason as SluiceError);
    failing.signal.addEventListener('abort', tell, { once: true });
  });
  const work = await dispatcher.work({
    concurrency,
    take: (entry, signal) => takeEntry(parts, entry, signal),
    sweep: () => sweepTasks(parts),
    onTrouble: (message) => {
      metrics.noteQueue({ troubles: 1 });
      tell(message);
    },
    onTakeover: () => metrics.noteQueue({ takeovers: 1 }),
    onHopeless: () => failing.abort(new SluiceError('store', HOPELESS)),
  });
  const timer = setInterval(() => {
    // A queue that does not answer is told otherwise.
    checkClock(dispatcher).then(
      (error) => error && failing.abort(error),
      () => undefined,
    );
  }, CLOCK_LOOK_MS).unref();
  let server: MetricsServer | undefined;
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await server?.close();
    await work.stop();
    await dispatcher.close();
    await store.close();
  };
  try {
    if (metricsListen !== undefined) {
      server = await serveMetrics(metricsListen, {
        contentType: metrics.contentType,
        text: async () => {
          metrics.noteQueue({ ...(await dispatcher.counts()), held: work.held() });
          return metrics.text();
        },
        isReady: async () => {
          await Promise.all([dispatcher.counts(), store.listRuns(1)]);
        },
      });
    }
  } catch (error) {
    await work.stop();
    clearInterval(timer);
    throw error;
  }
  let closing: Promise<void> | undefined;
  return { accounts, metricsUrl: server?.url, failed, stop: () => (closing ??= close()) };
}

const HOPELESS =
  'The queue fails thousands of times a minute. The worker ends, to be started anew: its runs are safe, and another goes on with them.';

async function checkClock(dispatcher: Dispatcher): Promise<SluiceError | undefined> {
  const aheadMs = await dispatcher.clockAheadMs();
  try {
    refuseClock(aheadMs);
    return undefined;
  } catch (error) {
    return error as SluiceError;
  }
}

/** A worker whose clock is ahead takes runs from others, which work on them. */
function refuseClock(aheadMs: number): void {
  if (Math.abs(aheadMs) <= CLOCK_MS_MAX) return;
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  const way = aheadMs > 0 ? 'ahead of' : 'behind';
  throw new SluiceError(
    'usage',
    `The clock of this machine is ${seconds} s ${way} that of the database. Set it (by NTP), and start the worker again.`,
    { aheadMs: Math.round(aheadMs) },
  );
}
