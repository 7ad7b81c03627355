// Real time.
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../domain/ports/clock.js';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await wait(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // An abort ends the sleep; that is what the signal is for.
      if (signal?.aborted !== true) throw error;
    }
  },
};
