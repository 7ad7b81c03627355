// The numbers of a waterfall's steps as a table, for the terminal and for pages.
import { formatNumber } from '../text/count.js';
import type { StepTally } from './provenance.js';

const COLUMNS = [
  ['asked', ({ reached }) => formatNumber(reached)],
  ['found', ({ found }) => formatNumber(found)],
  ['accepted', ({ accepted }) => formatNumber(accepted)],
  ['held', ({ held }) => formatNumber(held)],
  ['rejected', ({ rejected }) => formatNumber(rejected)],
  ['waiting', ({ waiting }) => formatNumber(waiting)],
  ['credits', ({ credits }) => formatNumber(credits)],
  ['each', costOfEach],
] as const satisfies readonly (readonly [string, (step: StepTally) => string])[];

/** The header of the table, without that of the names. */
export const STEP_HEADER: readonly string[] = COLUMNS.map(([name]) => name);

export const STEP_LEGEND =
  'accepted: leads that show a value of the step; held: an address that is not accepted; each: credits for an accepted one';

export function stepRows(
  steps: readonly StepTally[],
): { readonly step: string; readonly cells: readonly string[] }[] {
  return steps.map((one) => ({ step: one.step, cells: COLUMNS.map(([, tell]) => tell(one)) }));
}

/** Credits for each lead that shows a value of the step; empty where there is none. */
function costOfEach({ accepted, credits }: StepTally): string {
  return accepted === 0 ? '' : formatNumber(Math.round((credits / accepted) * 100) / 100);
}
