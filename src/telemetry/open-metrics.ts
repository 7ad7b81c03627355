// Counts events as Prometheus metrics. Each process and job has its own registry; nothing is global.
import { setTimeout } from 'node:timers/promises';
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
  /** The text after a look at the state, which notes what it finds. Says so if the state does not answer in time. */
  textAfter(look: () => Promise<void>): Promise<string>;
  readonly contentType: string;
}

/** Shorter than the time that Prometheus waits for a scrape. */
const LOOK_MS = 5_000;

/**
 * Every series has the label of the job. Without one, those of a worker's events have the label of theirs, and those of a
 * listener, which serves many jobs, have none.
 */
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
    textAfter: async (look) => {
      const late = setTimeout(LOOK_MS, false, { ref: false });
      const isUp = await Promise.race([
        look().then(
          () => true,
          () => false,
        ),
        late,
      ]);
      metrics.stateUp.set(isUp ? 1 : 0);
      if (!isUp) {
        metrics.queue.reset();
        metrics.pending.reset();
      }
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

type Kinds = { counter: Counter; gauge: Gauge; histogram: Histogram };
type Registered = {
  readonly [K in keyof typeof METRICS]: Kinds[(typeof METRICS)[K]['type']];
};

function register(registry: Registry): Registered {
  const make = ({ name, type, help, labels, buckets = [] }: MetricSpec) => {
    // A gauge with a label has no value before the first reading; 0 would mean 1970 for a time, and be wrong for a state.
    const shared = {
      name,
      help,
      // Any event may be of a step: a label that a metric does not know would end the run.
      labelNames: [...new Set([...Object.keys(labels), STEP_LABEL, JOB_LABEL])],
      registers: [registry],
    };
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
  return Object.fromEntries(made) as Registered;
}

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

type Labels = Readonly<Record<string, string>>;

function labelled({ ofJob, step }: RunEvent, labels: Labels = {}): Labels {
  return {
    ...labels,
    ...(step !== undefined && { [STEP_LABEL]: step }),
    ...(ofJob !== undefined && { [JOB_LABEL]: ofJob }),
  };
}

/** Events that do not count for a metric have no handler. */
function countersOf(metrics: Registered): EventHandlers {
  const creditsSpent = new Map<string, number>();
  return {
    'leads.read': (event) => {
      metrics.leadsRead.inc(labelled(event), event.leads);
      metrics.rejects.inc(labelled(event), event.rejects);
    },
    'enrichments.submitted': (event) =>
      metrics.submitted.inc(labelled(event), event.enrichments.length),
    'enrichments.requeued': (event) =>
      metrics.requeued.inc(labelled(event), event.enrichments.length),
    'enrichments.postponed': (event) =>
      metrics.polls.inc(labelled(event, { answer: 'postponed' }), event.enrichments.length),
    'enrichments.settled': (event) => {
      const { by, credits, enrichments, outcome } = event;
      metrics.settled.inc(labelled(event, { outcome, by }), enrichments.length);
      // The counter would add fractions up itself, and round them.
      const own = labelled(event);
      const key = JSON.stringify(own);
      const spent = sumCredits([creditsSpent.get(key) ?? 0, credits]);
      creditsSpent.set(key, spent);
      metrics.creditsSpent.remove(own);
      metrics.creditsSpent.inc(own, spent);
      const polled = labelled(event, { answer: 'settled' });
      if (by === 'poll') metrics.polls.inc(polled, enrichments.length);
    },
    'request.answered': (event) => {
      const { durationMs, route, status } = event;
      const answer = { route, status: `${Math.floor(status / 100)}xx` };
      metrics.requests.inc(labelled(event, answer));
      metrics.requestSeconds.observe(labelled(event, { route }), durationMs / 1000);
    },
    'request.failed': (event) => {
      const { became, durationMs, route } = event;
      metrics.requests.inc(labelled(event, { route, status: became }));
      metrics.requestSeconds.observe(labelled(event, { route }), durationMs / 1000);
    },
    'limit.waited': (event) =>
      metrics.limitSeconds.observe(
        labelled(event, { request: event.request }),
        event.durationMs / 1000,
      ),
    'limit.paused': (event) => metrics.throttled.inc(labelled(event, { route: event.route })),
    'requests.slowed': (event) => metrics.slowed.inc(labelled(event, { request: event.request })),
    'write.repeated': (event) => metrics.writesRepeated.inc(labelled(event)),
    'deliveries.kept': (event) => {
      const { count, repeated, settled, full } = event;
      metrics.kept.inc(labelled(event), count);
      const unkept = Object.entries({ repeated, settled, full });
      for (const [why, value] of unkept) {
        if (value > 0) metrics.unkept.inc(labelled(event, { why }), value);
      }
    },
    'deliveries.refused': (event) => metrics.refused.inc(labelled(event, { reason: event.reason })),
    'deliveries.handled': (event) => {
      const { settled, postponed, unchanged, unknown } = event;
      const counts = Object.entries({ settled, postponed, unchanged, unknown });
      for (const [became, value] of counts) metrics.entries.inc(labelled(event, { became }), value);
    },
    'list.filled': (event) => metrics.listAdded.set(labelled(event), event.added),
    'run.warned': (event) => metrics.warnings.inc(labelled(event, { warning: event.warning })),
  };
}
