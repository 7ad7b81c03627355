import { expect, it } from 'vitest';
import { openMetrics } from '../../src/telemetry/open-metrics.js';
import { readExposition, valueOf } from '../helpers/exposition.js';

it('name the step of a waterfall, count each by itself, and add up fractions of credits without a tail', async () => {
  const metrics = openMetrics('chain');
  for (const step of ['first', 'second', 'first', 'first']) {
    metrics.observe({
      kind: 'enrichments.settled',
      step,
      outcome: 'found',
      by: 'poll',
      credits: 0.1,
      enrichments: [1, 2],
    });
  }
  const samples = readExposition(await metrics.text());
  const value = (name: string, step: string) => valueOf(samples, `sluice_${name}`, { step });
  expect(value('credits_spent_total', 'first')).toBe(0.3);
  expect(value('credits_spent_total', 'second')).toBe(0.1);
  expect(value('enrichments_settled_total', 'second')).toBe(2);
});

it('carry the job on every series, escaped', async () => {
  for (const { labels } of readExposition(await openMetrics('a "b"\\\nc').text())) {
    expect(labels['sluice_job']).toBe('a \\"b\\"\\\\\\nc');
  }
});
