// Ctrl+C, SIGTERM and a closed terminal: they drain a run, and end a command that would run for ever.
import { EXIT } from './exit-codes.js';

export interface Draining {
  readonly signal: AbortSignal;
  /** The exit code of the signal that came, or undefined. */
  exitCode(): number | undefined;
  /** Removes the handlers. Idempotent. */
  stop(): void;
}

/** A second Ctrl+C or SIGTERM ends the process at once. */
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
  // A terminal may send SIGHUP more than once, so a second one does not end the process at once.
  const onHangUp = (): void => {
    if (exitCode === undefined) drain(EXIT.hungUp);
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  // By default Node would exit at once, even under nohup.
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

export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    process.once('SIGHUP', resolve);
  });
}

/** Aborted when the command is stopped, and when the reader of standard output has gone. */
export function stoppedOrUnread(): AbortSignal {
  const stop = new AbortController();
  void untilStopped().then(() => stop.abort());
  process.stdout.once('close', () => stop.abort());
  return stop.signal;
}
