// The files of drop folders: which are done, by whom, and for how long that is known.
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunPlan } from '../../src/model/run.js';
import type { Store } from '../../src/ports/store/store.js';
import { runPlan } from '../helpers/leads.js';
import { type StoreBench, T0, TIMES } from './store-bench.js';

export function describeDoneFiles(bench: StoreBench): void {
  let store: Store;
  beforeEach(() => {
    ({ store } = bench);
  });

  const start = (digests: string[], changes: Partial<RunPlan> = {}) =>
    store.startRun(runPlan({ job: 'drop', digests, sources: digests, ...changes }), T0);
  const finish = async (id: number, at = T0) => {
    await store.finishReading(id);
    await store.finishRun(id, at);
  };
  const tableOf = (except: number | null = null) =>
    store.runOfTable((out) => out === 'out.csv', except);
  const done = (job = 'drop', terms = 't1') => store.doneFiles(job, terms, ['a', 'b', 'c']);

  describe('the files of a drop folder', () => {
    it('are done when their run has finished, and no sooner', async () => {
      const { id } = await start(['a', 'b']);
      expect(await done()).toEqual([]);
      await store.finishReading(id);
      expect(await done()).toEqual([]);
      await store.finishRun(id, T0);
      expect(await done()).toEqual(['a', 'b']);
    });

    it('are done for their job and its terms alone', async () => {
      await finish((await start(['a'])).id);
      expect(await done('other')).toEqual([]);
      expect(await done('drop', 't2')).toEqual([]);
    });

    it('are not done by a run that was replaced, cancelled, or had not read all', async () => {
      const replaced = await start(['a']);
      const cancelled = await start(['b']);
      await store.cancelRun(cancelled.id, T0);
      const reading = await start(['c']);
      for (const { id } of [replaced, cancelled, reading]) await store.finishRun(id, T0);
      expect(await done()).toEqual([]);
    });

    it('stay done when their run is pruned, done again, or opened again', async () => {
      const { id } = await start(['a']);
      await finish(id);
      await finish((await start(['a', 'b'])).id);
      await store.startRun(runPlan(), T0 + 9);
      await store.prune({ at: T0 + 9, before: T0 + 5, freshSince: T0 }, true);
      expect(await store.findRun(id)).toBeNull();
      expect(await done()).toEqual(['a', 'b']);
    });

    it('no other input is known by content', async () => {
      await store.finishReading(bench.run.id);
      await store.finishRun(bench.run.id, T0);
      expect(await store.doneFiles('nightly', 't1', ['s1', 'leads.csv'])).toEqual([]);
    });

    it('a table is that of the run that was the last to finish it', async () => {
      const plain = bench.run;
      await store.finishReading(plain.id);
      await store.finishRun(plain.id, T0);
      expect(await tableOf()).toBeNull();
      const first = await start(['a'], { job: 'other' });
      expect(await tableOf()).toBeNull();
      await finish(first.id);
      const second = await start(['b', 'c']);
      await finish(second.id, T0 + 1);
      await start(['d']);
      expect(await tableOf()).toEqual({ run: second.id, digests: ['b', 'c'] });
      expect(await tableOf(second.id)).toEqual({ run: first.id, digests: ['a'] });
      expect(await store.runOfTable((out) => out === 'else.csv', null)).toBeNull();
    });

    it('a table stays the run’s that was opened again, cancelled or pruned', async () => {
      const { id } = await start(['a']);
      await bench.inState('failed', 'ada', id);
      await finish(id);
      await store.retry(id, ['failed'], TIMES);
      await store.cancelRun(id, T0);
      expect(await tableOf()).toMatchObject({ run: id });
      // Done by the run before it, which is why no file is known as its own.
      const again = await start(['a']);
      await finish(again.id);
      await store.startRun(runPlan(), T0 + 9);
      await store.prune({ at: T0 + 9, before: T0 + 5, freshSince: T0 + 9 }, true);
      expect(await tableOf()).toEqual({ run: again.id, digests: ['a'] });
      expect(await tableOf(again.id)).toEqual({ run: id, digests: ['a'] });
    });
  });
}
