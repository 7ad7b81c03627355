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

it('name the step of a waterfall also of what is said of any run', async () => {
  const metrics = openMetrics();
  const warned = { kind: 'run.warned', warning: 'nearly_used', message: '80 %.' } as const;
  metrics.observe({ ...warned, step: 'first', ofJob: 'chain' });
  metrics.observe(warned);
  metrics.observe({ kind: 'list.filled', step: 'first', list: 'L', added: 3, alreadyIn: 0 });
  const samples = readExposition(await metrics.text());
  const labels = { warning: 'nearly_used', step: 'first', sluice_job: 'chain' };
  expect(valueOf(samples, 'sluice_warnings_total', labels)).toBe(1);
  expect(valueOf(samples, 'sluice_list_members_added', { step: 'first' })).toBe(3);
});

it('carry the job on every series, escaped', async () => {
  for (const { labels } of readExposition(await openMetrics('a "b"\\\nc').text())) {
    expect(labels['sluice_job']).toBe('a \\"b\\"\\\\\\nc');
  }
});

it('of a worker carry the job to which an event belongs', async () => {
  const metrics = openMetrics();
  const read = { kind: 'leads.read', position: 1, queued: 1, awaiting: 0, cached: 0 } as const;
  const counts = { shared: 0, skipped: 0, notAsked: 0, rejects: 0 };
  for (const [ofJob, leads] of [
    ['a', 2],
    ['b', 3],
    ['a', 4],
  ] as const) {
    metrics.observe({ ...read, ...counts, leads, ofJob });
  }
  metrics.observe({ kind: 'run.warned', warning: 'database_gone', message: 'It has gone.' });
  const samples = readExposition(await metrics.text());
  const leadsOf = (job: string) => valueOf(samples, 'sluice_leads_read_total', { sluice_job: job });
  expect([leadsOf('a'), leadsOf('b')]).toEqual([6, 3]);
  expect(valueOf(samples, 'sluice_warnings_total', { warning: 'database_gone' })).toBe(1);
});

it('say that the state does not answer, keep what was counted, and leave out what only the state knows', async () => {
  const metrics = openMetrics();
  const look = async () => {
    metrics.note({ pending: 3 });
    metrics.noteQueue({ waiting: 1, active: 2, parked: 0, troubles: 1 });
  };
  const there = readExposition(await metrics.textAfter(look));
  expect(valueOf(there, 'sluice_state_up', {})).toBe(1);
  expect(valueOf(there, 'sluice_deliveries_pending', {})).toBe(3);
  const away = readExposition(await metrics.textAfter(() => Promise.reject(new Error('away'))));
  expect(valueOf(away, 'sluice_state_up', {})).toBe(0);
  expect(valueOf(away, 'sluice_queue_troubles_total', {})).toBe(1);
  const names = away.map(({ name }) => name);
  expect(names).not.toContain('sluice_deliveries_pending');
  expect(names).not.toContain('sluice_queue_entries');
});
