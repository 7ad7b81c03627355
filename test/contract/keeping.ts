// Keeping the store in order: copies of it.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/domain/ports/store.js';
import type { Run } from '../../src/domain/run.js';
import type { StoreBench } from './store-bench.js';

export function describeKeeping(bench: StoreBench): void {
  const { add, inState, answers } = bench;
  let store: Store;
  let run: Run;
  beforeEach(() => {
    ({ store, run } = bench);
  });

  describe('a backup', () => {
    it('holds everything up to its moment, and nothing behind it', async () => {
      await inState('found');
      await inState('awaiting', 'bob');
      const before = await answers();
      const path = bench.newPath();
      expect(await store.backup(path)).toBeGreaterThan(0);
      await add('cyd');
      const copy = await bench.openCopy(path);
      expect(await copy.answers(run.id, 0, 100)).toEqual(before);
      expect(await copy.work(run.id)).toMatchObject({ awaiting: 1 });
      expect(await copy.signingKey()).not.toEqual(new Uint8Array(32));
      await copy.close();
      expect(await answers()).toHaveLength(3);
    });

    it('never takes the place of anything', async () => {
      const path = bench.newPath();
      await store.backup(path);
      await add('ada');
      await expect(store.backup(path)).rejects.toMatchObject({ code: 'usage' });
      const copy = await bench.openCopy(path);
      expect(await copy.answers(run.id, 0, 100)).toEqual([]);
      await copy.close();
    });

    it('that cannot be written says so', async () => {
      const path = `${bench.newPath()}/nowhere/copy.db`;
      await expect(store.backup(path)).rejects.toMatchObject({ code: 'output' });
    });
  });
}
