// What of each event stands in a log line: its level, and its fields. A field that is not listed is not
// logged, so nothing of an input, a request or an answer can get there. docs/logs-and-metrics.md is made from it.

import { printable } from '../text/printable.js';
import type { LogEntries, LogEntry, LogValue } from './log-entry.js';
import type { LogLevel } from './log-level.js';
import { RUN_ENTRIES } from './log-run-events.js';
import { WIRE_ENTRIES } from './log-wire-events.js';
import type { RunEvent } from './run-event.js';

export const RUN_EVENT_LOG: LogEntries<RunEvent['kind']> = { ...RUN_ENTRIES, ...WIRE_ENTRIES };

/** The level of an event. */
export function levelOf({ kind }: RunEvent): LogLevel {
  return RUN_EVENT_LOG[kind].level;
}

/** Longer text is cut: a line of a log is no place for an essay. */
const TEXT_LENGTH_MAX = 500;

/** The fields of its line, with text on one line and without characters that could steer a terminal. */
export function logFieldsOf(event: RunEvent): Record<string, LogValue> {
  // Each entry takes the event of its own kind, which the types cannot follow here.
  const { fields } = RUN_EVENT_LOG[event.kind] as LogEntry<RunEvent>;
  const line: Record<string, LogValue> = {};
  for (const [name, { of }] of Object.entries(fields)) {
    const value = of(event);
    line[name] = typeof value === 'string' ? logText(value) : value;
  }
  return line;
}

export function logText(text: string): string {
  const cut = text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text;
  return printable(cut);
}
