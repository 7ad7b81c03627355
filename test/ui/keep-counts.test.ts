import { expect, it } from 'vitest';
import { keepCounts } from '../../src/ui/keep-counts.js';

const T0 = 1_700_000_000_000;
const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8];

/** Counts that end when they are told to; `begun` has the wishes in the order in which they were begun. */
function openCounts() {
  let now = T0;
  const begun: number[] = [];
  const ends = new Map<number, (figures: string) => void>();
  const clock = { now: () => now, sleep: () => Promise.resolve() };
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
    wait: (ms: number) => {
      now += ms;
    },
  };
}

it('pages that wait for many counts do not begin one another’s anew', async () => {
  const { begun, end, look } = openCounts();
  for (const wish of EIGHT) look(wish);
  expect(() => look(9)).toThrow('8 other pages have this counted already.');
  for (const wish of EIGHT) look(wish);
  expect(begun).toEqual(EIGHT);
  await end(3);
  expect(look(3).figures).toBe('of 3');
  look(9);
  expect(begun).toEqual([...EIGHT, 9]);
});

it('what no page looks at any more makes room', () => {
  const { begun, look, wait } = openCounts();
  for (const wish of EIGHT) look(wish);
  wait(60_001);
  for (const wish of EIGHT.filter((one) => one !== 5)) look(wish);
  look(9);
  expect(() => look(5)).toThrow('Try again when one of them is done.');
  expect(begun).toEqual([...EIGHT, 9]);
});
