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
    look: (wish: number) => counts.beginAfter(wish, T0 - 1),
    end: async (wish: number) => {
      ends.get(wish)?.(`of ${wish}`);
      await expect.poll(() => counts.of(wish)?.counting.at).not.toBeNull();
    },
  };
}

it('of eight counts the oldest makes room for another', async () => {
  const { begun, end, look } = openCounts();
  for (const wish of EIGHT) look(wish);
  for (const wish of EIGHT) look(wish);
  expect(begun).toEqual(EIGHT);
  await end(3);
  expect(look(3).figures).toBe('of 3');
  look(9);
  look(3);
  expect(begun).toEqual([...EIGHT, 9]);
  look(1);
  expect(begun).toEqual([...EIGHT, 9, 1]);
});
