// What another machine needs to go on with a run, and when runs are begun by themselves.
import { describe, expect, it } from 'vitest';
import { runPlan } from '../helpers/leads.js';
import { type StoreBench, T0 } from './store-bench.js';

const PARKED = { until: T0 + 60_000, why: 'the platform does not answer', times: 2 };

export function describeTasks(bench: StoreBench): void {
  const { store, run } = bench;

  describe('tasks', () => {
    const taskOf = async () => (await store.jobNow(run.job)).task;

    it('keeps one for an open run, and the newest', async () => {
      expect(await taskOf()).toBeNull();
      expect(await store.openTasks()).toEqual([]);
      await store.noteTask(run.id, '{"a":1}');
      await store.noteTask(run.id, '{"a":2}');
      expect(await taskOf()).toEqual({ task: '{"a":2}', parked: null });
      expect(await store.openTasks()).toEqual([{ run: run.id, job: 'nightly', parked: null }]);
    });

    it('parks a run that has one, until it goes on or gets a new one', async () => {
      await store.noteTask(run.id, PARKED);
      expect(await taskOf()).toBeNull();
      await store.noteTask(run.id, '{}');
      await store.noteTask(run.id, PARKED);
      expect(await taskOf()).toEqual({ task: '{}', parked: PARKED });
      expect(await store.openTasks()).toEqual([{ run: run.id, job: 'nightly', parked: PARKED }]);
      await store.noteTask(run.id, null);
      expect((await taskOf())?.parked).toBeNull();
      await store.noteTask(run.id, PARKED);
      await store.noteTask(run.id, '{}');
      expect((await taskOf())?.parked).toBeNull();
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
      for (const { id } of [run, cancelled, replaced]) await store.noteTask(id, '{}');
      expect(await store.openTasks()).toEqual([]);
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
      const pass = (job: string, nextAt: number) =>
        store.keepSchedule(job, { ...nightly, nextAt }, T0);
      expect(await pass('nightly', T0 + 2)).toBe(true);
      expect(await pass('nightly', T0 + 3)).toBe(false);
      expect(await pass('hourly', T0 + 2)).toBe(false);
      expect(await store.schedules()).toEqual([{ ...nightly, nextAt: T0 + 2 }]);
    });
  });
}
