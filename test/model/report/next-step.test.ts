import { expect, it } from 'vitest';
import { nextStep, type Standstill } from '../../../src/model/report/next-step.js';
import type { Run, RunLeft } from '../../../src/model/run.js';
import { runPlan } from '../../helpers/leads.js';

const AT = Date.UTC(2026, 10, 21, 7, 40, 12);
const RUN: Run = {
  ...runPlan({ budget: 500, priceMax: 5 }),
  id: 7,
  state: 'working',
  columns: [],
  mapping: [],
  leadCount: 0,
  rejectCount: 0,
  startedAt: AT,
  endedAt: null,
};
const NAMES = {
  start: 'sluice run nightly',
  again: (flags = '') => `Continue with: sluice run nightly ${flags}`.trimEnd(),
  state: ' --state a.db',
};

function tell(state: Standstill['state'], seen: Partial<Standstill> = {}, left?: RunLeft) {
  const run = { ...RUN, ...(left && { left }) };
  const nothing = { cap: null, pausedAt: null, parked: null, successor: null, budget: null };
  return nextStep({ run, state, ...nothing, ...seen }, NAMES);
}

it('each way to end has its name, and the advice that works', () => {
  const left = (by: RunLeft['by']): RunLeft => ({ at: AT, by, said: 'The disk is full.' });
  const decides =
    'Whoever set it decides whether it is raised: with a higher one, sluice run nightly continues.';
  const on = 'Continue with: sluice run nightly';
  expect(
    tell('stopped_at_budget', { budget: { credits: 500, spent: 490, reserved: 8, queued: 240 } }),
  ).toBe(
    `Run 7 stopped at its budget: 490 of 500 credits spent, 8 may still be charged, 2 left, and 240 requests are still to send, for 1,200 credits at most. ${decides}`,
  );
  const priced = { ...RUN, credit: { millionths: 12_000, currency: 'EUR' } };
  const budget = { credits: 500, spent: 490, reserved: 8, queued: 240 };
  expect(tell('stopped_at_budget', { budget, run: priced })).toContain(
    'at its budget: 5.88 EUR of 6.00 EUR spent, 0.096 EUR may still be charged, 0.024 EUR left, and 240 requests are still to send, for 14.40 EUR at most.',
  );
  expect(tell('stopped_at_budget')).toBe(`Run 7 stopped at its budget. ${decides}`);
  const met = {
    of: 'account',
    period: 'day',
    timezone: 'Europe/Vienna',
    credits: 500,
    spent: 480,
    reserved: 15,
    from: AT,
    until: AT,
  } as const;
  expect(tell('stopped_at_cap', { cap: { met, of: RUN } })).toBe(
    `Run 7 stopped at the cap of 500 credits a day (Europe/Vienna): 480 spent, 15 reserved, 5 left until 2026-11-21 07:40:12 (UTC). It goes on with its next start after that, or once the cap is raised. ${on}`,
  );
  expect(tell('stopped_at_cap')).toBe(`Run 7 stopped at a cap, and there is room again. ${on}`);
  expect(tell('stopped_at_hit_rate', {}, left('hit-rate'))).toBe(
    `Run 7 stopped at its hit rate: The disk is full. ${on}`,
  );
  expect(tell('paused', { pausedAt: AT })).toBe(
    'Run 7 waits: its job was paused at 2026-11-21 07:40:12 (UTC). To let it send again: sluice resume nightly --state a.db, then sluice run nightly',
  );
  expect(tell('stopped', {}, left('signal'))).toBe(
    `Run 7 was told to stop at 2026-11-21 07:40:12 (UTC). ${on}`,
  );
  expect(tell('stopped_by_error', {}, left('output'))).toBe(
    `Run 7 was stopped by an error at 2026-11-21 07:40:12 (UTC): The disk is full. ${on}`,
  );
  expect(tell('cut_off')).toBe(
    `Run 7 was cut off: its process was killed, or the machine stopped. ${on}`,
  );
  expect(tell('cancelled', {}, left('cancelled'))).toBe(
    'Run 7 was cancelled at 2026-11-21 07:40:12 (UTC). What it paid for serves the next run of nightly.',
  );
  expect(tell('replaced', { successor: 9 }, left('replaced'))).toBe(
    'Run 7 was replaced by run 9 at 2026-11-21 07:40:12 (UTC), since the job or its input had changed. What it paid for serves that run.',
  );
  expect(tell('replaced')).toContain('replaced by a later run, since');
  expect(tell('parked', { parked: { until: AT, why: 'The platform is silent.' } })).toBe(
    'Run 7 is parked until 2026-11-21 07:40:12 (UTC). The platform is silent.',
  );
  expect((['reading', 'working', 'finished'] as const).map((state) => tell(state))).toEqual([
    null,
    null,
    null,
  ]);
});
