import { expect, it } from 'vitest';
import { createTaskPool } from '../../src/run/task-pool.js';
import { nextTurn } from '../helpers/driven-clock.js';

/** Tasks that end when they are told to. */
function startable() {
  const ends: ((error?: Error) => void)[] = [];
  const task = () =>
    new Promise<void>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)));
    });
  return { ends, task };
}

it('knows, once it is empty, why its last task failed; the first reason counts', async () => {
  const { ends, task } = startable();
  const seen: [boolean, boolean][] = [];
  const pool = createTaskPool(2, () => seen.push([pool.isEmpty(), pool.hasGivenUp()]));
  pool.start(task);
  await nextTurn();
  ends[0]?.(new Error('first'));
  while (!pool.isEmpty()) await Promise.resolve();
  expect(pool.hasGivenUp()).toBe(true);
  await nextTurn();
  expect(seen).toEqual([[true, true]]);
  pool.giveUp(new Error('second'));
  await expect(pool.land()).rejects.toThrow('first');
});
