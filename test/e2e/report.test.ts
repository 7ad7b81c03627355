// sluice report: the page of a run and its numbers, as the command line gives them.
import { expect, test } from 'vitest';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

test('the newest run is reported without a number, and --json writes no file', async () => {
  const dir = openWorkdir();
  dir.write('leads.csv', csv(people(5)));
  const made = await dir.sluice(
    'enrich leads.csv --url sandbox --ask find_email --set rate=off --out out.csv --budget 100 --state s.db',
  );
  expect(made.code, made.stderr).toBe(0);
  const told = JSON.parse((await dir.sluice('report --json --state s.db')).stdout) as object;
  const { by_ask: byAsk } = told as { by_ask: unknown };
  expect(JSON.parse((await dir.sluice('status --json --state s.db')).stdout)).toMatchObject({
    by_ask: byAsk,
  });
  expect(dir.has('report-1.html')).toBe(false);
  const found = dir.rows('out.csv').filter((row) => row['email'] !== '').length;
  expect(told).toMatchObject({
    run: 1,
    state: 'finished',
    leads: 5,
    by_ask: [{ ask: 'find_email', asked: 5, found, paid_now: found, credits: found * 5 }],
    cost: { budget: 100 },
    quality: { columns: [{ column: 'email', filled: found }], answers: { shared: 0 } },
    trouble: { rejects: [], disturbances: [] },
    series: { limit: 'off', forecast: { leads: 5 } },
  });
  const { code, stdout } = await dir.sluice('report --state s.db');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'report-1.html\n' });
  expect(dir.text('report-1.html')).toContain('Run 1 of leads.csv');
});
