// The queue: the order in which jobs are worked on, and the worker of each, over all machines. It knows nothing else:
// the work and the payments are in the store alone. A queue that is lost is filled again from the store. A program that
// may write into it can make up entries: a worker does what an entry asks for only if the store says so too.
import type { Schedule } from './store/jobs.js';

export interface QueueEntry {
  readonly job: string;
  /**
   * Whether the run is begun from the job's file, by a worker that has it, if it is due. Otherwise the job's open run
   * is continued.
   */
  readonly isFromFile: boolean;
}

/** The next step of an entry that a worker had. */
export type Turn =
  | { readonly kind: 'done' }
  /** The entry asks for something that no entry may ask for: that is reported with the trouble of the queue. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Another worker may take it at once. */
  | { readonly kind: 'back' }
  /** Some worker takes it after `ms`. */
  | { readonly kind: 'later'; readonly ms: number }
  /** This worker cannot do it: the others are asked, often at first. */
  | { readonly kind: 'elsewhere' };

export interface WorkOptions {
  /** The greatest number of entries at a time. */
  readonly concurrency: number;
  /**
   * Works on an entry, which no other worker has. The signal aborts if it is to be given back soon: the worker stops,
   * or has lost the entry to another.
   */
  readonly take: (entry: QueueEntry, signal: AbortSignal) => Promise<Turn>;
  /** Whether the worker could do an entry that others could not. Called when it is free. */
  readonly canTake: (entry: QueueEntry) => Promise<boolean>;
  /** Called once a minute, and at each time of `sweepAt`, by one worker of all: enqueues jobs that no entry knows. */
  readonly sweep: () => Promise<void>;
  /** Called with trouble with the queue, a sentence at most every half minute. */
  readonly onTrouble: (message: string) => void;
  /** Called if this worker has put back an entry whose worker is gone. */
  readonly onTakeover: () => void;
  /** Called after so much trouble that a new start is better. */
  readonly onHopeless: () => void;
}

export interface Work {
  /** The number of entries that it holds now. */
  running(): number;
  /** Takes nothing more, and gives back the entries that it holds. Resolves when that is done. Idempotent. */
  stop(): Promise<void>;
}

export interface QueueCounts {
  readonly waiting: number;
  readonly active: number;
  /** The number of entries that wait for a time. */
  readonly parked: number;
}

export interface Dispatcher {
  /**
   * Adds an entry; a job has at most one. If it has one already, nothing happens, except with `wakes`: an entry that
   * waits for a time then waits `delayMs` (default: 0) from now.
   */
  enqueue(
    entry: QueueEntry,
    how?: { readonly delayMs?: number; readonly wakes?: boolean },
  ): Promise<void>;
  /** Takes entries until it is stopped. */
  work(options: WorkOptions): Promise<Work>;
  /** The first time of a schedule after a moment. */
  nextTime(schedule: Pick<Schedule, 'pattern' | 'timezone'>, after: number): number;
  /** Makes workers sweep at a time too. */
  sweepAt(at: number): Promise<void>;
  counts(): Promise<QueueCounts>;
  /** How far this machine's clock is ahead of the database's, in ms; the time of the question is allowed for. */
  clockAheadMs(): Promise<number>;
  /** Idempotent. */
  close(): Promise<void>;
}
