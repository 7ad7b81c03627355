// Every metric: its name, what it counts and by which labels. src/metrics counts, and
// docs/logs-and-metrics.md is made from this. No label ever holds an id, so their number is bounded.
import { WARNINGS } from './run-events.js';
import { ROUTES } from './wire-events.js';

export interface MetricSpec {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Each label with the values that it can have. */
  readonly labels: Readonly<Record<string, string>>;
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[];
}

/** On every series of a run: the name of its job. `job` itself is Prometheus' own, for the target it scrapes. */
export const JOB_LABEL = 'sluice_job';

const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WAIT_BUCKETS = [0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600];
const ROUTE = { route: ROUTES.join(', ') };
const OUTCOMES = 'found, not_found, failed, timed_out, uncertain';
const KIND = { request: 'submit, poll' };

export const METRICS = {
  leadsRead: {
    name: 'sluice_leads_read_total',
    type: 'counter',
    help: 'Leads that were read into the state file.',
    labels: {},
  },
  rejects: {
    name: 'sluice_rejects_total',
    type: 'counter',
    help: 'Lines of the input that became no lead.',
    labels: {},
  },
  runLeads: {
    name: 'sluice_run_leads',
    type: 'gauge',
    help: 'Leads of the newest run of the job, as it was left.',
    labels: { status: `skipped, queued, submitting, awaiting, ${OUTCOMES}` },
  },
  submitted: {
    name: 'sluice_enrichments_submitted_total',
    type: 'counter',
    help: 'Enrichments that the platform accepted.',
    labels: {},
  },
  requeued: {
    name: 'sluice_enrichments_requeued_total',
    type: 'counter',
    help: 'Sends of enrichments that were certainly not accepted, and are made again.',
    labels: {},
  },
  settled: {
    name: 'sluice_enrichments_settled_total',
    type: 'counter',
    help: 'Enrichments that ended.',
    labels: { outcome: OUTCOMES, by: 'submit, poll, webhook' },
  },
  open: {
    name: 'sluice_enrichments_open',
    type: 'gauge',
    help: 'Enrichments of the newest run of the job that have not ended.',
    labels: { state: 'queued, submitting, awaiting' },
  },
  polls: {
    name: 'sluice_polls_total',
    type: 'counter',
    help: 'Looks at tickets, by whether they ended the enrichment or have to be made again.',
    labels: { answer: 'settled, postponed' },
  },
  creditsSpent: {
    name: 'sluice_credits_spent_total',
    type: 'counter',
    help: 'Credits that answers cost.',
    labels: {},
  },
  creditsReserved: {
    name: 'sluice_credits_reserved',
    type: 'gauge',
    help: 'Credits that what is on its way, uncertain or timed out may still cost.',
    labels: {},
  },
  requests: {
    name: 'sluice_requests_total',
    type: 'counter',
    help: 'Requests to the platform, by the class of the answer; unsent: not a byte left; lost: no answer came.',
    labels: { ...ROUTE, status: '1xx, 2xx, 3xx, 4xx, 5xx, unsent, lost' },
  },
  requestSeconds: {
    name: 'sluice_request_duration_seconds',
    type: 'histogram',
    help: 'From the start of a request to the end of its answer.',
    labels: ROUTE,
    buckets: REQUEST_BUCKETS,
  },
  limitSeconds: {
    name: 'sluice_limiter_wait_seconds',
    type: 'histogram',
    help: 'How long the rate limit held requests back; those that went at once are not counted.',
    labels: KIND,
    buckets: WAIT_BUCKETS,
  },
  throttled: {
    name: 'sluice_throttled_total',
    type: 'counter',
    help: 'Answers by which the platform asked for a pause (429, or as its dialect says).',
    labels: ROUTE,
  },
  slowed: {
    name: 'sluice_backoffs_total',
    type: 'counter',
    help: 'Pauses after requests that failed in a row.',
    labels: KIND,
  },
  writesRepeated: {
    name: 'sluice_state_write_retries_total',
    type: 'counter',
    help: 'Writes to the state file that failed and were tried again.',
    labels: {},
  },
  kept: {
    name: 'sluice_deliveries_kept_total',
    type: 'counter',
    help: 'Deliveries and events that this process put on the disk.',
    labels: {},
  },
  unkept: {
    name: 'sluice_deliveries_unkept_total',
    type: 'counter',
    help: 'Deliveries and events that were counted and not put on the disk once more.',
    labels: {
      why: 'repeated: there already; settled: the lead has its answer; full: one key may keep no more',
    },
  },
  refused: {
    name: 'sluice_deliveries_refused_total',
    type: 'counter',
    help: 'Requests that the listener refused.',
    labels: { reason: 'those in docs/webhooks.md' },
  },
  dropped: {
    name: 'sluice_connections_dropped_total',
    type: 'counter',
    help: 'Connections that the listener closed to make room, by whether they had shown a genuine key.',
    labels: { key: 'none, shown' },
  },
  entries: {
    name: 'sluice_delivery_entries_total',
    type: 'counter',
    help: 'Entries of deliveries by what they came to; unchanged: twice, late, or without a word.',
    labels: { fate: 'settled, postponed, unchanged, unknown' },
  },
  pending: {
    name: 'sluice_deliveries_pending',
    type: 'gauge',
    help: 'Deliveries of the state file that no run has settled yet.',
    labels: {},
  },
  listAdded: {
    name: 'sluice_list_members_added',
    type: 'gauge',
    help: 'Leads of the newest run that were put into its contact list.',
    labels: {},
  },
  warnings: {
    name: 'sluice_warnings_total',
    type: 'counter',
    help: 'Things that somebody should look at.',
    labels: { warning: WARNINGS.join(', ') },
  },
  lastRun: {
    name: 'sluice_last_run_timestamp_seconds',
    type: 'gauge',
    help: 'When the job ended last, however it ended.',
    labels: {},
  },
  lastDuration: {
    name: 'sluice_last_run_duration_seconds',
    type: 'gauge',
    help: 'How long that took.',
    labels: {},
  },
  lastResult: {
    name: 'sluice_last_run_result',
    type: 'gauge',
    help: 'How it ended: 1 for what it was.',
    labels: {
      result:
        'ok, unanswered, stopped, usage, input, platform, store, output, budget, cancelled, paused, bug',
    },
  },
  lastSuccess: {
    name: 'sluice_last_success_timestamp_seconds',
    type: 'gauge',
    help: 'When the job last ended with every lead answered for (ok or unanswered), or found nothing new.',
    labels: {},
  },
} as const satisfies Record<string, MetricSpec>;
