// Files: which ones commands have read and written, which ones of drop folders are done, and for how long that is known.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunPlan } from '../../src/model/run.js';
import type { WrittenFile } from '../../src/ports/store/files.js';
import { runPlan } from '../helpers/leads.js';
import { type StoreBench, T0, TIMES } from './store-bench.js';

export function describeFiles(bench: StoreBench): void {
  const { store } = bench;

  const written = (changes: Partial<WrittenFile> = {}): WrittenFile => ({
    path: '/out/a.csv',
    role: 'table',
    job: 'nightly',
    run: bench.run.id,
    looks: [
      { size: 7, modifiedAt: T0 },
      { size: 8, modifiedAt: T0 - 1 },
    ],
    ...changes,
  });
  const note = (file = written()) => store.noteWritten(file.path, file);
  const isInput = (path: string) => ({ path, role: 'input' }) as const;

  describe('the register of files', () => {
    it('begins empty, and says where the store is itself', async () => {
      const { state, ...files } = await store.knownFiles();
      expect(files).toEqual({ read: [], written: [] });
      expect(state === null || state === join(state)).toBe(true);
    });

    it('knows of what was written by whom it was written last', async () => {
      await note();
      await note(written({ path: '/out/b.csv' }));
      const events = written({ role: 'events', job: '', run: null, looks: [] });
      await note(events);
      const known = (await store.knownFiles()).written;
      expect(known).toHaveLength(2);
      expect(known).toContainEqual(events);
      expect(known).toContainEqual(written({ path: '/out/b.csv' }));
    });

    it('does not know what was removed', async () => {
      await note();
      await note(written({ path: '/out/b.csv' }));
      await store.noteWritten('/out/a.csv', null);
      expect((await store.knownFiles()).written).toEqual([written({ path: '/out/b.csv' })]);
    });

    it('knows of what was read the last run of each job that read it', async () => {
      const next = await store.startRun(runPlan({ job: 'nightly' }), T0);
      const other = await store.startRun(runPlan({ job: 'other' }), T0);
      await store.noteRead(bench.run.id, [isInput('/in/a.csv'), { path: '/j.yaml', role: 'job' }]);
      for (const { id } of [next, other]) await store.noteRead(id, [isInput('/in/a.csv')]);
      const { read } = await store.knownFiles();
      expect(read).toHaveLength(3);
      for (const file of [
        { ...isInput('/in/a.csv'), job: 'nightly', run: next.id },
        { ...isInput('/in/a.csv'), job: 'other', run: other.id },
        { path: '/j.yaml', role: 'job', job: 'nightly', run: bench.run.id },
      ]) {
        expect(read).toContainEqual(file);
      }
    });

    it('forgets what a pruned run read, and not what it wrote', async () => {
      await store.noteRead(bench.run.id, [isInput('/in/a.csv')]);
      await note();
      await store.finishReading(bench.run.id);
      await store.endRun(bench.run.id, 'finished', T0);
      const next = await store.startRun(runPlan(), T0 + 9);
      await store.noteRead(next.id, [isInput('/in/b.csv')]);
      await store.prune({ at: T0 + 9, before: T0 + 5, freshSince: T0 + 9 }, true);
      const { read, written: left } = await store.knownFiles();
      expect(read.map(({ path }) => path)).toEqual(['/in/b.csv']);
      expect(left).toEqual([written()]);
    });
  });

  const start = (digests: string[], changes: Partial<RunPlan> = {}) =>
    store.startRun(runPlan({ job: 'drop', digests, sources: digests, ...changes }), T0);
  const finish = async (id: number, at = T0) => {
    await store.finishReading(id);
    await store.endRun(id, 'finished', at);
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
      await store.endRun(id, 'finished', T0);
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
      await store.endRun(cancelled.id, 'cancelled', T0);
      const reading = await start(['c']);
      for (const { id } of [replaced, cancelled, reading]) await store.endRun(id, 'finished', T0);
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

    it('are known by their look, for each job, until it changes or they are gone', async () => {
      const file = (path: string, digest = 'a', look = '1') => ({ path, digest, look });
      const known = async (job = 'drop') =>
        (await store.hashedFiles(job)).toSorted((a, b) => a.path.localeCompare(b.path));
      await store.noteHashed('drop', [file('/in/a'), file('/in/b', 'b'), file('/in/c')], [], T0);
      expect(await known()).toEqual([file('/in/a'), file('/in/b', 'b'), file('/in/c')]);
      expect(await known('other')).toEqual([]);
      await store.noteHashed('other', [file('/in/a')], ['/in/b'], T0);
      await store.noteHashed('drop', [file('/in/a', 'b', '2')], ['/in/c', '/in/d'], T0);
      expect(await known()).toEqual([file('/in/a', 'b', '2'), file('/in/b', 'b')]);
      expect(await known('other')).toEqual([file('/in/a')]);
    });

    it('are known by their look until that is pruned', async () => {
      const at = (path: string) => ({ path, digest: 'a', look: '1' });
      await store.noteHashed('drop', [at('/in/a')], [], T0);
      await store.noteHashed('drop', [at('/in/b')], [], T0 + 5);
      for (const isForReal of [false, true]) {
        expect(await store.hashedFiles('drop')).toHaveLength(2);
        await store.prune({ at: T0 + 9, before: T0 + 5, freshSince: T0 }, isForReal);
      }
      expect(await store.hashedFiles('drop')).toMatchObject([at('/in/b')]);
    });

    it('no other input is known by content', async () => {
      await store.finishReading(bench.run.id);
      await store.endRun(bench.run.id, 'finished', T0);
      expect(await store.doneFiles('nightly', 't1', ['s1', 'leads.csv'])).toEqual([]);
    });

    it('a table is that of the run that was the last to finish it', async () => {
      const plain = bench.run;
      await store.finishReading(plain.id);
      await store.endRun(plain.id, 'finished', T0);
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
      await store.endRun(id, 'cancelled', T0);
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
