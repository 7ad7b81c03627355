import { expect, it } from 'vitest';
import { keepCounts } from '../../src/ui/keep-counts.js';

const T0 = 1_700_000_000_000;
const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8];

/** Counts that end when they are told to; `begun` has the wishes in the order in which they were begun. */
function openCounts() {
  const begun: number[] = [];
  const ends = new Map<number, (figures: string) => void>();
  const clock = { now: () => T0, sleep: () => Promise.resolve() };
  const counts = keepCounts('It could not be counted.', clock, (wish: number) => {
    begun.push(wish);
    return new Promise<string>((resolve) => ends.set(wish, resolve));
  });
  return {
    begun,
    look: async (wish: number) => {
      counts.beginAfter(wish, T0 - 1);
      // It begins once it is kept.
      await Promise.resolve();
      return counts.of(wish)?.figures;
    },
    end: async (wish: number) => {
      ends.get(wish)?.(`of ${wish}`);
      await expect.poll(() => counts.of(wish)?.at).not.toBeNull();
    },
  };
}

it('of eight counts the oldest makes room for another', async () => {
  const { begun, end, look } = openCounts();
  for (const wish of EIGHT) await look(wish);
  for (const wish of EIGHT) await look(wish);
  expect(begun).toEqual(EIGHT);
  await end(3);
  expect(await look(3)).toBe('of 3');
  await look(9);
  await look(3);
  expect(begun).toEqual([...EIGHT, 9]);
  await look(1);
  expect(begun).toEqual([...EIGHT, 9, 1]);
});
