import { expect, it } from 'vitest';
import { addEarlier } from '../../src/telemetry/add-earlier.js';
import { openMetrics } from '../../src/telemetry/open-metrics.js';
import { readExposition, valueOf } from '../helpers/exposition.js';

const OPTIONS = { mark: 'sluice_job="nightly"', lasting: [] };

async function textOf(isThrottled = false): Promise<string> {
  const metrics = openMetrics('nightly');
  const request = { route: 'submit', attempt: 1, status: 201, durationMs: 30 } as const;
  metrics.observe({ kind: 'request.answered', ...request });
  const pause = { route: 'result', status: 429, pauseMs: 2_000 } as const;
  if (isThrottled) metrics.observe({ kind: 'limit.paused', ...pause });
  return metrics.text();
}

it.each([
  [false, true],
  [true, false],
])(
  'counters and histograms go on, with series that came new and that came no more',
  async (...throttled) => {
    const [second, first] = await Promise.all(throttled.map(textOf));
    const samples = readExposition(addEarlier(second ?? '', first ?? '', OPTIONS));
    const value = (name: string) => valueOf(samples, `sluice_${name}`);
    expect(value('requests_total')).toBe(2);
    expect(value('request_duration_seconds_count')).toBe(2);
    expect(value('request_duration_seconds_sum')).toBe(0.06);
    expect(value('throttled_total')).toBe(1);
  },
);

it('nothing is taken from a text of something else, or of another job', async () => {
  const now = await textOf();
  const others = now.replaceAll('"nightly"', '"weekly"');
  const odd = ['', 'name,email\nAda,ada@example.com\n', 'x{sluice_job="nightly"} 4\n', others];
  for (const earlier of odd) expect(addEarlier(now, earlier, OPTIONS)).toBe(now);
});
