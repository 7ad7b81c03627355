// Whether an answer is one of a dialect's signals: throttled, or out of credits.
import type { WireSignals } from '../../dialect/parts.js';

/** Whether status and body fit one of the signals. */
export function isSignal(signals: WireSignals, status: number, text: string): boolean {
  return signals.some(
    (signal) =>
      signal.status === status &&
      (signal.word === null || text.toLowerCase().includes(signal.word.toLowerCase())),
  );
}

/** Whether the status alone is one of the signals, so that the body need not be waited for. */
export function isSignalByStatus(signals: WireSignals, status: number): boolean {
  return signals.some((signal) => signal.status === status && signal.word === null);
}
