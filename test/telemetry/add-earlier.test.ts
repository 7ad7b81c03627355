import { describe, expect, it } from 'vitest';
import { addEarlier } from '../../src/telemetry/add-earlier.js';
import { openMetrics } from '../../src/telemetry/open-metrics.js';
import { readExposition, valueOf } from '../helpers/exposition.js';
import { EVENTS } from '../helpers/run-events.js';

const LASTING = 'sluice_last_success_timestamp_seconds';
const OPTIONS = { mark: 'sluice_job="nightly"', lasting: [LASTING] };

async function textOf(kinds: readonly (keyof typeof EVENTS)[], result: 'ok' | 'store' = 'ok') {
  const metrics = openMetrics('nightly');
  for (const kind of kinds) metrics.observe(EVENTS[kind]);
  metrics.end({ result, at: result === 'ok' ? 1_000 : 9_000, durationMs: 10 });
  return metrics.text();
}

describe('counters over processes', () => {
  it('go on, with histograms, series that came new, and series that came no more', async () => {
    const first = await textOf(['request.answered', 'enrichments.settled', 'run.warned']);
    const second = await textOf(['request.answered', 'enrichments.settled', 'limit.paused']);
    const samples = readExposition(addEarlier(second, first, OPTIONS));
    const value = (name: string) => valueOf(samples, `sluice_${name}`);
    expect(value('credits_spent_total')).toBe(20);
    expect(value('requests_total')).toBe(2);
    expect(value('request_duration_seconds_count')).toBe(2);
    expect(value('request_duration_seconds_sum')).toBe(0.06);
    expect(value('throttled_total')).toBe(1);
    expect(value('warnings_total')).toBe(1);
  });

  it('keep the time of the last success over a failure, and no other gauge', async () => {
    const samples = readExposition(
      addEarlier(await textOf([], 'store'), await textOf(['list.filled']), OPTIONS),
    );
    expect(valueOf(samples, LASTING)).toBe(1);
    expect(valueOf(samples, 'sluice_last_run_timestamp_seconds')).toBe(9);
    expect(valueOf(samples, 'sluice_last_run_result')).toBe(1);
    expect(valueOf(samples, 'sluice_list_members_added')).toBeUndefined();
  });

  it('take nothing from a text of something else, or of another job', async () => {
    const now = await textOf(['leads.read']);
    const others = (await textOf(['leads.read'])).replaceAll('"nightly"', '"weekly"');
    for (const earlier of [
      '',
      'name,email\nAda,ada@example.com\n',
      'x{sluice_job="nightly"} 4\n',
      others,
    ]) {
      expect(addEarlier(now, earlier, OPTIONS)).toBe(now);
    }
  });
});
