// The time range of a run, for its charts.
import { leftAt } from '../../model/report/left-at.js';
import type { RunFigures } from '../../model/report/run-figures.js';
import type { Span } from '../charts/answered-chart.js';

/**
 * The range from the first count to the last, even if the clock changed the run's own times. It grows only while a
 * process works on the run.
 */
export function spanOf({ at, run, state, time }: RunFigures): Span {
  const { buckets = [], widthMs = 0 } = time ?? {};
  const [first, last] = [buckets[0], buckets.at(-1)];
  const isAtWork = state === 'reading' || state === 'working';
  const end = isAtWork ? (run.endedAt ?? at) : leftAt(run, time, at);
  if (first === undefined || last === undefined) return { from: run.startedAt, to: end };
  return {
    // A bucket begins before its counts, so one that begins less than a bucket before the run does not extend the
    // range.
    from: first.at < run.startedAt - widthMs ? first.at : run.startedAt,
    to: Math.max(end, Math.min(last.at + widthMs, Math.max(end, last.at + 1))),
  };
}

/** The time in it during which the run was worked on, in ms. */
export function workedMs(figures: RunFigures): number {
  const { from, to } = spanOf(figures);
  return Math.max(0, to - from - (figures.run.idleMs ?? 0));
}
