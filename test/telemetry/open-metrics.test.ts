import { describe, expect, it } from 'vitest';
import { METRICS } from '../../src/model/telemetry/metric-catalogue.js';
import { openMetrics } from '../../src/telemetry/open-metrics.js';
import { readExposition, valueOf } from '../helpers/exposition.js';
import { EVENTS } from '../helpers/run-events.js';

const READING = {
  pending: 5,
  open: { queued: 1, submitting: 0, awaiting: 2 },
  runCredits: 25,
  creditsReserved: 15,
  leads: { found: 2, failed: 1 },
};

async function measured(job?: string) {
  const metrics = openMetrics(job);
  for (const event of Object.values(EVENTS)) metrics.observe(event);
  metrics.note(READING);
  metrics.noteQueue({ waiting: 1, active: 2, parked: 3, held: 2, takeovers: 1, troubles: 1 });
  metrics.end({ result: 'unanswered', at: 1_700_000_000_500, durationMs: 2_500 });
  return readExposition(await metrics.text());
}

describe('metrics', () => {
  it('have a value for each of the catalogue, once everything has happened', async () => {
    const names = new Set((await measured('nightly')).map(({ name }) => name));
    for (const { name, type } of Object.values(METRICS)) {
      expect(names, name).toContain(type === 'histogram' ? `${name}_bucket` : name);
    }
  });

  it('count what happened', async () => {
    const samples = await measured('nightly');
    const value = (name: string, labels = {}) => valueOf(samples, `sluice_${name}`, labels);
    expect(value('leads_read_total')).toBe(3);
    expect(value('enrichments_settled_total', { outcome: 'found', by: 'poll' })).toBe(2);
    expect(value('polls_total', { answer: 'settled' })).toBe(2);
    expect(value('credits_spent_total')).toBe(10);
    expect(value('requests_total', { route: 'submit', status: '2xx' })).toBe(1);
    expect(value('requests_total', { route: 'result', status: 'lost' })).toBe(1);
    expect(value('request_duration_seconds_sum', { route: 'submit' })).toBe(0.03);
    expect(value('limiter_wait_seconds_count', { request: 'submit' })).toBe(1);
    expect(value('throttled_total', { route: 'result' })).toBe(1);
    expect(value('delivery_entries_total', { fate: 'unchanged' })).toBe(3);
    expect(value('deliveries_refused_total', { reason: 'not_json' })).toBe(1);
    expect(value('connections_dropped_total', { key: 'none' })).toBe(7);
    expect(value('connections_dropped_total', { key: 'shown' })).toBe(2);
    expect(value('enrichments_open', { state: 'awaiting' })).toBe(2);
    expect(value('run_leads', { status: 'failed' })).toBe(1);
    expect(value('last_run_timestamp_seconds')).toBe(1_700_000_000.5);
    expect(value('last_run_result', { result: 'unanswered' })).toBe(1);
    expect(value('last_success_timestamp_seconds')).toBe(1_700_000_000.5);
  });

  it('add up fractions of credits without a tail', async () => {
    const metrics = openMetrics('nightly');
    for (let times = 0; times < 3; times += 1) {
      metrics.observe({ ...EVENTS['enrichments.settled'], credits: 0.1 });
    }
    const samples = readExposition(await metrics.text());
    expect(valueOf(samples, 'sluice_credits_spent_total')).toBe(0.3);
  });

  it('name the step of a waterfall, and count each by itself', async () => {
    const metrics = openMetrics('chain');
    const settled = { ...EVENTS['enrichments.settled'], credits: 0.1 };
    const answered = EVENTS['request.answered'];
    for (const step of ['first', 'second', 'first']) {
      metrics.observe({ ...settled, step });
      metrics.observe({ ...answered, step });
    }
    metrics.observe(settled);
    const samples = readExposition(await metrics.text());
    const value = (name: string, labels = {}) => valueOf(samples, `sluice_${name}`, labels);
    const spent = samples.filter(({ name }) => name === 'sluice_credits_spent_total');
    expect(spent.map(({ value: credits }) => credits).toSorted((a, b) => a - b)).toEqual([
      0.1, 0.1, 0.2,
    ]);
    expect(value('credits_spent_total', { step: 'first' })).toBe(0.2);
    expect(value('requests_total', { step: 'second' })).toBe(1);
    expect(value('request_duration_seconds_count', { step: 'first' })).toBe(2);
    expect(value('enrichments_settled_total', { step: 'second', by: 'poll' })).toBe(2);
  });

  it('carry the job on every series, or on none', async () => {
    const odd = 'a "b"\\\nc';
    for (const { labels } of await measured(odd)) {
      expect(labels['sluice_job']).toBe('a \\"b\\"\\\\\\nc');
    }
    for (const { labels } of await measured()) expect(labels).not.toHaveProperty('sluice_job');
  });

  it('say nothing of what was not looked at, and of no success that there was not', async () => {
    const metrics = openMetrics('nightly');
    metrics.end({ result: 'platform', at: 1_000, durationMs: 1 });
    const samples = readExposition(await metrics.text());
    expect(valueOf(samples, 'sluice_last_success_timestamp_seconds')).toBeUndefined();
    expect(valueOf(samples, 'sluice_deliveries_pending')).toBeUndefined();
    expect(valueOf(samples, 'sluice_last_run_result', { result: 'platform' })).toBe(1);
  });

  it('of two processes know nothing of one another', async () => {
    openMetrics('a').observe(EVENTS['leads.read']);
    const samples = readExposition(await openMetrics('b').text());
    expect(valueOf(samples, 'sluice_leads_read_total')).toBe(0);
  });
});
