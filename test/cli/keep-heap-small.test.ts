// What V8 makes of its settings only a process of its own shows: they hold for all that runs in it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** Largest size (bytes) of the space for new objects while a hundred times as much is forgotten as is remembered. */
async function newSpaceOfWork(prelude: string): Promise<number> {
  const module = new URL('../../dist/cli/keep-heap-small.js', import.meta.url).href;
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { keepHeapSmall } from ${JSON.stringify(module)};
    ${prelude}
    const ring = [];
    let largest = 0;
    for (let i = 0; i < 4_000_000; i += 1) {
      ring[i % 40_000] = { lead: 'lead ' + i, cells: [i, i + 1] };
      if (i % 20_000 !== 0) continue;
      await new Promise((resolve) => setTimeout(resolve));
      const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
      largest = Math.max(largest, space.space_size);
    }
    console.log(largest);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return Number(stdout);
}

it('stops the space for new objects from doubling once more, as V8 does when left to itself', async () => {
  const [left, kept] = await Promise.all([newSpaceOfWork(''), newSpaceOfWork('keepHeapSmall();')]);
  expect(kept * 2).toBeLessThanOrEqual(left);
});
