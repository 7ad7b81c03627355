// The time until which a run was worked on, if no process works on it any more.
import type { Run } from '../run.js';
import type { Timeline } from './series.js';

type Left = Pick<Run, 'endedAt' | 'endedBefore' | 'state'>;

/**
 * The run's end; for one that is open, was cancelled or replaced, the time of the last count. `at` if that is not
 * known.
 */
export function leftAt(
  { endedAt, endedBefore, state }: Left,
  timeline: Timeline | null,
  at: number,
): number {
  const end = endedAt ?? at;
  if (endedBefore !== undefined) return endedBefore;
  const last = timeline?.buckets.at(-1);
  if (state === 'finished' || timeline === null || last === undefined) return end;
  return Math.min(end, last.at + timeline.widthMs);
}
