// The fields of a run that are kept as JSON beside its columns.
import type { Run, RunChanges, RunLeft, RunPlan } from '../../model/run.js';

export type KeptPlan = RunPlan & Pick<Run, 'reopenedAt' | 'endedBefore' | 'idleMs' | 'left'>;

export function readPlan(plan: string): KeptPlan {
  return JSON.parse(plan) as KeptPlan;
}

export function goingPlan(plan: string, changes: RunChanges): KeptPlan {
  const { reopenedAt: _reopenedAt, endedBefore: _endedBefore, ...before } = leftPlan(plan, null);
  return { ...before, ...changes };
}

export function leftPlan(plan: string, left: RunLeft | null): KeptPlan {
  const { left: _left, ...before } = readPlan(plan);
  return left === null ? before : { ...before, left };
}
