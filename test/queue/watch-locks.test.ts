import { EventEmitter } from 'node:events';
import type { Worker } from 'bullmq';
import { expect, it } from 'vitest';
import { watchLocks } from '../../src/queue/watch-locks.js';

it('tells a lost lock of an entry that is held from a late renewal of one that was given back', () => {
  const locks = watchLocks(new EventEmitter() as unknown as Worker, 60_000);
  locks.took('a');
  locks.took('b');
  locks.left('a');
  const told = ['a', 'b'].map((id) =>
    locks.isOfOneLeft(new Error(`could not renew lock for job ${id}`)),
  );
  expect(told).toEqual([true, false]);
  expect(locks.isOfOneLeft(new Error('the connection ended'))).toBe(false);
  locks.close();
});
