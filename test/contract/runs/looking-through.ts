// Looking through many runs, and through the leads of one: what a page of them shows.
import { describe, expect, it } from 'vitest';
import { leadsIn } from '../../../src/model/tally.js';
import type { ShownLeads } from '../../../src/ports/store/runs.js';
import type { Store } from '../../../src/ports/store/store.js';
import { asked, notAskedLead, runPlan, skippedLead } from '../../helpers/leads.js';
import { accepted, found, type StoreBench, T0 } from '../store-bench.js';

export function describeLookingThrough(bench: StoreBench): void {
  const { ingest, add, claimOne, inState, finish, answers, store, run } = bench;

  /** The run gets a lead of every kind, some of which share an enrichment or show an older answer. */
  const everyKind = async () => {
    const older = await store.startRun(runPlan({ job: 'older' }), T0 - 9_000);
    const { id } = await inState('awaiting', 'ida', older.id);
    await store.settle([{ ...found(id), at: T0 - 9_000 }]);
    for (const state of ['found', 'not_found', 'failed', 'timed_out', 'uncertain'] as const) {
      await inState(state, state);
    }
    await inState('submitting', 'sub');
    await inState('awaiting', 'awa');
    await ingest([
      asked(8, 'found'),
      { ...asked(9, 'new'), note: 'asked without a phone number' },
      skippedLead(10, 'no name'),
      skippedLead(11, 'no domain'),
      notAskedLead(12, 'not in the sample'),
      // Asked again after the time of its answer, and not sent yet: its row shows the older answer.
      asked(13, 'ida'),
      asked(14, 'failed'),
    ]);
  };

  describe('the positions of leads that are shown like this', () => {
    const FIRST = { direction: 'after', position: 0 } as const;
    const LAST = { direction: 'before', position: 99 } as const;

    it('are those of the leads whose rows show it', async () => {
      await everyKind();
      const told = await answers();
      const statuses = new Set(told.map(({ status }) => status));
      expect(statuses.size).toBe(10);
      for (const outcome of statuses) {
        const alike = told.filter(
          ({ askedAgain, status }) => status === outcome || askedAgain === outcome,
        );
        const positions = alike.map(({ position }) => position);
        expect(await store.positions(run.id, { outcome }, FIRST, 100)).toEqual(positions);
        expect(await store.positions(run.id, { outcome }, LAST, 100)).toEqual(
          positions.toReversed(),
        );
      }
      const [again] = await store.positions(run.id, { outcome: 'queued' }, LAST, 2);
      expect(again).toBe(13);
    });

    it('are those of a reason, also of what is asked in part', async () => {
      await everyKind();
      const at = (shown: ShownLeads) => store.positions(run.id, shown, FIRST, 100);
      expect(await at({ reason: 'asked without a phone number' })).toEqual([9]);
      expect(await at({ reason: 'no name' })).toEqual([10]);
      expect(await at({ outcome: 'found', reason: 'no name' })).toEqual([]);
      expect(await at({ outcome: 'skipped', reason: 'no domain' })).toEqual([11]);
    });

    it('are as many as the run counts', async () => {
      await everyKind();
      const tally = await store.tally(run.id);
      const count = async (shown: ShownLeads) =>
        (await store.positions(run.id, shown, FIRST, 100)).length;
      for (const outcome of ['found', 'failed', 'queued'] as const) {
        expect(await count({ outcome })).toBe(leadsIn(tally, outcome));
      }
      expect(await count({ outcome: 'skipped' })).toBe(tally.byStatus.skipped);
      for (const { status, reason, leads } of tally.reasons) {
        expect(await count({ outcome: status, reason })).toBe(leads);
      }
    });

    it('come in portions, from either end', async () => {
      await everyKind();
      const all = await store.positions(run.id, {}, FIRST, 100);
      expect(all).toEqual(Array.from({ length: 14 }, (_, i) => i + 1));
      expect(await store.positions(run.id, {}, { ...FIRST, position: 4 }, 3)).toEqual([5, 6, 7]);
      expect(await store.positions(run.id, {}, { ...LAST, position: 4 }, 2)).toEqual([3, 2]);
      expect(await store.positions(run.id, {}, { ...FIRST, position: 14 }, 3)).toEqual([]);
      expect(await store.positions(99, {}, FIRST, 3)).toEqual([]);
    });
  });

  describe('the answers of some leads', () => {
    it('are those of all leads, of these positions and in their order', async () => {
      await everyKind();
      const all = await answers();
      const some = await store.answers(run.id, [13, 1, 99, 8]);
      expect(some).toEqual(all.filter(({ position }) => [1, 8, 13].includes(position)));
      expect(await store.answers(run.id, [])).toEqual([]);
      expect(await store.answers(99, [1])).toEqual([]);
    });

    it('are of this moment', async () => {
      await add('ada');
      expect(await store.answers(run.id, [1])).toMatchObject([{ status: 'queued' }]);
      await store.recordSubmits([accepted(await claimOne())]);
      expect(await store.answers(run.id, [1])).toMatchObject([{ status: 'awaiting' }]);
    });
  });

  describe('runs, chosen', () => {
    const numbers = async (...wish: Parameters<Store['listRuns']>) =>
      (await store.listRuns(...wish)).map(({ id }) => id);

    it('are those of a job or in some states, in portions both ways', async () => {
      await finish();
      for (const job of ['weekly', 'nightly', 'weekly', 'nightly']) {
        await store.startRun(runPlan({ job }), T0);
      }
      expect(await numbers(9)).toEqual([5, 4, 3, 2, 1]);
      expect(await numbers(9, { job: 'nightly' })).toEqual([5, 3, 1]);
      expect(await numbers(9, { states: ['reading', 'working'] })).toEqual([5, 4]);
      expect(await numbers(9, { states: ['finished', 'replaced'], job: 'nightly' })).toEqual([
        3, 1,
      ]);
      expect(await numbers(2, { before: 4 })).toEqual([3, 2]);
      expect(await numbers(2, { after: 1 })).toEqual([3, 2]);
      expect(await numbers(9, { after: 4, job: 'weekly' })).toEqual([]);
    });

    it('leave out what was pruned', async () => {
      await finish();
      await store.startRun(runPlan(), T0);
      const times = { at: T0 + 2, before: T0 + 1, freshSince: T0 + 1 };
      await store.prune(times, true);
      expect(await numbers(9, { job: 'nightly' })).toEqual([2]);
      expect(await store.listJobs(9)).toEqual([{ job: 'nightly', runs: 1, run: 2 }]);
    });
  });

  it('jobs that have run are named with their newest run, that with the newest first', async () => {
    await store.startRun(runPlan({ job: 'weekly' }), T0);
    expect(await store.listJobs(9)).toEqual([
      { job: 'weekly', runs: 1, run: 2 },
      { job: 'nightly', runs: 1, run: 1 },
    ]);
    await store.startRun(runPlan(), T0);
    expect(await store.listJobs(1)).toEqual([{ job: 'nightly', runs: 2, run: 3 }]);
  });
}
