// Counts the requests of a run for its series. They are kept in memory and written at most once a second, so a process
// that is killed takes the last second with it. The store itself counts leads and enrichments.

import { bucketOf, type SeriesCounts, stepOf, WIDTH_MS_MIN } from '../model/report/series.js';
import type { Rate } from '../model/schedule/rate.js';
import type { Route } from '../model/telemetry/event-fields.js';
import {
  type EventHandlers,
  handleEvent,
  type RunEvent,
  type Watch,
} from '../model/telemetry/observe.js';
import type { Clock } from '../ports/clock.js';
import type { RequestCounts } from '../ports/store/runs.js';
import type { Store } from '../ports/store/store.js';

export interface RequestCounter {
  /** The observer that counts, and passes on to `watch` the events that it would get without it. */
  readonly watch: Watch;
  readonly begin: (runId: number) => void;
  /** Writes the rest. Idempotent; never rejects. */
  readonly close: () => Promise<void>;
}

interface CountingOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Its window is that of the peaks. */
  readonly limit: Rate;
}

const HOLD_MS = 1_000;

const KINDS: Partial<Record<Route, 'submits' | 'polls'>> = {
  submit: 'submits',
  submit_bulk: 'submits',
  result: 'polls',
};

const OF_REQUESTS: ReadonlySet<RunEvent['kind']> = new Set<RunEvent['kind']>([
  'request.sent',
  'request.answered',
  'limit.waited',
]);

export function countRequests(
  watch: Watch,
  { store, clock, limit }: CountingOptions,
): RequestCounter {
  const tally = openTally(limit[0]?.perMs ?? WIDTH_MS_MIN);
  let run: number | undefined;
  let writing: Promise<void> | undefined;
  let writeAt = clock.now() + HOLD_MS;

  const write = (runId: number): void => {
    writeAt = clock.now() + HOLD_MS;
    // The steps of the run report trouble with the store; these counts are no reason to stop.
    writing ??= store
      .noteRequests(runId, tally.take())
      .catch(() => undefined)
      .finally(() => {
        writing = undefined;
      });
  };
  const handlers: EventHandlers = {
    'request.sent': ({ route }) => tally.sent(clock.now(), KINDS[route] ?? 'others'),
    'request.answered': ({ durationMs }) => {
      tally.answered(durationMs);
      if (run !== undefined && clock.now() >= writeAt) write(run);
    },
    'limit.paused': ({ pauseMs }) => tally.paused(clock.now(), pauseMs),
  };

  return {
    watch: {
      observesRequests: true,
      observe: (event) => {
        handleEvent(handlers, event);
        if (watch.observesRequests || !OF_REQUESTS.has(event.kind)) watch.observe(event);
      },
    },
    begin: (runId) => {
      run = runId;
    },
    close: async () => {
      await writing;
      if (run !== undefined) write(run);
      run = undefined;
      await writing;
    },
  };
}

function openTally(windowMs: number) {
  let seconds = new Map<number, RequestCounts>();
  let http: number[] = [];
  let window = { at: 0, requests: 0 };
  let pausedUntil = 0;

  const add = (moment: number, name: keyof typeof NOTHING, more: number): void => {
    const at = bucketOf(moment, WIDTH_MS_MIN);
    let counts = seconds.get(at);
    if (counts === undefined) {
      counts = { at, ...NOTHING };
      seconds.set(at, counts);
    }
    counts[name] = name === 'peak' ? Math.max(counts.peak, more) : counts[name] + more;
  };

  return {
    sent: (at: number, kind: 'submits' | 'polls' | 'others'): void => {
      add(at, kind, 1);
      const start = bucketOf(at, windowMs);
      if (start !== window.at) window = { at: start, requests: 0 };
      window.requests += 1;
      // Also of a window whose first requests are written already: the larger peak stays.
      add(start, 'peak', window.requests);
    },
    answered: (durationMs: number): void => {
      const step = stepOf(durationMs);
      while (http.length <= step) http.push(0);
      http[step] = (http[step] ?? 0) + 1;
    },
    paused: (at: number, pauseMs: number): void => {
      add(at, 'throttled', 1);
      const until = at + pauseMs;
      add(at, 'pausedMs', Math.round(Math.max(0, until - Math.max(at, pausedUntil))));
      pausedUntil = Math.max(pausedUntil, until);
    },
    take: () => {
      const taken = { seconds: [...seconds.values()], http };
      seconds = new Map();
      http = [];
      return taken;
    },
  };
}

const NOTHING = {
  submits: 0,
  polls: 0,
  others: 0,
  peak: 0,
  throttled: 0,
  pausedMs: 0,
} satisfies Partial<SeriesCounts>;
