import { describe, expect, it } from 'vitest';
import { drawLatencyMs } from '../../../src/sandbox/answers/decide-outcome.js';

const people = Array.from({ length: 4000 }, (_, index) => `{"email":"p${index}@acme.com"}`);

describe('drawLatencyMs', () => {
  it('is log-normal around the median', () => {
    const latency = { medianMs: 10_000, sigma: 0.5 };
    const logs = people.map((person) => Math.log(drawLatencyMs(latency, 1, person) / 10_000));
    const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
    const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length;
    expect(Math.abs(mean)).toBeLessThan(0.03);
    expect(Math.abs(Math.sqrt(variance) - 0.5)).toBeLessThan(0.03);
    // 2.5 % beyond two standard deviations on either side, as the normal distribution has it.
    expect(logs.filter((log) => Math.abs(log) > 0.98).length / logs.length).toBeCloseTo(0.05, 1);
  });

  it('depends on inputs and seed alone', () => {
    const latency = { medianMs: 10_000, sigma: 0.5 };
    expect(drawLatencyMs(latency, 1, 'a')).toBe(drawLatencyMs(latency, 1, 'a'));
    expect(drawLatencyMs(latency, 1, 'a')).not.toBe(drawLatencyMs(latency, 1, 'b'));
    expect(drawLatencyMs(latency, 1, 'a')).not.toBe(drawLatencyMs(latency, 2, 'a'));
  });

  it('is the median without a spread, and nothing without a median', () => {
    expect(drawLatencyMs({ medianMs: 700, sigma: 0 }, 1, 'a')).toBe(700);
    expect(drawLatencyMs({ medianMs: 0, sigma: 2 }, 1, 'a')).toBe(0);
  });
});
