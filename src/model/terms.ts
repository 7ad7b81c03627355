// The platform's terms, which the dialect states: what an ask costs, what it needs, and how fast one may ask.
import type { Ask, InputName } from './ask.js';

/** Credits charged for one hit; a miss is free. */
export type Prices = Readonly<Record<Ask, number>>;

/** For each ask the alternatives of inputs that suffice: any one list, wholly present. */
export type Requirements = Readonly<Record<Ask, readonly (readonly InputName[])[]>>;

/** At most `requests` in any window of `perMs` milliseconds. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
}
