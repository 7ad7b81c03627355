import { readFileSync } from 'node:fs';
import { onAbort } from '../model/schedule/on-abort.js';
import type { Clock } from '../ports/clock.js';

/** Identifies this boot of this machine; empty if the system does not provide it. */
let boot: string | undefined;

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => {
    // The clock is the same for all processes (clock_gettime(2), CLOCK_MONOTONIC).
    boot ??= readBoot();
    return { boot, ms: Number(process.hrtime.bigint()) / 1e6 };
  },
  // This does not use node:timers/promises: its sleep rejects when it is aborted, as most sleeps are.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const wake = (): void => {
        clearTimeout(timer);
        stopListening();
        resolve();
      };
      const timer = setTimeout(wake, ms);
      const stopListening = onAbort(signal, wake);
    }),
};

function readBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
