// What is kept of a run as JSON beside its columns.
import type { Run, RunChanges, RunLeft, RunPlan } from '../../model/run.js';

export type KeptPlan = RunPlan & Pick<Run, 'reopenedAt' | 'endedBefore' | 'idleMs' | 'left'>;

export function readPlan(plan: string): KeptPlan {
  return JSON.parse(plan) as KeptPlan;
}

/** Once it goes on, with what it is told then. */
export function goingPlan(plan: string, changes: RunChanges): KeptPlan {
  const { reopenedAt: _reopenedAt, endedBefore: _endedBefore, ...before } = leftPlan(plan, null);
  return { ...before, ...changes };
}

/** Once it was left, or while it is worked on. */
export function leftPlan(plan: string, left: RunLeft | null): KeptPlan {
  const { left: _left, ...before } = readPlan(plan);
  return left === null ? before : { ...before, left };
}
