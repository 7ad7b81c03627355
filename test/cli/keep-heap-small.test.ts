// What V8 makes of its settings only a process of its own shows: they hold for all that runs in it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** Bytes of the heap after a while in which a hundred times as much was forgotten as is remembered. */
async function heapAfterWork(prelude: string): Promise<number> {
  const module = new URL('../../dist/cli/keep-heap-small.js', import.meta.url).href;
  const program = `
    import { keepHeapSmall } from ${JSON.stringify(module)};
    ${prelude}
    const ring = [];
    for (let i = 0; i < 4_000_000; i += 1) {
      ring[i % 40_000] = { lead: 'lead ' + i, cells: [i, i + 1] };
      if (i % 20_000 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    console.log(process.memoryUsage().heapTotal);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return Number(stdout);
}

it('keeps the heap smaller than V8 does when left to itself', async () => {
  const [left, kept] = await Promise.all([heapAfterWork(''), heapAfterWork('keepHeapSmall();')]);
  expect(kept).toBeLessThan(left * 0.9);
});
