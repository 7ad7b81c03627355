// What V8 makes of its settings, which hold for all that runs in this process.
import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { tuneV8 } from '../../src/cli/tune-v8.js';

/** Largest size (bytes) of the space for new objects while a hundred times as much is forgotten as is remembered. */
async function newSpaceOfWork(): Promise<number> {
  const ring: object[] = [];
  let largest = 0;
  for (let i = 0; i < 4_000_000; i += 1) {
    ring[i % 40_000] = { lead: `lead ${i}`, cells: [i, i + 1] };
    if (i % 5_000 !== 0) continue;
    // What is told of collections is told between turns.
    await new Promise((resolve) => setImmediate(resolve));
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    largest = Math.max(largest, space?.space_size ?? 0);
  }
  return largest;
}

it('keeps the space for new objects at 16 MiB, which V8 would let double once more', async () => {
  tuneV8();
  expect(await newSpaceOfWork()).toBe(16 * 1024 ** 2);
});
