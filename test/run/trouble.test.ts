import { afterEach, describe, expect, it } from 'vitest';
import { processRun } from '../../src/run/process-run.js';
import { createTroubleCounter } from '../../src/run/trouble.js';
import { names, people, readerOf } from '../helpers/people.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { createWorld, openProcess, type TestProcess } from '../helpers/test-run.js';

const folder = tempFolder();
let opened: TestProcess | undefined;
afterEach(() => opened?.close());

/** What is told while so many polls in a row have no answer. */
async function toldOf(failures: number): Promise<string[]> {
  let reads = 0;
  const world = createWorld(folder, {
    read: () => {
      reads += 1;
      return reads > 1 && reads <= 1 + failures ? 'unavailable' : 'filled';
    },
  });
  opened = await openProcess(world, { concurrency: 1 });
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

describe('createTroubleCounter', () => {
  it('is patient until so many failed in a row, and starts again after a success', () => {
    const trouble = createTroubleCounter(3);
    const fail = () => trouble.failed(trouble.begin());
    expect([fail(), fail()]).toEqual([false, false]);
    trouble.succeeded();
    expect([fail(), fail(), fail()]).toEqual([false, false, true]);
  });

  it('pauses not at all while all is well, then twice as long each time, up to half a minute', () => {
    const trouble = createTroubleCounter(99);
    const pauses = [trouble.pauseMs()];
    for (let i = 0; i < 9; i += 1) {
      trouble.failed(trouble.begin());
      pauses.push(trouble.pauseMs());
    }
    expect(pauses).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    trouble.succeeded();
    expect(trouble.pauseMs()).toBe(0);
  });

  it('counts a burst once: requests that were under way together tell of one and the same trouble', () => {
    const trouble = createTroubleCounter(3);
    const burst = Array.from({ length: 8 }, () => trouble.begin());
    expect(burst.map((since) => trouble.failed(since))).toEqual(burst.map(() => false));
    expect(trouble.pauseMs()).toBe(500);
    expect(trouble.failed(trouble.begin())).toBe(false);
    const last = [trouble.begin(), trouble.begin()];
    expect(last.map((since) => trouble.failed(since))).toEqual([true, true]);
  });
});
