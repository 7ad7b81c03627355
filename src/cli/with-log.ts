// The log of a command, on standard error. It is off by default; pino is loaded only if it is on.

import { SluiceError, wrongUse } from '../model/errors.js';
import {
  LOG_LEVELS,
  type LogLevel,
  logsRequests,
  UNWATCHED,
  type Watch,
} from '../model/telemetry/observe.js';
import { commandEnvironment } from './command-environment.js';
import { exitCodeOf } from './exit-codes.js';
import { text } from './options.js';

export const LOG_OPTION = {
  'log-level': text(
    `Log to standard error as JSON: ${LOG_LEVELS.join(', ')} or silent (default: SLUICE_LOG_LEVEL, or silent)`,
  ),
} as const;

export interface CommandLog {
  readonly watch: Watch;
  /** Whether only the log writes to standard error: lines for people would mix with those for machines. */
  readonly isAlone: boolean;
  /** From now on log lines go through `write`, so that they do not garble the progress bar. */
  writeThrough(write: (line: string) => void): void;
}

const NO_LOG: CommandLog = { watch: UNWATCHED, isAlone: false, writeThrough: () => undefined };

/**
 * Does a command's work with its log, and logs the error that ends it. If only the log writes to standard error, the
 * error is not printed otherwise, except with `--json` and for a bug.
 */
export async function withLog<R>(
  args: { readonly 'log-level'?: string | undefined; readonly json?: boolean },
  work: (log: CommandLog) => Promise<R>,
): Promise<R | undefined> {
  const level = logLevelOf(args['log-level']);
  if (level === 'silent') return work(NO_LOG);
  const { openLog, readableLine } = await import('../telemetry/open-log.js');
  let write = toStandardError;
  const isAlone = !process.stderr.isTTY;
  const observe = openLog({ level, write: (line) => write(isAlone ? line : readableLine(line)) });
  try {
    return await work({
      watch: { observe, observesRequests: logsRequests(level) },
      isAlone,
      writeThrough: (through) => {
        write = through;
      },
    });
  } catch (error) {
    const isKnown = error instanceof SluiceError;
    const exitCode = exitCodeOf(error);
    const message = isKnown ? error.logged : 'This is a bug in Sluice.';
    observe({ kind: 'command.failed', code: isKnown ? error.code : 'bug', exitCode, message });
    if (!isAlone || args.json === true || !isKnown) throw error;
    process.exitCode = exitCode;
    return undefined;
  }
}

function toStandardError(line: string): void {
  process.stderr.write(line);
}

function logLevelOf(flag: string | undefined): LogLevel | 'silent' {
  const text = flag ?? commandEnvironment().logLevel ?? 'silent';
  const level = LOG_LEVELS.find((known) => known === text);
  if (level !== undefined || text === 'silent') return level ?? 'silent';
  const place = flag === undefined ? 'SLUICE_LOG_LEVEL' : '--log-level';
  throw wrongUse(`${place}: "${text}" is none of ${LOG_LEVELS.join(', ')}, silent.`);
}
