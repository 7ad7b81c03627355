// What a run shows over time, as a script reads it: against the sandbox's own ledger.
import { expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

const RATE = '10/2s';

interface Series {
  readonly buckets: readonly Readonly<Record<string, number>>[];
  readonly histograms: Readonly<
    Record<string, readonly { from: number; to: number; count: number }[]>
  >;
}

test('status --json --series tells what the platform saw, the limit and the forecast', async () => {
  const sandbox = await startSandboxProcess('--latency 300ms --sigma 0', RATE);
  const dir = openWorkdir(sandbox.url).write('leads.csv', csv([...people(12), ...people(1)]));
  await dir.sluice(
    `enrich leads.csv --out out.csv --ask find_email --set rate=${RATE} --state state.db`,
  );
  const { series } = (await dir.json('status --series --state state.db')) as { series: Series };
  const sum = (key: string) =>
    series.buckets.reduce((total, bucket) => total + (bucket[key] ?? 0), 0);
  const { charged, polls, requests } = await sandbox.ledger();
  expect(series).toMatchObject({
    width_ms: 1_000,
    limit: '10/2s',
    forecast: { leads: 13, to_pay: 12, on_their_way: 0, time_ms_min: 4_000 },
  });
  expect(sum('submits') + sum('polls') + sum('others')).toBe(requests);
  expect(sum('polls')).toBe(polls);
  expect(sum('found') + sum('not_found') + sum('failed')).toBe(13);
  expect(sum('credits')).toBe(charged);
  const { answers_ms: answers = [], http_ms: http = [] } = series.histograms;
  expect(http.reduce((total, { count }) => total + count, 0)).toBe(requests);
  expect(answers.reduce((total, { count }) => total + count, 0)).toBe(12);
  expect(Math.min(...answers.map(({ to }) => to))).toBeGreaterThan(300);
  expect(Math.max(...series.buckets.map(({ peak = 0 }) => peak))).toBeGreaterThan(1);
  const { code, stderr } = await dir.sluice('status --series --state state.db');
  expect(code).toBe(2);
  expect(stderr).toContain('give --json with it');
});
