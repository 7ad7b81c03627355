import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRetryAfter, RETRY_AFTER_MS_MAX } from '../../../src/model/schedule/retry-after.js';

const NOW = Date.UTC(2024, 0, 1);

it('seconds and the date they lead to are one wait', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_600 }), (seconds) => {
      const date = new Date(NOW + seconds * 1_000).toUTCString();
      expect(parseRetryAfter(String(seconds), NOW)).toBe(seconds * 1_000);
      expect(parseRetryAfter(date, NOW)).toBe(seconds * 1_000);
    }),
  );
});

it('whatever is told, the wait is none, or between nothing and an hour', () => {
  const told = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((at) => at.toUTCString()),
  );
  fc.assert(
    fc.property(told, (text) => {
      const waitMs = parseRetryAfter(text, NOW) ?? 0;
      expect(waitMs).toBeGreaterThanOrEqual(0);
      expect(waitMs).toBeLessThanOrEqual(RETRY_AFTER_MS_MAX);
    }),
  );
});
