// What is sent to a webhook, and where to.
import type { Activity } from '../activities/activities.js';
import type { Enrichment } from '../ledger/ledger.js';
import type { Hook } from './hook-register.js';

/** What a webhook is told: the result of an enrichment, or an activity. */
export type Subject = Enrichment | Activity;

export interface Target {
  readonly url: string;
  /** Of the event. */
  readonly type: string;
  /** Undefined for the URL that a request brought along. */
  readonly hook: Hook | undefined;
}

/** One result or activity on its way to one target. */
export interface Entry {
  readonly subject: Subject;
  /** Fault `webhook-doubled`: to be sent once more when it has arrived. */
  readonly isDoubled: boolean;
  /** Fault `empty-first`: decided when it is sent first, so that a repeat says the same. */
  isEmpty: boolean | undefined;
}

/** One POST, with its repeats. */
export interface Delivery {
  readonly target: Target;
  readonly entries: readonly Entry[];
  attempts: number;
}

/** Which deliveries may share a body. */
export function laneOf({ url, type, hook }: Target): string {
  return `${type} ${hook?.id ?? ''} ${url}`;
}
