// Figures of a run as short as a test wants them, and those of a run of any length.
import type { RunFigures, TimeFigures } from '../../src/model/report/run-figures.js';
import { noCounts, type SeriesBucket, type SeriesCounts } from '../../src/model/report/series.js';
import { emptyByStatus, type RunTally } from '../../src/model/tally.js';
import { runPlan } from '../helpers/leads.js';

export const STARTED_AT = Date.UTC(2026, 10, 21, 7, 40, 12, 345);

export function tallyOf(changes: Partial<RunTally> = {}): RunTally {
  return {
    leads: 0,
    rejects: 0,
    byStatus: emptyByStatus(),
    askedAgain: {},
    reasons: [],
    inPart: { leads: 0, reasons: [] },
    enrichments: null,
    fromCache: 0,
    credits: 0,
    ...changes,
  };
}

export function bucketAt(at: number, counts: Partial<SeriesCounts> = {}): SeriesBucket {
  return { ...noCounts(), ...counts, at };
}

export function timeOf(changes: Partial<TimeFigures> = {}): TimeFigures {
  return {
    widthMs: 1_000,
    buckets: [],
    limit: { requests: 20, perMs: 2_000 },
    asked: { leads: 0, expected: 0, toPay: [], onTheirWay: 0 },
    forecastMs: null,
    answers: [],
    http: [],
    ...changes,
  };
}

/** A run that has ended, with nothing in it. */
export function figuresOf(changes: Partial<RunFigures> = {}): RunFigures {
  return {
    run: {
      ...runPlan(),
      id: 12,
      state: 'finished',
      columns: [{ key: 'name', name: 'name' }],
      mapping: [],
      leadCount: 0,
      rejectCount: 0,
      startedAt: STARTED_AT,
      endedAt: STARTED_AT + 60_000,
    },
    state: 'finished',
    at: STARTED_AT + 90_000,
    tally: tallyOf(),
    cost: {
      paid: 0,
      charges: { requests: 0, credits: 0 },
      budget: null,
      forecastMax: null,
      arePricesAssumed: false,
      byAsk: [],
    },
    time: timeOf(),
    trouble: { reasons: [], rejects: [], disturbances: [], advice: [] },
    seen: {
      pendingDeliveries: 0,
      disturbances: [],
      refused: [],
      list: null,
      pausedAt: null,
      isAtWork: false,
      worker: null,
      task: null,
      caps: [],
      budget: null,
      stateSize: { bytes: 0, unusedBytes: 0, logBytes: 0, bytesADay: null },
    },
    quality: null,
    ...changes,
  };
}
