// Until when a run was worked on, where no process works on it any more.
import type { Run } from '../run.js';
import type { Timeline } from './series.js';

type Left = Pick<Run, 'endedAt' | 'endedBefore' | 'state'>;

/**
 * Its end; for one that is open, was cancelled or replaced, the last thing that was counted. `at` where that is not known.
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
