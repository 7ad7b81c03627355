// The log: one line of JSON for each event, for machines; `readableLine` turns it into a line for people. The catalogue
// of events defines the fields of a line.
import { pino, stdTimeFunctions } from 'pino';
import type { LogValue } from '../model/telemetry/event-fields.js';
import {
  type LogLevel,
  levelOf,
  RUN_EVENT_CATALOGUE,
  type RunEvent,
  type RunObserver,
} from '../model/telemetry/observe.js';
import { snakeCase } from '../model/text/json.js';
import { printable } from '../model/text/printable.js';

/** Longer text is cut, to keep the lines of the log short. */
const TEXT_LENGTH_MAX = 500;

export interface LogOptions {
  readonly level: LogLevel;
  /** Writes a line, which includes its line break; must not throw. */
  readonly write: (line: string) => void;
}

/**
 * Once a run has started, every line has its number and job; one about a waterfall's step has its name. A worker's lines
 * have those of the run that they belong to, or none.
 */
export function openLog({ level, write }: LogOptions): RunObserver {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, { write });
  const contexts = new Map<string | undefined, { readonly job?: string; readonly run?: number }>();
  return (event: RunEvent): void => {
    const { ofJob } = event;
    const context = { ...contexts.get(ofJob), ...contextOf(event) };
    contexts.set(ofJob, context);
    const at = levelOf(event);
    if (!logger.isLevelEnabled(at)) return;
    const step = event.step === undefined ? {} : { step: logText(event.step) };
    logger[at]({ event: event.kind, ...context, ...step, ...logFieldsOf(event) });
  };
}

function contextOf(event: RunEvent): { readonly job: string; readonly run?: number } | undefined {
  if (event.kind === 'job.locked') return { job: logText(event.job) };
  if (event.kind !== 'run.started' && event.kind !== 'run.reopened') return undefined;
  return { job: logText(event.run.job), run: event.run.id };
}

/** The fields of an event's line. Text is on one line, without control characters; durations are in whole ms. */
function logFieldsOf(event: RunEvent): Record<string, LogValue> {
  const line: Record<string, LogValue> = {};
  for (const field of RUN_EVENT_CATALOGUE[event.kind].fields) {
    const value = (event as unknown as Readonly<Record<string, LogValue>>)[field] ?? null;
    if (typeof value === 'string') line[snakeCase(field)] = logText(value);
    else if (typeof value === 'number' && field.endsWith('Ms'))
      line[snakeCase(field)] = Math.round(value);
    else line[snakeCase(field)] = value;
  }
  return line;
}

function logText(text: string): string {
  const cut = text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text;
  return printable(cut);
}

interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

const WORD = /^[^\s"=]+$/;

/** `21:30:05 info  run.started job=nightly run=7`: the time of day here, the level, the event and its fields. */
export function readableLine(line: string): string {
  const { time, level, event, pid: _pid, ...fields } = JSON.parse(line) as LogLine;
  const pairs = Object.entries(fields).map(([name, value]) => {
    const isWord = typeof value === 'string' && WORD.test(value);
    return `${name}=${isWord ? value : JSON.stringify(value)}`;
  });
  const clock = new Date(time).toTimeString().slice(0, 'HH:MM:SS'.length);
  return `${[clock, level.padEnd('error'.length), event, ...pairs].join(' ')}\n`;
}
