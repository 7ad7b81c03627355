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

it('has room for as many as there may be at a time, from the moment each is started', async () => {
  const { ends, task } = startable();
  let landed = 0;
  const pool = createTaskPool(2, () => {
    landed += 1;
  });
  expect([pool.room(), pool.isEmpty()]).toEqual([2, true]);
  pool.start(task);
  pool.start(task);
  expect([pool.room(), pool.isEmpty(), landed]).toEqual([0, false, 0]);
  await nextTurn();
  ends[0]?.();
  await nextTurn();
  expect([pool.room(), pool.isEmpty(), landed]).toEqual([1, false, 1]);
});

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

it('lands when the last of them has', async () => {
  const { ends, task } = startable();
  const pool = createTaskPool(3, () => undefined);
  for (let i = 0; i < 3; i += 1) pool.start(task);
  let hasLanded = false;
  const landing = pool.land().finally(() => {
    hasLanded = true;
  });
  await nextTurn();
  ends[2]?.();
  await nextTurn();
  ends[0]?.();
  await nextTurn();
  expect(hasLanded).toBe(false);
  ends[1]?.();
  await landing;
  expect(pool.isEmpty()).toBe(true);
  await createTaskPool(1, () => undefined).land();
});
