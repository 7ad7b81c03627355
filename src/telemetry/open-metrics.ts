// Counts events as Prometheus metrics. Each process and job has its own registry; nothing is global.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { sumCredits } from '../model/credits.js';
import type { RunResult } from '../model/telemetry/event-fields.js';
import {
  JOB_LABEL,
  METRICS,
  type MetricSpec,
  STEP_LABEL,
} from '../model/telemetry/metric-catalogue.js';
import { type EventHandlers, handleEvent, type RunEvent } from '../model/telemetry/observe.js';

/** The gauges at one moment; a gauge that is left out keeps its value. */
export interface Reading {
  readonly pending?: number;
  readonly open?: Readonly<Record<'queued' | 'submitting' | 'awaiting', number>>;
  readonly runCredits?: number;
  readonly creditsReserved?: number;
  readonly leads?: Readonly<Record<string, number>>;
}

/** The figures of a worker about its queue; counts are added. */
export interface QueueReading {
  readonly waiting?: number;
  readonly active?: number;
  readonly parked?: number;
  readonly running?: number;
  readonly takeovers?: number;
  readonly troubles?: number;
}

export interface Ending {
  readonly result: RunResult;
  readonly at: number;
  readonly durationMs: number;
}

export interface Metrics {
  observe(event: RunEvent): void;
  note(reading: Reading): void;
  noteQueue(reading: QueueReading): void;
  end(ending: Ending): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Every series has the label of the job; a listener serves many jobs, so its series have no such label. */
export function openMetrics(job?: string): Metrics {
  const registry = new Registry();
  if (job !== undefined) registry.setDefaultLabels({ [JOB_LABEL]: job });
  const metrics = register(registry);
  const counters = countersOf(metrics);
  return {
    observe: (event) => handleEvent(counters, event),
    note: (reading) => note(metrics, reading),
    noteQueue: ({ running, takeovers = 0, troubles = 0, ...entries }) => {
      for (const [state, value] of Object.entries(entries)) metrics.queue.set({ state }, value);
      if (running !== undefined) metrics.workerRuns.set(running);
      metrics.takeovers.inc(takeovers);
      metrics.queueTroubles.inc(troubles);
    },
    end: (ending) => {
      const { lastDuration, lastResult, lastRun, lastSuccess } = metrics;
      lastRun.set(ending.at / 1000);
      lastDuration.set(ending.durationMs / 1000);
      lastResult.reset();
      lastResult.set({ result: ending.result }, 1);
      if (ending.result === 'ok' || ending.result === 'unanswered') {
        lastSuccess.set(ending.at / 1000);
      }
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

type Kinds = { counter: Counter; gauge: Gauge; histogram: Histogram };
type Registered = {
  readonly [K in keyof typeof METRICS]: Kinds[(typeof METRICS)[K]['type']];
};

function register(registry: Registry): Registered {
  const make = ({ name, type, help, labels, buckets = [] }: MetricSpec) => {
    const shared = { name, help, labelNames: Object.keys(labels), registers: [registry] };
    switch (type) {
      case 'counter': {
        const counter = new Counter(shared);
        // The values of other labels are not known before they happen.
        if (Object.keys(labels).every((label) => label === STEP_LABEL)) counter.inc(0);
        return counter;
      }
      case 'gauge':
        return new Gauge(shared);
      case 'histogram':
        return new Histogram({ ...shared, buckets: [...buckets] });
    }
  };
  const made = Object.entries(METRICS).map(([key, spec]) => [key, make(spec)]);
  const registered = Object.fromEntries(made) as Registered;
  // Before the first reading they would be 0: for a time that means 1970, for a state it would be wrong.
  for (const key of NOT_ZERO) registered[key].remove();
  return registered;
}

const NOT_ZERO = [
  'runCredits',
  'creditsReserved',
  'pending',
  'listAdded',
  'lastRun',
  'lastDuration',
  'lastSuccess',
] as const;

function note(
  metrics: Registered,
  { pending, open, runCredits, creditsReserved, leads }: Reading,
): void {
  if (pending !== undefined) metrics.pending.set(pending);
  if (runCredits !== undefined) metrics.runCredits.set(runCredits);
  if (creditsReserved !== undefined) metrics.creditsReserved.set(creditsReserved);
  for (const [state, value] of Object.entries(open ?? {})) metrics.open.set({ state }, value);
  for (const [status, value] of Object.entries(leads ?? {}))
    metrics.runLeads.set({ status }, value);
}

function labelled(
  step: RunEvent['step'],
  labels: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { ...labels, ...(step !== undefined && { [STEP_LABEL]: step }) };
}

/** Events that do not count for a metric have no handler. */
function countersOf(metrics: Registered): EventHandlers {
  const creditsSpent = new Map<string | undefined, number>();
  return {
    'leads.read': ({ leads, rejects }) => {
      metrics.leadsRead.inc(leads);
      metrics.rejects.inc(rejects);
    },
    'enrichments.submitted': ({ enrichments, step }) =>
      metrics.submitted.inc(labelled(step), enrichments.length),
    'enrichments.requeued': ({ enrichments, step }) =>
      metrics.requeued.inc(labelled(step), enrichments.length),
    'enrichments.postponed': ({ enrichments, step }) =>
      metrics.polls.inc(labelled(step, { answer: 'postponed' }), enrichments.length),
    'enrichments.settled': ({ by, credits, enrichments, outcome, step }) => {
      metrics.settled.inc(labelled(step, { outcome, by }), enrichments.length);
      // The counter would add fractions up itself, and round them.
      const spent = sumCredits([creditsSpent.get(step) ?? 0, credits]);
      creditsSpent.set(step, spent);
      metrics.creditsSpent.remove(labelled(step));
      metrics.creditsSpent.inc(labelled(step), spent);
      const polled = labelled(step, { answer: 'settled' });
      if (by === 'poll') metrics.polls.inc(polled, enrichments.length);
    },
    'request.answered': ({ durationMs, route, status, step }) => {
      const answer = { route, status: `${Math.floor(status / 100)}xx` };
      metrics.requests.inc(labelled(step, answer));
      metrics.requestSeconds.observe(labelled(step, { route }), durationMs / 1000);
    },
    'request.failed': ({ became, durationMs, route, step }) => {
      metrics.requests.inc(labelled(step, { route, status: became }));
      metrics.requestSeconds.observe(labelled(step, { route }), durationMs / 1000);
    },
    'limit.waited': ({ durationMs, request, step }) =>
      metrics.limitSeconds.observe(labelled(step, { request }), durationMs / 1000),
    'limit.paused': ({ route, step }) => metrics.throttled.inc(labelled(step, { route })),
    'requests.slowed': ({ request, step }) => metrics.slowed.inc(labelled(step, { request })),
    'write.repeated': () => metrics.writesRepeated.inc(),
    'deliveries.kept': ({ count, repeated, settled, full }) => {
      metrics.kept.inc(count);
      const unkept = Object.entries({ repeated, settled, full });
      for (const [why, value] of unkept) if (value > 0) metrics.unkept.inc({ why }, value);
    },
    'deliveries.refused': ({ reason }) => metrics.refused.inc({ reason }),
    'deliveries.handled': ({ settled, postponed, unchanged, unknown }) => {
      const counts = Object.entries({ settled, postponed, unchanged, unknown });
      for (const [became, value] of counts) metrics.entries.inc({ became }, value);
    },
    'list.filled': ({ added }) => metrics.listAdded.set(added),
    'run.warned': ({ warning }) => metrics.warnings.inc({ warning }),
  };
}
