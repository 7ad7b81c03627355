// What happens in a run, and beside it, for whoever watches: the command line, the log, the metrics, a program.
// Numbers, ids and durations, never persons. run-event-log.ts says what of each stands in a log line.

import type { Detection } from '../../ports/lead-reader.js';
import type { RequestKind } from '../../ports/platform.js';
import type { IngestCount } from '../../ports/store/enrichments.js';
import type { Outcome } from '../enrichment.js';
import type { ErrorCode } from '../errors.js';
import type { MappedInput } from '../mapping.js';
import type { Run } from '../run.js';
import type { RunTally } from '../tally.js';

/** What a request asks the platform for: the name of a call, never its address. */
export const ROUTES = [
  'submit',
  'submit_bulk',
  'result',
  'people_schema',
  'hooks',
  'list_create',
  'list_add',
  'contacts',
  'draft',
  'dialect_check',
] as const;
export type Route = (typeof ROUTES)[number];

/** How the work on a run ended; `stopped` by a signal, an error code by an error, `bug` by one that is none of ours. */
export type RunResult = 'ok' | 'unanswered' | 'stopped' | 'bug' | ErrorCode;

/** Enrichments, by their ids, to which the same happened in one step. */
interface Several {
  readonly enrichments: readonly number[];
}

interface Requested {
  readonly route: Route;
  /** Which sending of this request it is, from 1. */
  readonly attempt: number;
}

