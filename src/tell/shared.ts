// What several subjects tell in the same words.
import { type CapState, tellCap, tellUse } from '../model/schedule/caps.js';
import type { Fact } from './page.js';

/** The words about leads whose inputs suffice for a part of the asks. */
export const IN_PART = 'asked for fewer values, or without some of the inputs';

/** The words behind credits that were counted by prices that were not stated. */
export const PRICES_ASSUMED = 'prices assumed: state the key prices of the job, or of the dialect';

/** What each cap leaves; `more`: what it means here. */
export function capFacts(
  caps: readonly CapState[],
  more: (cap: CapState) => string = () => '',
): Fact[] {
  return caps.map((cap) => ({
    name: 'cap',
    value: [`${tellCap(cap)}: ${tellUse(cap)}`, more(cap)].filter(Boolean).join('; '),
  }));
}
