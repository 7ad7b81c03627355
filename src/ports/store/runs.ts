// Runs: how they begin and end, and the facts about them and about each of their lines. A part of the store's contract.
import type { LeadAnswer, LeadStatus } from '../../model/answer.js';
import type { Ask, EnrichmentRequest } from '../../model/ask.js';
import type { EnrichmentState } from '../../model/enrichment/arrows.js';
import type { Reject } from '../../model/lead.js';
import type { FormerGuess } from '../../model/mapping/mapping.js';
import type { AskedLeads, Histogram, SeriesCounts, Timeline } from '../../model/report/series.js';
import type { Result } from '../../model/result.js';
import type { Run, RunChanges, RunLeft, RunPlan, RunState } from '../../model/run.js';
import type { RunTally } from '../../model/tally.js';
import type { JsonValue } from '../../model/text/json.js';

export interface StoredReject extends Reject {
  readonly id: number;
}

export interface SharingLead {
  readonly runId: number;
  readonly source: number;
  readonly line: number;
}

/** Asks of an enrichment that it was not sent for, and the one whose answer stands in. */
export interface KnownAsks {
  readonly asks: readonly Ask[];
  readonly enrichmentId: number;
  /** The run that sent it, and its first line there; null for a line that was pruned. */
  readonly runId: number;
  readonly line: number | null;
  readonly isImported: boolean;
  readonly answeredAt: number | null;
}

export interface EnrichmentHistory {
  readonly id: number;
  readonly fingerprint: Uint8Array;
  /** Whether it counts for its fingerprint; otherwise a newer enrichment has taken its place. */
  readonly isCurrent: boolean;
  /** Its answer was bought elsewhere, and taken from a table. */
  readonly isImported: boolean;
  /** Whether its person is suppressed: `reason` says so, and the result is withheld. */
  readonly isSuppressed: boolean;
  readonly state: EnrichmentState;
  /** The request; its inputs are empty if the person was forgotten. */
  readonly request: EnrichmentRequest;
  readonly ticket: string | null;
  readonly reason: string | null;
  readonly credits: number;
  readonly runId: number;
  readonly paidBy: number | null;
  readonly known: readonly KnownAsks[];
  /** The run that has found something of the same person since it ended, or while it waits; null if none has. */
  readonly foundSince: { readonly runId: number; readonly at: number } | null;
  readonly sendCount: number;
  /** Earlier sends that may have been accepted, when it was sent again. */
  readonly lostSends: number;
  readonly submittedAt: number | null;
  /** Polls that found it pending. */
  readonly pollCount: number;
  readonly pollAt: number | null;
  readonly deadlineAt: number | null;
  readonly settledAt: number | null;
  /** The time of the older answer that the row shows for now; null if it shows none. */
  readonly standsSince: number | null;
  readonly result: Result | null;
  /** The first other leads that refer to it, by run and position; `sharedCount` is the number of all. */
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

/** The leads and rejects of a line of the input. Several files have a line of the same number each. */
export interface LineEntries {
  readonly leads: readonly LeadHistory[];
  readonly rejects: readonly Reject[];
  /** If the line is neither: the line on which the lead before it begins, or null. */
  readonly lineBefore: number | null;
}

/** The choice of runs that are listed; with `after`, the oldest of the newer ones. */
export interface RunChoice {
  readonly job?: string | undefined;
  readonly states?: readonly RunState[] | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export interface KnownJob {
  readonly job: string;
  readonly runs: number;
  readonly run: number;
}

/** The choice of leads of a run, by what their rows show. */
export interface ShownLeads {
  readonly outcome?: LeadStatus | undefined;
  /** Exactly this reason, also of leads that are asked in part. */
  readonly reason?: string | undefined;
}

/** The beginning of a page of leads: after a position, or before one. */
export interface LeadCursor {
  readonly direction: 'after' | 'before';
  readonly position: number;
}

export interface RunHistograms {
  /** The time from the claim of a send to its answer, of what the run sent. */
  readonly answers: Histogram;
  /** The time that the platform took to answer a request. */
  readonly http: Histogram;
}

export interface RunSeries extends Timeline {
  readonly asked: AskedLeads;
  readonly histograms: RunHistograms;
}

/** The requests of one second. */
export type RequestCounts = { readonly at: number } & Pick<
  SeriesCounts,
  'submits' | 'polls' | 'others' | 'peak' | 'throttled' | 'pausedMs'
>;

export interface NotedRequests {
  readonly seconds: readonly RequestCounts[];
  readonly http: Histogram;
}

export interface RunStore {
  /**
   * Starts a run in state `reading`; older open runs of its job become `replaced`. `{run}` in its table's name becomes
   * its number.
   */
  startRun(plan: RunPlan, at: number): Promise<Run>;
  /**
   * Notes that the run goes on: from now on its table is this one, and its budget and its prices are these. Or notes how
   * it was left; null: it is worked on.
   */
  changeRun(id: number, changes: RunChanges | { readonly left: RunLeft | null }): Promise<void>;
  findRun(id: number): Promise<Run | null>;
  /**
   * Up to `limit` distinct guesses of runs that asked for all of this and no more, for at least one lead: the job's own
   * first, then those of the last thousand runs, each newest first; then those of the job's runs that asked for some of
   * it.
   */
  formerGuesses(job: string, ask: readonly Ask[], limit: number): Promise<FormerGuess[]>;
  listRuns(limit: number, choice?: RunChoice): Promise<Run[]>;
  /** Up to `limit` jobs with runs, the one with the newest run first. */
  listJobs(limit: number): Promise<KnownJob[]>;
  /** Notes that all leads are in: `reading` becomes `working`. */
  finishReading(runId: number): Promise<void>;
  /**
   * Makes `finished` of `working`: the files of a drop folder that it read are done. Or makes `cancelled` of `reading` or
   * `working`: nothing more is claimed for it. False if it is in another state.
   */
  endRun(id: number, as: 'finished' | 'cancelled', at: number): Promise<boolean>;

