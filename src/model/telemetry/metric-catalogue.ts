// Every metric: its name, its meaning and its labels. src/telemetry counts; docs/logs-and-metrics.md is made from this.
// No label holds an id, so the number of series is bounded.
import { ROUTES, WARNINGS } from './event-fields.js';

type Labels = Readonly<Record<string, string>>;

export interface MetricSpec {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: Labels;
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[];
}

/** The job's name on every series of a run: Prometheus uses `job` itself for the target that it scrapes. */
export const JOB_LABEL = 'sluice_job';

const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WAIT_BUCKETS = [0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600];
/** The label of what a step of a waterfall did; what a run without steps did has none. */
export const STEP_LABEL = 'step';
const STEP = { [STEP_LABEL]: 'the steps of a waterfall; not there without one' };
const ROUTE = { route: ROUTES.join(', '), ...STEP };
const OUTCOMES = 'found, not_found, failed, timed_out, uncertain';
const KIND = { request: 'submit, poll', ...STEP };

function counter(name: string, help: string, labels: Labels = {}) {
  return { name, type: 'counter' as const, help, labels };
}

function gauge(name: string, help: string, labels: Labels = {}) {
  return { name, type: 'gauge' as const, help, labels };
}

function histogram(name: string, help: string, labels: Labels, buckets: readonly number[]) {
  return { name, type: 'histogram' as const, help, labels, buckets };
}

export const METRICS = {
  leadsRead: counter('sluice_leads_read_total', 'Leads that were read into the state.'),
  rejects: counter(
    'sluice_rejects_total',
    'Lines of the input that could not be read as they are.',
  ),
  runLeads: gauge('sluice_run_leads', 'Leads of the newest run of the job, as it was left.', {
    status: `skipped, not_asked, queued, submitting, awaiting, ${OUTCOMES}`,
  }),
  submitted: counter(
    'sluice_enrichments_submitted_total',
    'Enrichments that the platform accepted.',
    STEP,
  ),
  requeued: counter(
    'sluice_enrichments_requeued_total',
    'Sends of enrichments that were certainly not accepted, and are made again.',
    STEP,
  ),
  settled: counter('sluice_enrichments_settled_total', 'Enrichments that ended.', {
    outcome: OUTCOMES,
    by: 'submit, poll, webhook',
    ...STEP,
  }),
  open: gauge(
    'sluice_enrichments_open',
    'Enrichments of the newest run of the job that have not ended.',
    { state: 'queued, submitting, awaiting' },
  ),
  polls: counter(
    'sluice_polls_total',
    'Looks at tickets, by whether they ended the enrichment or have to be made again.',
    { answer: 'settled, postponed', ...STEP },
  ),
  creditsSpent: counter(
    'sluice_credits_spent_total',
    'Credits that answers cost, as processes that ended have counted them.',
    STEP,
  ),
  runCredits: gauge(
    'sluice_run_credits',
    'Credits that the newest run of the job has spent, by the state: also what processes that died had spent.',
  ),
  creditsReserved: gauge(
    'sluice_credits_reserved',
    'Credits that what is on its way, uncertain or timed out may still cost.',
  ),
  requests: counter(
    'sluice_requests_total',
    'Requests to the platform, by the class of the answer; unsent: not a byte left; lost: no answer came.',
    { ...ROUTE, status: '1xx, 2xx, 3xx, 4xx, 5xx, unsent, lost' },
  ),
  requestSeconds: histogram(
    'sluice_request_duration_seconds',
    'From the start of a request to the end of its answer.',
    ROUTE,
    REQUEST_BUCKETS,
  ),
  limitSeconds: histogram(
    'sluice_limiter_wait_seconds',
    'How long requests waited for the rate limit; those that went at once are not counted.',
    KIND,
    WAIT_BUCKETS,
  ),
  throttled: counter(
    'sluice_throttled_total',
    'Answers by which the platform asked for a pause (429, or as its dialect says).',
    ROUTE,
  ),
  slowed: counter('sluice_backoffs_total', 'Pauses after requests that failed in a row.', KIND),
  writesRepeated: counter(
    'sluice_state_write_retries_total',
    'Writes to the state that failed and were tried again.',
    STEP,
  ),
  kept: counter(
    'sluice_deliveries_kept_total',
    'Deliveries and events that this process put on the disk.',
  ),
  unkept: counter(
    'sluice_deliveries_unkept_total',
    'Deliveries and events that were counted, but not put on the disk again.',
    {
      why: 'repeated: there already; settled: the lead has its answer; full: one key may keep no more',
    },
  ),
  refused: counter('sluice_deliveries_refused_total', 'Requests that the listener refused.', {
    reason: 'those in docs/webhooks.md',
  }),
  entries: counter(
    'sluice_delivery_entries_total',
    'Entries of deliveries by what they came to; unchanged: twice, late, or without an answer.',
    { became: 'settled, postponed, unchanged, unknown' },
  ),
  pending: gauge(
    'sluice_deliveries_pending',
    'Deliveries of the state that no run has settled yet.',
  ),
  listAdded: gauge(
    'sluice_list_members_added',
    'Leads of the newest run that were put into its contact list.',
  ),
  warnings: counter('sluice_warnings_total', 'Things that a person should look at.', {
    warning: WARNINGS.join(', '),
    ...STEP,
  }),
  stateUp: gauge(
    'sluice_state_up',
    'Of a process that serves metrics: whether the state answered when it was asked, 1 or 0; with 0, gauges of the state are not there.',
  ),
  queue: gauge('sluice_queue_entries', 'Entries of the queue of runs, over all workers.', {
    state: 'waiting, active, parked',
  }),
  workerRuns: gauge('sluice_worker_runs', 'Runs that this worker holds now.'),
  takeovers: counter(
    'sluice_queue_takeovers_total',
    'Runs that this worker has found without a worker, and put back into the queue.',
  ),
  queueTroubles: counter(
    'sluice_queue_troubles_total',
    'Messages of trouble with the queue, one in half a minute at most.',
  ),
  lastRun: gauge('sluice_last_run_timestamp_seconds', 'When the job ended last, however it ended.'),
  lastDuration: gauge('sluice_last_run_duration_seconds', 'How long that took.'),
  lastResult: gauge('sluice_last_run_result', 'How it ended: 1 for what it was.', {
    result:
      'ok, unanswered, stopped, usage, input, platform, store, output, budget, cap, hit-rate, cancelled, paused, bug',
  }),
  lastSuccess: gauge(
    'sluice_last_success_timestamp_seconds',
    'When the job last ended with every lead answered for (ok or unanswered), or found nothing new.',
  ),
} satisfies Record<string, MetricSpec>;
