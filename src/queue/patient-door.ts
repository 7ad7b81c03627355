// What BullMQ has its connections from while a worker works. It remembers for good that its first connection failed, and
// tries again at once where a later one does: a worker that gets fewer than it needs would never take a run, and fail
// tens of thousands of times a second. So none fails here: each is waited for.
import type { Pool, PoolClient, QueryResult } from 'pg';
import { onAbort } from '../model/schedule/on-abort.js';

export interface PatientDoor {
  connect(): Promise<PoolClient>;
  query(text: string, values?: unknown[]): Promise<QueryResult>;
  /** The pool is ended by who opened it. */
  end(): Promise<void>;
  on: Pool['on'];
  readonly options: Pool['options'];
  /** From now on a connection that cannot be made is not waited for. */
  close(): void;
}

const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 10_000;
/** Who asks for a connection in vain: each loop of BullMQ, and the timers of the entries that are held. */
const WAITING_MAX = 100;

/** Others of ours give one back sooner, and then that is no trouble. */
const TOLD_AFTER_MS = 1_000;

/** `onWait` is called where a connection was waited for a while, with why it cannot be made. */
export function openPatientDoor(pool: Pool, onWait: (error: unknown) => void): PatientDoor {
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
        await pause(pauseMs * (0.5 + Math.random() / 2), closing.signal);
        waiting -= 1;
      }
    }
  };
  const query: PatientDoor['query'] = async (text, values) => {
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

/** Ends early where `signal` says so. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    const stopListening = onAbort(signal, end);
    function end(): void {
      clearTimeout(timer);
      stopListening();
      resolve();
    }
  });
}
