// The time that a run took, for its charts.
import type { RunFigures } from '../../model/report/run-figures.js';
import type { Span } from '../charts/answered-chart.js';

/** From the first thing that was counted to the last, whatever the clock did to the run's own times. */
export function spanOf({ at, run, time }: RunFigures): Span {
  const { buckets = [], widthMs = 0 } = time ?? {};
  const [first, last] = [buckets[0], buckets.at(-1)];
  const end = run.endedAt ?? at;
  if (first === undefined || last === undefined) return { from: run.startedAt, to: end };
  return {
    // A bucket begins before what it counts: no later than a bucket before the run itself.
    from: first.at < run.startedAt - widthMs ? first.at : run.startedAt,
    to: Math.max(end, Math.min(last.at + widthMs, Math.max(end, last.at + 1))),
  };
}
