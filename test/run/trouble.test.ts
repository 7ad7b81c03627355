import { expect, it } from 'vitest';
import { processRun } from '../../src/run/process-run.js';
import { names, people, readerOf } from '../helpers/people.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { createWorld, openProcess } from '../helpers/test-run.js';

const folder = tempFolder();

/** What is told while so many polls in a row have no answer. */
async function toldOf(failures: number): Promise<string[]> {
  let reads = 0;
  const world = createWorld(folder, {
    read: () => {
      reads += 1;
      return reads > 1 && reads <= 1 + failures ? 'unavailable' : 'filled';
    },
  });
  const opened = await openProcess(world, { concurrency: 1 });
  const { problem } = await world.clock.drive(
    processRun(opened.context, readerOf(people(names(3))), false),
  );
  expect(problem).toBeUndefined();
  return opened.events.flatMap((event) => {
    if (event.kind === 'run.warned') return [`${event.warning}: ${event.message}`];
    return event.kind === 'platform.back' ? [`back after ${event.durationMs} ms`] : [];
  });
}

it('a platform that goes silent is told once, and once when it answers again', async () => {
  expect(await toldOf(9)).toEqual([
    expect.stringMatching(/^platform_silent: unavailable.* The run goes on asking/),
    'back after 121500 ms',
  ]);
});

it('a passing trouble is not worth a word', async () => {
  expect(await toldOf(3)).toEqual([]);
});
