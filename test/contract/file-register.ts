// Which files commands have read and written, and for how long that is known.
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WrittenFile } from '../../src/ports/store/files.js';
import type { Store } from '../../src/ports/store/store.js';
import { runPlan } from '../helpers/leads.js';
import { type StoreBench, T0 } from './store-bench.js';

export function describeFileRegister(bench: StoreBench): void {
  let store: Store;
  beforeEach(() => {
    ({ store } = bench);
  });

  const written = (changes: Partial<WrittenFile> = {}): WrittenFile => ({
    path: '/out/a.csv',
    role: 'table',
    job: 'nightly',
    run: bench.run.id,
    size: 7,
    modifiedAt: T0,
    ...changes,
  });
  const isInput = (path: string) => ({ path, role: 'input' }) as const;

  describe('the register of files', () => {
    it('begins empty, and says where the store is itself', async () => {
      const { state, ...files } = await store.knownFiles();
      expect(files).toEqual({ read: [], written: [] });
      expect(state === null || state === join(state)).toBe(true);
    });

    it('knows of what was written by whom it was written last', async () => {
      await store.noteWritten(written());
      await store.noteWritten(written({ path: '/out/b.csv' }));
      const events = written({ role: 'events', job: '', run: null, size: 9 });
      await store.noteWritten(events);
      const known = (await store.knownFiles()).written;
      expect(known).toHaveLength(2);
      expect(known).toContainEqual(events);
      expect(known).toContainEqual(written({ path: '/out/b.csv' }));
    });

    it('does not know what was removed', async () => {
      await store.noteWritten(written());
      await store.noteWritten(written({ path: '/out/b.csv' }));
      await store.noteRemoved('/out/a.csv');
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
      await store.noteWritten(written());
      await store.finishReading(bench.run.id);
      await store.finishRun(bench.run.id, T0);
      const next = await store.startRun(runPlan(), T0 + 9);
      await store.noteRead(next.id, [isInput('/in/b.csv')]);
      await store.prune({ at: T0 + 9, before: T0 + 5, freshSince: T0 + 9 }, true);
      const { read, written: left } = await store.knownFiles();
      expect(read.map(({ path }) => path)).toEqual(['/in/b.csv']);
      expect(left).toEqual([written()]);
    });
  });
}
