// The expectation of a run when its leads were read, as `plan` would have given it then.
import { timesCredits } from '../credits.js';
import type { RunPlan } from '../run.js';
import { leastRunMs } from '../schedule/rate.js';
import type { Timeline } from './series.js';

export interface RunForecast {
  readonly leads: number;
  readonly toPay: number;
  readonly onTheirWay: number;
  /** Null for a run of 0.1.0. */
  readonly creditsMax: number | null;
  /** The least time that the limit allows, in ms; null without a limit, and for a run of 0.1.0. */
  readonly timeMsMin: number | null;
}

export function forecastOf(
  { pace, priceMax }: Pick<RunPlan, 'pace' | 'priceMax'>,
  { buckets }: Pick<Timeline, 'buckets'>,
): RunForecast {
  const sum = (key: 'leads' | 'toPay' | 'onTheirWay') =>
    buckets.reduce((total, bucket) => total + bucket[key], 0);
  const [toPay, onTheirWay] = [sum('toPay'), sum('onTheirWay')];
  return {
    leads: sum('leads'),
    toPay,
    onTheirWay,
    creditsMax: priceMax === undefined ? null : timesCredits(priceMax, toPay),
    timeMsMin: pace === undefined ? null : leastRunMs(pace, toPay, onTheirWay),
  };
}
