// What is sent to a webhook, and where to.
import type { EnrichmentEvent } from '../event-types.js';
import type { Enrichment } from '../ledger.js';
import type { Hook } from './hook-register.js';

export interface Target {
  readonly url: string;
  readonly type: EnrichmentEvent;
  /** Undefined for the URL that a request brought along. */
  readonly hook: Hook | undefined;
}

/** One result on its way to one target. */
export interface Entry {
  readonly enrichment: Enrichment;
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
