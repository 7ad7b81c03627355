// Ctrl+C, SIGTERM and a terminal that is closed drain a run; a second Ctrl+C or SIGTERM ends the process at once.
import { EXIT } from './exit-codes.js';

export interface Draining {
  readonly signal: AbortSignal;
  /** The exit code of the signal that came, or undefined. */
  exitCode(): number | undefined;
  /** Removes the handlers. Idempotent. */
  stop(): void;
}

export function drainOnSignals(onDrain: () => void): Draining {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const drain = (code: number): void => {
    exitCode = code;
    onDrain();
    controller.abort();
  };
  const handle = (code: number) => () => {
    if (exitCode !== undefined) process.exit(code);
    drain(code);
  };
  const onInterrupt = handle(EXIT.interrupted);
  const onTerminate = handle(EXIT.terminated);
  // A terminal may say it more than once, and nobody there wants the process to end at once.
  const onHangUp = (): void => {
    if (exitCode === undefined) drain(EXIT.hungUp);
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  // Left to itself, Node would end at once, also under nohup.
  process.on('SIGHUP', onHangUp);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    stop: () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      process.off('SIGHUP', onHangUp);
    },
  };
}
