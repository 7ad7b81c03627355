// What another machine needs to go on with a run, and when runs are begun by themselves.
import { describe, expect, it } from 'vitest';
import { runPlan } from '../helpers/leads.js';
import { type StoreBench, T0 } from './store-bench.js';

const PARKED = { until: T0 + 60_000, why: 'the platform does not answer', times: 2 };

export function describeTasks(bench: StoreBench): void {
  const { store, run } = bench;

  describe('tasks', () => {
    it('keeps one for an open run, and the newest', async () => {
      expect(await store.findTask(run.id)).toBeNull();
      expect(await store.openTasks()).toEqual([]);
      await store.noteTask(run.id, '{"a":1}');
      await store.noteTask(run.id, '{"a":2}');
      expect(await store.findTask(run.id)).toEqual({ task: '{"a":2}', parked: null });
      expect(await store.openTasks()).toEqual([{ run: run.id, job: 'nightly', parked: null }]);
    });

    it('parks a run that has one, until it goes on or gets a new one', async () => {
      await store.parkTask(run.id, PARKED);
      expect(await store.findTask(run.id)).toBeNull();
      await store.noteTask(run.id, '{}');
      await store.parkTask(run.id, PARKED);
      expect(await store.findTask(run.id)).toEqual({ task: '{}', parked: PARKED });
      expect(await store.openTasks()).toEqual([{ run: run.id, job: 'nightly', parked: PARKED }]);
      await store.parkTask(run.id, null);
      expect((await store.findTask(run.id))?.parked).toBeNull();
      await store.parkTask(run.id, PARKED);
      await store.noteTask(run.id, '{}');
      expect((await store.findTask(run.id))?.parked).toBeNull();
    });

    it('forgets it with the end of the run, however it ends', async () => {
      const cancelled = await store.startRun(runPlan({ job: 'weekly' }), T0);
      const replaced = await store.startRun(runPlan({ job: 'hourly' }), T0);
      for (const { id } of [run, cancelled, replaced]) await store.noteTask(id, '{}');
      await store.finishReading(run.id);
      await store.endRun(run.id, 'finished', T0);
      await store.endRun(cancelled.id, 'cancelled', T0);
      await store.startRun(runPlan({ job: 'hourly' }), T0);
      expect(await store.openTasks()).toEqual([]);
      for (const { id } of [run, cancelled, replaced]) {
        await store.noteTask(id, '{}');
        expect(await store.findTask(id)).toBeNull();
      }
    });
  });

  describe('schedules', () => {
    const nightly = {
      job: 'nightly',
      pattern: '0 2 * * *',
      timezone: 'Europe/Vienna',
      catchUp: 'one',
      nextAt: T0,
    } as const;
    const hourly = { ...nightly, job: 'hourly', catchUp: 'none' } as const;

    it('keeps one for a job, and the newest', async () => {
      await store.keepSchedule('nightly', { ...nightly, pattern: '0 3 * * *' });
      await store.keepSchedule('nightly', nightly);
      await store.keepSchedule('hourly', hourly);
      expect(await store.schedules()).toEqual([hourly, nightly]);
      expect(await store.keepSchedule('nightly', null)).toBe(true);
      expect(await store.keepSchedule('nightly', null)).toBe(false);
      expect(await store.schedules()).toEqual([hourly]);
    });

    it('passes a time once', async () => {
      await store.keepSchedule('nightly', nightly);
      await store.passTime('nightly', T0, T0 + 2);
      await store.passTime('nightly', T0, T0 + 3);
      await store.passTime('hourly', T0, T0 + 2);
      expect(await store.schedules()).toEqual([{ ...nightly, nextAt: T0 + 2 }]);
    });
  });
}