  tally(runId: number): Promise<RunTally>;
  /**
   * Up to `limit` leads of the run after a position, or those at these positions, in order, each with its answer of now.
   * Positions without a lead are passed over.
   */
  answers(
    runId: number,
    which: { readonly after: number; readonly limit: number } | readonly number[],
  ): Promise<LeadAnswer[]>;
  /** The positions of up to `limit` leads that are shown like this, the nearest to the cursor first. */
  positions(runId: number, shown: ShownLeads, cursor: LeadCursor, limit: number): Promise<number[]>;
  /** Up to `limit` rejects of the run with an id above `afterId`, in input order. */
  rejects(runId: number, afterId: number, limit: number): Promise<StoredReject[]>;
  /** The leads and rejects of the physical line in the run; `source` null for that line of every input file. */
  lineHistory(runId: number, line: number, source: number | null): Promise<LineEntries>;

  /** The runs of a waterfall's steps, in the order in which they began; none for any other run. */
  stepRuns(runId: number): Promise<Run[]>;
  /**
   * The leads after one position and up to another that run `held` holds and run `to` has not: the positions of those
   * that have ended in the step before it, in one of these states, and the number of those that have not. A lead of
   * which the step before asked nothing has ended. For the first step, `from` is the run that holds the leads.
   * `earlier` are the runs of the steps before `from`: a lead that is asked for again there has not ended.
   */
  passing(
    runs: {
      readonly held: number;
      readonly from: number;
      readonly to: number;
      readonly earlier?: readonly number[];
    },
    range: { readonly after: number; readonly until: number },
    ends: readonly EnrichmentState[],
  ): Promise<{ readonly positions: number[]; readonly waiting: number }>;
  /**
   * Lets leads of a waterfall's step leave it without being asked for there: those whose enrichment is queued and was
   * certainly never accepted. An older answer stays in view. The enrichments stay queued, and this run sends them only
   * if a lead comes to it again. Returns the number of leads.
   */
  setAside(runId: number): Promise<number>;

  /** Adds to the requests of a run: sums are added, and the larger peak stays. Does nothing for a run that is gone. */
  noteRequests(runId: number, requests: NotedRequests): Promise<void>;
  /**
   * The requests that were noted, and the answers to the run's leads that came between its start and its end, as the
   * rows of now say. Empty for a run that is not there.
   */
  series(runId: number): Promise<RunSeries>;
}
