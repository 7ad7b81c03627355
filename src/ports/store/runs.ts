// Runs: how they begin and end, and what there is to say of them and of each of their lines. A part of the store's
// contract.
import type { LeadAnswer, LeadStatus } from '../../model/answer.js';
import type { Ask, EnrichmentRequest } from '../../model/ask.js';
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import type { Reject } from '../../model/lead.js';
import type { FormerGuess, MappedInput } from '../../model/mapping/mapping.js';
import type { Result } from '../../model/result.js';
import type { Run, RunChanges, RunLeft, RunPlan, RunState } from '../../model/run.js';
import type { RunTally } from '../../model/tally.js';
import type { JsonValue } from '../../model/text/json.js';
import type { JournalEntry } from './deliveries.js';

export interface StoredReject extends Reject {
  readonly id: number;
}

/** A lead that refers to the same enrichment. */
export interface SharingLead {
  readonly runId: number;
  readonly source: number;
  readonly line: number;
}

export interface EnrichmentHistory {
  readonly id: number;
  readonly fingerprint: Uint8Array;
  /** Whether it counts for its fingerprint; otherwise a newer enrichment has taken its place. */
  readonly isCurrent: boolean;
  readonly state: EnrichmentState;
  /** Its inputs are empty where the person was forgotten. */
  readonly request: EnrichmentRequest;
  readonly ticket: string | null;
  readonly reason: string | null;
  readonly credits: number;
  /** The run that works on it. */
  readonly runId: number;
  /** The run that sent it last; null where nothing is paid for. */
  readonly paidBy: number | null;
  /** The enrichment of a wider question that it has its ticket or its answer from; null where it was asked for itself. */
  readonly servedBy: number | null;
  readonly sendCount: number;
  /** Sends whose fate stayed unknown when it was sent again. */
  readonly lostSends: number;
  readonly submittedAt: number | null;
  /** Polls that found it pending. */
  readonly pollCount: number;
  readonly pollAt: number | null;
  readonly deadlineAt: number | null;
  readonly settledAt: number | null;
  /** When the older answer came that the row shows for now; null where it shows no older answer. */
  readonly standsSince: number | null;
  readonly result: Result | null;
  /** The first other leads that refer to it, by run and position, and how many there are. */
  readonly sharedWith: readonly SharingLead[];
  readonly sharedCount: number;
}

export interface LeadHistory {
  readonly position: number;
  readonly source: number;
  readonly line: number;
  readonly cells: readonly JsonValue[];
  readonly note: string | null;
  /** Whether the user chose other leads. */
  readonly isNotAsked: boolean;
  /** Whether this is the line of its run that made the run pay. */
  readonly isPayer: boolean;
  /** Null for a lead that is skipped or not asked. */
  readonly enrichment: EnrichmentHistory | null;
}

/** What a line of the input became. Several files have a line of the same number each. */
export interface LineEntries {
  readonly leads: readonly LeadHistory[];
  readonly rejects: readonly Reject[];
  /** Which column fed which input; empty in runs of before this was kept, and until the first lead is in. */
  readonly mapping: readonly MappedInput[];
  /** Where the line is neither: the line on which the lead before it begins, or null. */
  readonly lineBefore: number | null;
}

/** Which columns fed the inputs of an earlier run. */
export interface FormerMapping extends Pick<FormerGuess, 'map' | 'mapping'> {
  /** The newest run in which they did. */
  readonly run: number;
}

/** Which runs are listed; with `after`, the oldest of the newer ones. */
export interface RunChoice {
  readonly job?: string | undefined;
  readonly states?: readonly RunState[] | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** A job that has runs here. */
export interface KnownJob {
  readonly job: string;
  readonly runs: number;
  /** The newest of them. */
  readonly run: number;
}

/** Which leads of a run are wanted, by what their rows show. */
export interface ShownLeads {
  /** What they show, or what the newer request has come to where they show an older answer. */
  readonly outcome?: LeadStatus | undefined;
  /** Exactly this one, also of what is asked in part. */
  readonly reason?: string | undefined;
}

/** Where a page of leads begins: after a position, or before one. */
export interface LeadCursor {
  readonly direction: 'after' | 'before';
  readonly position: number;
}

export interface RunStore {
  /** The newest run of the job that is `reading` or `working`, or null. */
  findOpenRun(job: string): Promise<Run | null>;
  /**
   * A new run in state `reading`; older open runs of its job become `replaced`. `{run}` in its table's name becomes its
   * number.
   */
  startRun(plan: RunPlan, at: number): Promise<Run>;
  /** It goes on: from now on its table is this one, and its budget and its prices are these. */
  redirectRun(id: number, changes: RunChanges): Promise<void>;
  /** How it was left; null: it is worked on. */
  noteLeft(id: number, left: RunLeft | null): Promise<void>;
  /** The run, or null. */
  findRun(id: number): Promise<Run | null>;
  /** Whether the job has ever run here, by this name. */
  hasRun(job: string): Promise<boolean>;
  /** Which column feeds which input of the run; empty in runs of before this was kept, and until the first lead is in. */
  mappingOf(runId: number): Promise<MappedInput[]>;
  /** Up to `limit` distinct mappings of the job's last thousand runs, newest first. */
  mappings(job: string, limit: number): Promise<FormerMapping[]>;
  /**
   * Up to `limit` distinct ones, of runs that asked for all of this and no more, for one lead at least: the job's own
   * first, then those of the last thousand runs, each newest first.
   */
  formerGuesses(job: string, ask: readonly Ask[], limit: number): Promise<FormerGuess[]>;
  /** Newest first. */
  listRuns(limit: number, choice?: RunChoice): Promise<Run[]>;
  /** Up to `limit` jobs that have runs, that with the newest run first. */
  listJobs(limit: number): Promise<KnownJob[]>;
  /** All leads are in: `reading` becomes `working`. */
  finishReading(runId: number): Promise<void>;
  /** `working` becomes `finished`, and the files of a drop folder that it read are done. */
  finishRun(runId: number, at: number): Promise<void>;
  /** `reading` or `working` becomes `cancelled`: nothing more is claimed for it. False where it had ended. */
  cancelRun(id: number, at: number): Promise<boolean>;

  tally(runId: number): Promise<RunTally>;
  /** Up to `limit` leads of the run after `position`, in order, each with what is known of it now. */
  answers(runId: number, afterPosition: number, limit: number): Promise<LeadAnswer[]>;
  /** The same of the leads at these positions, in their order; nothing of one that is not there. */
  answersAt(runId: number, positions: readonly number[]): Promise<LeadAnswer[]>;
  /** The positions of up to `limit` leads that are shown like this, the nearest to the cursor first. */
  positions(runId: number, shown: ShownLeads, cursor: LeadCursor, limit: number): Promise<number[]>;
  /** Up to `limit` rejects of the run with an id above `afterId`, in input order. */
  rejects(runId: number, afterId: number, limit: number): Promise<StoredReject[]>;
  /** What the physical line became in the run; `source` null for that line of every input file. */
  lineHistory(runId: number, line: number, source: number | null): Promise<LineEntries>;
  /**
   * The first `limit` deliveries that name the enrichment: by the key in their path, or by one of the
   * `marks` (its ticket, its key) as a value anywhere in their bodies.
   */
  deliveriesAbout(
    enrichmentId: number,
    marks: readonly string[],
    limit: number,
  ): Promise<JournalEntry[]>;
}
