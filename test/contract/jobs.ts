// Jobs: the lock that one process has, and pauses.
import { describe, expect, it } from 'vitest';
import { runPlan } from '../helpers/leads.js';
import { accepted, found, type StoreBench, T0 } from './store-bench.js';

const HOLDER = { pid: 4711, host: 'here', since: T0 };

export function describeJobs(bench: StoreBench): void {
  const { add, sent, store, run } = bench;

  describe('the job lock', () => {
    it('one at a time for a job; another job is free', async () => {
      const lock = await store.lockJob('nightly', HOLDER);
      expect(lock.kind).toBe('taken');
      const second = await bench.openAgain();
      expect(await second.lockJob('nightly', { ...HOLDER, pid: 1 })).toMatchObject({
        kind: 'busy',
        holder: HOLDER,
      });
      expect(await second.jobNow('nightly')).toMatchObject({ isLocked: true, holder: HOLDER });
      expect(await second.jobNow('weekly')).toMatchObject({ isLocked: false, holder: null });
      const other = await second.lockJob('weekly', HOLDER);
      expect(other.kind).toBe('taken');
      if (other.kind === 'taken') await other.release();
      if (lock.kind === 'taken') await lock.release();
      expect(await second.jobNow('nightly')).toMatchObject({ isLocked: false, holder: null });
      const again = await second.lockJob('nightly', HOLDER);
      expect(again.kind).toBe('taken');
      if (again.kind === 'taken') await again.release();
      await second.close();
    });
  });

  describe('a paused job', () => {
    it('is sent nothing more for, by any run of its, until it is resumed', async () => {
      await add('ada');
      expect((await store.jobNow('nightly')).pausedAt).toBeNull();
      expect(await store.pauseJob('nightly', T0 + 5)).toBe(true);
      expect(await store.pauseJob('nightly', T0 + 9)).toBe(false);
      expect((await store.jobNow('nightly')).pausedAt).toBe(T0 + 5);
      expect((await store.claim(run.id, 10, T0)).claimed).toEqual([]);
      const next = await store.startRun(runPlan(), T0);
      await add('ada', next.id);
      expect((await store.claim(next.id, 10, T0)).claimed).toEqual([]);
      expect((await store.jobNow('nightly')).openRun).toMatchObject({ id: next.id });
      expect(await store.pauseJob('nightly', null)).toBe(true);
      expect(await store.pauseJob('nightly', null)).toBe(false);
      expect((await store.claim(next.id, 10, T0)).claimed).toHaveLength(1);
    });

    it('still gets the answers to what was sent, and holds up no other job', async () => {
      const claimed = await sent();
      await store.pauseJob('nightly', T0);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await add('bob', other.id);
      expect((await store.claim(other.id, 10, T0)).claimed).toHaveLength(1);
      await store.recordSubmits([accepted(claimed)]);
      expect(await store.awaited(run.id, 10)).toHaveLength(1);
      expect(await store.settle([found(claimed.id)])).toMatchObject([{ id: claimed.id }]);
    });

    it('is paused for whoever opens the store next', async () => {
      await store.pauseJob('nightly', T0);
      const second = await bench.openAgain();
      expect((await second.jobNow('nightly')).pausedAt).toBe(T0);
      await second.close();
    });

    it('is known by the runs it had', async () => {
      expect((await store.jobNow('nightly')).hasRun).toBe(true);
      expect((await store.jobNow('weekly')).hasRun).toBe(false);
    });
  });

  describe('a sample', () => {
    it('is kept for each job and seed, as it was told last', async () => {
      await store.keepSample('nightly', 1, ['a', 'b']);
      await store.keepSample('nightly', 2, ['c']);
      await store.keepSample('weekly', 1, []);
      await store.keepSample('nightly', 1, ['a', 'b', 'a']);
      expect(await store.sampleOf('nightly', 1)).toEqual(['a', 'b', 'a']);
      expect(await store.sampleOf('nightly', 2)).toEqual(['c']);
      expect(await store.sampleOf('weekly', 1)).toEqual([]);
      expect(await store.sampleOf('monthly', 1)).toEqual([]);
    });
  });
}
