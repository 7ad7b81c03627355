// The events of a run and of other commands, for every observer: the command line, the log, the metrics, a program. An
// event is defined once, in run-events.ts or wire-events.ts, with the fields of its log line.

import type { Said } from './fact.js';
import { RUN_EVENTS } from './run-events.js';
import { WIRE_EVENTS } from './wire-events.js';

export const RUN_EVENT_CATALOGUE = { ...RUN_EVENTS, ...WIRE_EVENTS };

type Kind = keyof typeof RUN_EVENT_CATALOGUE;
type EventOf<K extends Kind> = {
  readonly kind: K;
  /** The step of a waterfall to whose run it belongs. */
  readonly step?: string;
} & Said<(typeof RUN_EVENT_CATALOGUE)[K]>;
export type RunEvent = { readonly [K in Kind]: EventOf<K> }[Kind];

export type RunObserver = (event: RunEvent) => void;

/** The observer of a run, and whether it also gets each request: without a rate limit, thousands a second. */
export interface Watch {
  readonly observe: RunObserver;
  readonly observesRequests: boolean;
}

/** A watch for a run without an observer. */
export const UNWATCHED: Watch = { observe: () => undefined, observesRequests: false };

/** Handlers for some kinds of events. */
export type EventHandlers = {
  readonly [K in Kind]?: (event: EventOf<K>) => void;
};

export function handleEvent(handlers: EventHandlers, event: RunEvent): void {
  // Each handler takes the event of its own kind, which the types cannot follow here.
  (handlers[event.kind] as RunObserver | undefined)?.(event);
}

/** The observer of a waterfall's step: its events name it. */
export function observerOfStep(observe: RunObserver, step: string): RunObserver {
  return (event) => observe({ ...event, step });
}
