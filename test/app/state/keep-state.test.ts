import { expect, it } from 'vitest';
import { checkKeep, keepState } from '../../../src/app/state/keep-state.js';
import { SluiceError } from '../../../src/model/errors.js';
import type { Run } from '../../../src/model/run.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { asked, COLUMNS, runPlan } from '../../helpers/leads.js';
import { isLong } from '../../helpers/long.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const folder = tempFolder();
const DAY = 86_400_000;
const NOW = 1_700_000_000_000;
const JOB = { job: 'nightly', freshForMs: 30 * DAY, keepMs: 90 * DAY };

let files = 0;
const openStore = (): Store => {
  files += 1;
  return openSqliteStore(`${folder}/${files}.db`);
};

/** A run of 100 days ago that was cancelled with its leads unasked, and a newer one. */
async function writeOld(store: Store, leads: number): Promise<Run> {
  const times = { at: NOW - 100 * DAY, freshSince: 0, deadlineAt: NOW };
  const run = await store.startRun(runPlan({ freshForMs: 30 * DAY }), times.at);
  const entries = Array.from({ length: leads }, (_, i) => asked(i + 1, `who ${i}`));
  await store.ingest(run.id, { columns: COLUMNS, leads: entries, rejects: [] }, times);
  await store.endRun(run.id, 'cancelled', times.at);
  await store.startRun(runPlan({ freshForMs: 30 * DAY }), NOW);
  return run;
}

/** How many leads a prune would still remove. */
async function leadsLeft(store: Store): Promise<number> {
  const times = { at: NOW, before: NOW - 90 * DAY, freshSince: NOW - 90 * DAY };
  return (await store.prune(times, false)).leads;
}

function work(drain = new AbortController().signal) {
  const events: RunEvent[] = [];
  const sleeps: number[] = [];
  const clock: Clock = { now: () => NOW, sleep: async (ms) => void sleeps.push(ms) };
  return {
    leads: 0,
    clock,
    drain,
    observe: (event: RunEvent) => void events.push(event),
    events,
    sleeps,
  };
}

it('what is older goes in steps with pauses between them', async () => {
  const store = openStore();
  await writeOld(store, 5_000);
  const { events, sleeps, ...rest } = work();
  await keepState(store, JOB, rest);
  expect(await leadsLeft(store)).toBe(0);
  expect(sleeps.length).toBeGreaterThan(2);
  expect(events).toEqual([]);
  await store.close();
});

it.runIf(isLong)(
  'no more goes at once than a command may take, and the next one goes on',
  async () => {
    const store = openStore();
    await writeOld(store, 45_000);
    const { events: _, sleeps: __, ...rest } = work();
    await keepState(store, JOB, rest);
    const left = await leadsLeft(store);
    expect(left).toBeGreaterThan(20_000);
    expect(left).toBeLessThan(30_000);
    // A command that has read more removes more.
    await keepState(store, JOB, { ...rest, leads: 10_000 });
    expect(await leadsLeft(store)).toBe(0);
    await store.close();
  },
);

it('nothing goes without keep, or once the command is to stop', async () => {
  const store = openStore();
  await writeOld(store, 10);
  const { events: _, sleeps: __, ...rest } = work();
  await keepState(store, { ...JOB, keepMs: undefined }, rest);
  await keepState(store, JOB, { ...rest, drain: AbortSignal.abort() });
  expect(await leadsLeft(store)).toBe(10);
  await store.close();
});

it('a file that cannot be written is a warning: the run has ended well', async () => {
  const store = openStore();
  const { events, sleeps: _, ...rest } = work();
  const failing = {
    longestFreshFor: () => store.longestFreshFor(),
    pruneSome: () => Promise.reject(new SluiceError('store', 'The disk is full.')),
  };
  await keepState(failing, JOB, rest);
  expect(events).toMatchObject([
    { warning: 'old_runs_not_removed', message: expect.stringContaining('The disk is full.') },
  ]);
  await store.close();
});

it('keep must not be shorter than the longest fresh-for, which is named with its job', async () => {
  const store = openStore();
  await expect(checkKeep(JOB, undefined)).resolves.toBeUndefined();
  await expect(checkKeep(JOB, store)).resolves.toBeUndefined();
  await expect(checkKeep({ ...JOB, freshForMs: 91 * DAY }, store)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^keep is 90d, and nightly .* 91d .*Set keep .* 91d or more/),
  });
  await store.startRun(runPlan({ job: 'weekly', freshForMs: 365 * DAY }), NOW);
  await store.startRun(runPlan({ job: 'weekly', freshForMs: DAY }), NOW);
  await expect(checkKeep(JOB, store)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^keep is 90d, and weekly .* 365d/),
  });
  await expect(checkKeep({ ...JOB, keepMs: undefined }, store)).resolves.toBeUndefined();
  await expect(checkKeep({ ...JOB, keepMs: 365 * DAY }, store)).resolves.toBeUndefined();
  await store.close();
});
