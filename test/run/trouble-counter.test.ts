import { describe, expect, it } from 'vitest';
import { createTroubleCounter } from '../../src/run/trouble-counter.js';

describe('createTroubleCounter', () => {
  it('is patient until so many failed in a row, and starts again after a success', () => {
    const trouble = createTroubleCounter(3);
    const fail = () => trouble.failed(trouble.begin());
    expect([fail(), fail()]).toEqual([false, false]);
    trouble.succeeded();
    expect([fail(), fail(), fail()]).toEqual([false, false, true]);
  });

  it('pauses not at all while all is well, then twice as long each time, up to half a minute', () => {
    const trouble = createTroubleCounter(99);
    const pauses = [trouble.pauseMs()];
    for (let i = 0; i < 9; i += 1) {
      trouble.failed(trouble.begin());
      pauses.push(trouble.pauseMs());
    }
    expect(pauses).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    trouble.succeeded();
    expect(trouble.pauseMs()).toBe(0);
  });

  it('counts a burst once: requests that were under way together tell of one and the same trouble', () => {
    const trouble = createTroubleCounter(3);
    const burst = Array.from({ length: 8 }, () => trouble.begin());
    expect(burst.map((since) => trouble.failed(since))).toEqual(burst.map(() => false));
    expect(trouble.pauseMs()).toBe(500);
    expect(trouble.failed(trouble.begin())).toBe(false);
    const last = [trouble.begin(), trouble.begin()];
    expect(last.map((since) => trouble.failed(since))).toEqual([true, true]);
  });
});
