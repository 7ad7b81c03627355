// The source of BullMQ's connections while a worker works. BullMQ remembers for good that its first connection failed,
// and tries again at once if a later one does: a worker that gets too few would never take a run, and fail tens of
// thousands of times a second. So no connection fails here: each is waited for.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient, QueryResult } from 'pg';

export interface WaitingPool {
  connect(): Promise<PoolClient>;
  query(text: string, values?: unknown[]): Promise<QueryResult>;
  /** Does nothing: the opener of the pool ends it. */
  end(): Promise<void>;
  on: Pool['on'];
  readonly options: Pool['options'];
  /** Ends the waiting: from now on a connection that cannot be made fails. */
  close(): void;
}

const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 10_000;
/** The number of waiting callers: each loop of BullMQ, and the timers of the entries that a worker has. */
const WAITING_MAX = 100;

/** A wait of less than this is not reported: another caller of ours has given a connection back. */
const TOLD_AFTER_MS = 1_000;

/** `onWait` is called with the error if a connection has been waited for longer than `TOLD_AFTER_MS`. */
export function openWaitingPool(pool: Pool, onWait: (error: unknown) => void): WaitingPool {
  const closing = new AbortController();
  let waiting = 0;
  const connect = async (): Promise<PoolClient> => {
    const since = performance.now();
    for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      try {
        return await pool.connect();
      } catch (error) {
        if (closing.signal.aborted || waiting >= WAITING_MAX) throw error;
        if (performance.now() - since > TOLD_AFTER_MS) onWait(error);
        waiting += 1;
        const pause = pauseMs * (0.5 + Math.random() / 2);
        await sleep(pause, undefined, { signal: closing.signal }).catch(() => undefined);
        waiting -= 1;
      }
    }
  };
  const query: WaitingPool['query'] = async (text, values) => {
    const client = await connect();
    let problem: unknown;
    try {
      return await client.query(text, values);
    } catch (error) {
      problem = error;
      throw error;
    } finally {
      client.release(problem instanceof Error);
    }
  };
  return {
    connect,
    query,
    end: async () => undefined,
    on: pool.on.bind(pool),
    options: pool.options,
    close: () => closing.abort(),
  };
}
