// What is kept of a run as JSON beside its columns.
import type { Run, RunChanges, RunPlan } from '../../model/run.js';

export type KeptPlan = RunPlan & Pick<Run, 'reopenedAt' | 'endedBefore' | 'idleMs'>;

export function readPlan(plan: string): KeptPlan {
  return JSON.parse(plan) as KeptPlan;
}

/** Once it goes on, with what it is told then. */
export function goingPlan(plan: string, changes: RunChanges): KeptPlan {
  const { reopenedAt: _reopenedAt, endedBefore: _endedBefore, ...before } = readPlan(plan);
  return { ...before, ...changes };
}
