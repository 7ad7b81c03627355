// Real time.
import type { Clock } from '../domain/ports/clock.js';

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not by node:timers/promises: its sleeps end with an error where they are cut short, and most are.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake, { once: true });
    }),
};
