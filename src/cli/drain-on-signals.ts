// Ctrl+C and SIGTERM drain a run; a second one ends the process at once.
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
  const handle = (code: number) => () => {
    if (exitCode !== undefined) process.exit(code);
    exitCode = code;
    onDrain();
    controller.abort();
  };
  const onInterrupt = handle(EXIT.interrupted);
  const onTerminate = handle(EXIT.terminated);
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    stop: () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    },
  };
}
