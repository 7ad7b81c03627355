// The queue: which job is worked on next, and where, over all machines. It knows nothing else: what is to be done, and what
// is paid for, is in the store alone. A queue that is lost is filled again from the store. Whoever may write into it can
// make up entries: a worker does what an entry asks for only where the store says so too.
import type { Schedule } from './store/tasks.js';

export interface QueueEntry {
  readonly job: string;
  /** The run is begun from the job's file, by a worker that has it, if it is due. Otherwise the job's open run is continued. */
  readonly isFromFile: boolean;
}

/** What comes next for an entry that a worker had. */
export type Turn =
  | { readonly kind: 'done' }
  /** Nobody should have asked for that: it is told with the trouble of the queue. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Another worker may take it at once. */
  | { readonly kind: 'back' }
  /** Some worker takes it in so many ms. */
  | { readonly kind: 'later'; readonly ms: number }
  /** This worker cannot do it: the others are asked, often at first. */
  | { readonly kind: 'elsewhere' };

export interface WorkOptions {
  /** Entries at a time. */
  readonly concurrency: number;
  /**
   * Works on an entry, which no other worker has. The signal aborts where it is to be given back soon: the worker stops, or
   * has lost the entry to another.
   */
  readonly take: (entry: QueueEntry, signal: AbortSignal) => Promise<Turn>;
  /** Whether it could do an entry that others could not. Called when it is free. */
  readonly canTake: (entry: QueueEntry) => Promise<boolean>;
  /** Called once a minute, and at each time of `sweepAt`, by one worker of all: to enqueue what no entry knows. */
  readonly sweep: () => Promise<void>;
  /** Trouble with the queue, a sentence at most every half minute. */
  readonly onTrouble: (message: string) => void;
  /** Called where this worker has put an entry back whose worker is gone. */
  readonly onTakeover: () => void;
  /** So much trouble that it is better to start anew. */
  readonly onHopeless: () => void;
}

export interface Work {
  /** Entries that it holds now. */
  held(): number;
  /** Takes nothing more, and gives back what it holds. Resolves when it has. Idempotent. */
  stop(): Promise<void>;
}

export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  /** They wait for a time. */
  readonly parked: number;
}

export interface Dispatcher {
  /**
   * One entry for a job at most: where there is one, nothing happens, but for `wakes`, by which one that waits for a time
   * waits `delayMs` (default: 0) from now.
   */
  enqueue(
    entry: QueueEntry,
    how?: { readonly delayMs?: number; readonly wakes?: boolean },
  ): Promise<void>;
  /** Takes entries until it is stopped. */
  work(options: WorkOptions): Promise<Work>;
  /** The first time of a schedule after a moment. */
  nextTime(schedule: Pick<Schedule, 'pattern' | 'timezone'>, after: number): number;
  /** Has workers sweep at a time too. */
  sweepAt(at: number): Promise<void>;
  counts(): Promise<QueueCounts>;
  /** How far this machine's clock is ahead of the database's, in ms; how long the question took is allowed for. */
  clockAheadMs(): Promise<number>;
  /** Idempotent. */
  close(): Promise<void>;
}