export type RunEvent =
  | { readonly kind: 'run.started'; readonly run: Run; readonly isContinued: boolean }
  /** An earlier process was cut off between sending and saving. */
  | { readonly kind: 'run.recovered'; readonly uncertain: number }
  /** Work that an earlier process left: sent but not answered, and not sent yet. */
  | { readonly kind: 'run.resumed'; readonly queued: number; readonly awaiting: number }
  | { readonly kind: 'run.mapped'; readonly mapping: readonly MappedInput[] }
  /** The input is not written in UTF-8, or not with commas, and nobody said so. */
  | { readonly kind: 'run.detected'; readonly detection: Detection }
  /** The user said that what nobody knows the fate of is sent again. */
  | { readonly kind: 'run.resending'; readonly count: number }
  /** Work that another run had taken over and not ended. */
  | {
      readonly kind: 'run.adopted';
      readonly queued: number;
      readonly awaiting: number;
      readonly uncertain: number;
    }
  | { readonly kind: 'run.draining'; readonly by: 'signal' | 'cancel' }
  | { readonly kind: 'run.warned'; readonly warning: Warning; readonly message: string }
  | {
      readonly kind: 'run.ended';
      readonly run: Run;
      readonly tally: RunTally;
      readonly result: RunResult;
      readonly durationMs: number;
    }
  /** Failures of a run are back to work. */
  | {
      readonly kind: 'run.reopened';
      readonly run: Run;
      readonly queued: number;
      readonly awaiting: number;
      readonly answered: number;
    }
  /**
   * Nothing has run with the state file yet: nothing that was paid for is known to it. `beside` is another one in its
   * folder, which may have been meant.
   */
  | { readonly kind: 'state.new'; readonly path: string; readonly beside: string | null }
  | { readonly kind: 'job.locked'; readonly job: string }
  | { readonly kind: 'job.released'; readonly job: string }
  /** A drop folder in which every file is done: there was nothing to run. */
  | { readonly kind: 'folder.unchanged'; readonly files: number }
  /** `position` leads are read so far. */
  | {
      readonly kind: 'leads.read';
      readonly position: number;
      /** In this batch. */
      readonly leads: number;
      readonly rejects: number;
      readonly count: IngestCount;
    }
  | { readonly kind: 'leads.complete'; readonly leads: number }
  /** It is on the disk that they are about to be sent. */
  | ({ readonly kind: 'enrichments.claimed' } & Several)
  | ({ readonly kind: 'enrichments.submitted' } & Several)
  /** Certainly not accepted; they will be sent again. */
  | ({ readonly kind: 'enrichments.requeued' } & Several)
  /** Asked for in vain; they will be asked for again. */
  | ({ readonly kind: 'enrichments.postponed' } & Several)
  | ({
      readonly kind: 'enrichments.settled';
      readonly outcome: Outcome;
      readonly by: 'submit' | 'poll' | 'webhook';
      /** What they cost together. */
      readonly credits: number;
    } & Several)
  | {
      readonly kind: 'budget.reserved';
      readonly credits: number;
      readonly reserved: number;
      readonly spent: number;
      readonly budget: number;
    }
  | { readonly kind: 'platform.ready'; readonly durationMs: number }
  /** It answers again, so long after the first of the failures in a row that were warned of. */
  | { readonly kind: 'platform.back'; readonly durationMs: number }
  | ({ readonly kind: 'request.sent' } & Requested)
  | ({
      readonly kind: 'request.answered';
      readonly status: number;
      readonly durationMs: number;
    } & Requested)
  /** `unsent`: not a byte left. `lost`: it may have arrived. `code` is that of the system, like ECONNREFUSED. */
  | ({
      readonly kind: 'request.failed';
      readonly fate: 'unsent' | 'lost';
      readonly code: string;
      readonly durationMs: number;
    } & Requested)
  /** Permission to send was waited for. */
  | {
      readonly kind: 'limit.waited';
      readonly request: RequestKind;
      readonly permits: number;
      readonly durationMs: number;
    }
  /** The platform asked for a pause: nothing is sent while it lasts. */
  | {
      readonly kind: 'limit.paused';
      readonly route: Route;
      readonly status: number;
      readonly pauseMs: number;
    }
  /** After failures in a row, requests of a kind wait before the next. */
  | {
      readonly kind: 'requests.slowed';
      readonly request: RequestKind;
      readonly pauseMs: number;
    }
  /** Writing to the state file failed, and is tried again. */
  | {
      readonly kind: 'write.repeated';
      readonly attempt: number;
      readonly pauseMs: number;
      readonly reason: string;
    }
  | { readonly kind: 'hook.added'; readonly hook: string; readonly type: string }
  | { readonly kind: 'listener.opened'; readonly port: number; readonly isShared: boolean }
  | { readonly kind: 'listener.closed'; readonly port: number }
  | {
      readonly kind: 'deliveries.kept';
      readonly count: number;
      readonly repeated: number;
      readonly settled: number;
      readonly full: number;
    }
  | { readonly kind: 'deliveries.refused'; readonly reason: string; readonly status: number }
  /** Closed to make room for new ones, by whether they had shown a genuine key. */
  | { readonly kind: 'connections.dropped'; readonly keyless: number; readonly keyed: number }
  /** What the entries of so many deliveries came to. */
  | {
      readonly kind: 'deliveries.handled';
      readonly deliveries: number;
      readonly settled: number;
      readonly postponed: number;
      readonly unchanged: number;
      readonly unknown: number;
    }
  | { readonly kind: 'journal.replayed'; readonly deliveries: number; readonly changed: number }
  | { readonly kind: 'events.followed'; readonly count: number; readonly last: number }
  | { readonly kind: 'list.created'; readonly list: string }
  | {
      readonly kind: 'list.filled';
      readonly list: string;
      readonly added: number;
      readonly alreadyIn: number;
    }
  | {
      readonly kind: 'table.exported';
      readonly out: string;
      readonly rows: number;
      readonly rejects: string | null;
      readonly durationMs: number;
    }
  | { readonly kind: 'metrics.served'; readonly port: number }
  | { readonly kind: 'metrics.written'; readonly path: string }
  | {
      readonly kind: 'command.failed';
      readonly code: ErrorCode | 'bug';
      readonly exitCode: number;
      readonly message: string;
    };

/** Something a person should look at, though the run goes on. */
export const WARNINGS = [
  'no_deliveries',
  'unread_answers',
  'unread_fields',
  'deliveries_not_kept',
  'metrics_not_written',
  'file_left_out',
  'notice_not_sent',
  'platform_silent',
  'sending_ended',
] as const;
export type Warning = (typeof WARNINGS)[number];

export type RunObserver = (event: RunEvent) => void;

/** Who is told, and whether of each request as well: thousands a second, in a run without a limit. */
export interface Watch {
  readonly observe: RunObserver;
  readonly observesRequests: boolean;
}

/** For whoever has nobody to tell. */
export const UNWATCHED: Watch = { observe: () => undefined, observesRequests: false };

/** What somebody does at some events, by their kinds. */
export type EventHandlers = {
  readonly [K in RunEvent['kind']]?: (event: Extract<RunEvent, { readonly kind: K }>) => void;
};

export function handleEvent(handlers: EventHandlers, event: RunEvent): void {
  // Each handler takes the event of its own kind, which the types cannot follow here.
  (handlers[event.kind] as RunObserver | undefined)?.(event);
}
