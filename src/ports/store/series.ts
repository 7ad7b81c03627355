// The counts of a run over time, for the charts of its report. A part of the store's contract.
import type { AskedLeads, Histogram, SeriesCounts, Timeline } from '../../model/report/series.js';

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

export interface SeriesStore {
  /** Adds to the requests of a run: sums are added, and the larger peak stays. Does nothing for a run that is gone. */
  noteRequests(runId: number, requests: NotedRequests): Promise<void>;
  /**
   * The requests that were noted, and the answers to the run's leads that came between its start and its end, as the
   * rows of now say. Empty for a run that is not there.
   */
  series(runId: number): Promise<RunSeries>;
}
