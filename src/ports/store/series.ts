// The counts of a run over time, for the charts of its report. A part of the store's contract.
import type { Histogram, SeriesCounts, Timeline } from '../../model/report/series.js';

/** Values in ms, but for `polls`. */
export interface RunHistograms {
  /** The time from the claim of a send to the answer that a poll brought. */
  readonly polled: Histogram;
  /** The same time for answers that a webhook brought. */
  readonly delivered: Histogram;
  /** The number of polls of an answered enrichment, with the one that brought the answer. */
  readonly polls: Histogram;
  /** The time that the platform took to answer a request. */
  readonly http: Histogram;
}

export interface RunSeries extends Timeline {
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

/**
 * Counts over time. Leads and enrichments are counted by the verbs that change them, each in its own step, so that the
 * counts are right after every crash:
 * - `ingest` counts the leads of a batch, at the batch's time, for the run that reads
 * - `recordSubmits` counts accepted sends, and `handleDeliveries` those that only a delivery shows; `settle` and both
 *   of these count the cost of answers: for the run that sent them
 * - an answer counts for the run that works on the enrichment, each time that one comes: also when `retry` reads a
 *   ticket again. So does a refusal of a send, and a poll that `postpone` records. A time-out is not an answer
 * A run never counts what other runs do, and no count is taken back: not by `retry`, and not by `forget`.
 */
export interface SeriesStore {
  /** Adds to the counts: sums are added, and the larger peak stays. Does nothing for a run without a series. */
  noteRequests(runId: number, requests: NotedRequests): Promise<void>;
  /** Null for a run that began before this was counted, and for one that was pruned. */
  series(runId: number): Promise<RunSeries | null>;
}
