// What an entry of the log's catalogue is, and the fields that many of them share.
import type { LogLevel } from './log-level.js';
import type { RunEvent } from './run-event.js';

export type LogValue = string | number | boolean | readonly number[];

export interface LogField<E> {
  readonly about: string;
  readonly of: (event: E) => LogValue;
}

export interface LogEntry<E> {
  readonly level: LogLevel;
  readonly about: string;
  readonly fields: Readonly<Record<string, LogField<E>>>;
}

/** The table of those kinds. */
export type LogEntries<K extends RunEvent['kind']> = {
  readonly [Kind in K]: LogEntry<EventOf<Kind>>;
};

export type EventOf<K extends RunEvent['kind']> = Extract<RunEvent, { readonly kind: K }>;

export const field = <E>(about: string, of: (event: E) => LogValue): LogField<E> => ({ about, of });

export const SEVERAL = {
  count: field<{ readonly enrichments: readonly number[] }>(
    'how many',
    ({ enrichments }) => enrichments.length,
  ),
  enrichments: field<{ readonly enrichments: readonly number[] }>(
    'their ids in the state file',
    ({ enrichments }) => enrichments,
  ),
};
export const DURATION = {
  duration_ms: field<{ readonly durationMs: number }>('how long it took', ({ durationMs }) =>
    Math.round(durationMs),
  ),
};
export const PAUSE = {
  pause_ms: field<{ readonly pauseMs: number }>('how long', ({ pauseMs }) => Math.round(pauseMs)),
};
export const REQUEST = {
  route: field<{ readonly route: string }>('what is asked for', ({ route }) => route),
  attempt: field<{ readonly attempt: number }>(
    'which sending of it, from 1',
    ({ attempt }) => attempt,
  ),
};
export const LEFT = {
  queued: field<{ readonly queued: number }>('to be sent', ({ queued }) => queued),
  awaiting: field<{ readonly awaiting: number }>(
    'sent, the answer not here yet',
    ({ awaiting }) => awaiting,
  ),
};
