// What a run counted over time, as a script reads it: against the sandbox's own ledger, and after a kill.
import { expect, test as one } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { dropSeries, seriesGaps } from '../helpers/state.js';
import { csv, hostCommands, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

hostCommands();
// They wait for the clock.
const test = one.concurrent;
const RATE = '10/2s';
const ENRICH = `enrich leads.csv --out out.csv --ask find_email --rate ${RATE} --state state.db`;

type Numbers = Readonly<Record<string, number>>;
interface Series {
  readonly buckets: readonly Numbers[];
  readonly histograms: Readonly<
    Record<string, readonly { from: number; to: number; count: number }[]>
  >;
}

async function seriesOf(dir: Workdir): Promise<Series | null> {
  const { code, stdout } = await dir.sluice('status --json --series --state state.db');
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { series: Series | null }).series;
}

function sum({ buckets }: Series, key: string): number {
  return buckets.reduce((total, bucket) => total + (bucket[key] ?? 0), 0);
}

test('status --json --series tells what the platform saw, the limit and the forecast', async () => {
  const sandbox = await startSandboxProcess('--latency 300ms --sigma 0', RATE);
  const dir = openWorkdir(sandbox.url).write('leads.csv', csv([...people(12), ...people(1)]));
  expect(await dir.sluice(ENRICH)).toMatchObject({ code: 0 });
  const series = (await seriesOf(dir)) as Series;
  const { accepted, charged, polls, requests } = await sandbox.ledger();
  expect(series).toMatchObject({
    width_ms: 1_000,
    limit: { requests: 10, per_ms: 2_000 },
    forecast: { leads: 13, to_pay: 12, on_their_way: 0, time_ms_min: 4_000 },
  });
  expect(sum(series, 'submits') + sum(series, 'polls') + sum(series, 'others')).toBe(requests);
  expect(sum(series, 'accepted')).toBe(accepted);
  expect(sum(series, 'polled') + sum(series, 'in_vain')).toBe(polls);
  expect(sum(series, 'found') + sum(series, 'not_found') + sum(series, 'failed')).toBe(12);
  expect(sum(series, 'credits')).toBe(charged);
  const { http_ms: http = [], polled_ms: polled = [] } = series.histograms;
  expect(http.reduce((total, { count }) => total + count, 0)).toBe(requests);
  expect(polled.reduce((total, { count }) => total + count, 0)).toBe(12);
  expect(Math.min(...polled.map(({ to }) => to))).toBeGreaterThan(300);
  expect(Math.max(...series.buckets.map(({ peak = 0 }) => peak))).toBeGreaterThan(1);
});

test('a run that was killed and continued has counted each answer once', async () => {
  const sandbox = await startSandboxProcess('--latency 300ms --sigma 0');
  const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(14)));
  const first = dir.start(ENRICH);
  await sandbox.until(({ accepted }) => accepted >= 9, first);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await seriesGaps(dir.at('state.db'))).toEqual([]);
  await dir.sluice(ENRICH);
  expect(await seriesGaps(dir.at('state.db'))).toEqual([]);
  expect(sum((await seriesOf(dir)) as Series, 'leads')).toBe(14);
});

test('a run of an earlier release has no series, and --series is for scripts alone', async () => {
  const sandbox = await startSandboxProcess('--latency 0ms');
  const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(1)));
  await dir.sluice(ENRICH);
  await dropSeries(dir.at('state.db'));
  expect(await seriesOf(dir)).toBeNull();
  const { code, stderr } = await dir.sluice('status --series --state state.db');
  expect(code).toBe(2);
  expect(stderr).toContain('give --json with it');
});
