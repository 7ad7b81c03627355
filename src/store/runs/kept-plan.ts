// The fields of a run that are kept as JSON beside its columns.
import type { Run, RunChanges, RunLeft, RunPlan } from '../../model/run.js';

export type KeptPlan = RunPlan & Pick<Run, 'reopenedAt' | 'endedBefore' | 'idleMs' | 'left'>;

export function readPlan(plan: string): KeptPlan {
  return JSON.parse(plan) as KeptPlan;
}

export function changedPlan(
  plan: string,
  changes: RunChanges | { readonly left: RunLeft | null },
): KeptPlan {
  const { left: _left, ...kept } = readPlan(plan);
  if ('left' in changes) return changes.left === null ? kept : { ...kept, left: changes.left };
  const { reopenedAt: _reopenedAt, endedBefore: _endedBefore, ...going } = kept;
  return { ...going, ...changes };
}
