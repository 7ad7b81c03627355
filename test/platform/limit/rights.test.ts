import { expect, it } from 'vitest';
import { createForeignUse } from '../../../src/platform/limit/foreign-use.js';

it('counts the largest note that still runs, whatever order they came in', () => {
  const foreign = createForeignUse();
  expect(foreign.nextFallMs(0)).toBeUndefined();
  foreign.note(5, 300);
  foreign.note(9, 100);
  foreign.note(7, 200);
  foreign.note(6, 150);
  foreign.note(7, 50);
  expect([0, 99, 100, 199, 200, 299, 300].map((ms) => foreign.count(ms))).toEqual([
    9, 9, 7, 7, 5, 5, 0,
  ]);
});

it('forgets a note that a larger and longer one outdoes', () => {
  const foreign = createForeignUse();
  foreign.note(3, 100);
  foreign.note(8, 400);
  expect([0, 399, 400].map((ms) => foreign.count(ms))).toEqual([8, 8, 0]);
});

it('falls when the largest note ends', () => {
  const foreign = createForeignUse();
  foreign.note(9, 100);
  foreign.note(5, 300);
  expect(foreign.nextFallMs(0)).toBe(100);
  expect(foreign.nextFallMs(100)).toBe(300);
});
