// The log: one line of JSON for each event, for machines. What stands in a line is the domain's to say
// (run-event-log.ts); pino knows how to write it.
import { pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from '../model/telemetry/log-level.js';
import type { RunEvent, RunObserver } from '../model/telemetry/run-event.js';
import { levelOf, logFieldsOf, logText } from '../model/telemetry/run-event-log.js';

export interface LogOptions {
  readonly level: LogLevel;
  /** Where a line goes, with its end; may not throw. */
  readonly write: (line: string) => void;
}

/** The observer that logs. From the start of a run on, its number and its job stand in every line. */
export function openLog({ level, write }: LogOptions): RunObserver {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, { write });
  let context: { readonly job?: string; readonly run?: number } = {};
  return (event: RunEvent): void => {
    const own = contextOf(event);
    if (own !== undefined) context = { ...context, ...own };
    const at = levelOf(event);
    if (!logger.isLevelEnabled(at)) return;
    logger[at]({ event: event.kind, ...context, ...logFieldsOf(event) });
  };
}

/** What an event tells of the run that all that follow belong to. */
function contextOf(event: RunEvent): { readonly job: string; readonly run?: number } | undefined {
  if (event.kind === 'job.locked') return { job: logText(event.job) };
  if (event.kind !== 'run.started' && event.kind !== 'run.reopened') return undefined;
  return { job: logText(event.run.job), run: event.run.id };
}
