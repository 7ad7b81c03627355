// A job that is paused while a run works on it, or before one begins.
import { describe, expect, it } from 'vitest';
import { processRun } from '../../../src/run/process-run.js';
import { names, people, readerOf } from '../../helpers/people.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { createWorld, openProcess } from '../../helpers/test-run.js';

const folder = tempFolder();
describe('a paused job', () => {
  it('that is resumed while answers still come sends on in the same process', async () => {
    let [isResumed, sentWhilePaused] = [false, 0];
    const world = createWorld(folder, { read: () => (isResumed ? 'filled' : 'pending') });
    const { context, events } = await openProcess(world, { concurrency: 1 });
    const { clock, platform } = world;
    const { run, store } = context;
    let paused: Promise<unknown> | undefined;
    const observe: typeof context.observe = (event) => {
      context.observe(event);
      if (event.kind === 'enrichments.claimed') paused ??= store.pauseJob(run.job, clock.now());
    };
    const resuming = async () => {
      await clock.sleep(60_000);
      isResumed = true;
      sentWhilePaused = platform.submissions.length;
      await store.pauseJob(run.job, null);
    };
    const resume = resuming();
    const work = processRun({ ...context, observe }, readerOf(people(names(2))), false);
    await clock.drive(Promise.all([work, resume]));
    await paused;
    expect(sentWhilePaused).toBe(1);
    expect(platform.submissions).toHaveLength(2);
    expect(events.filter(({ kind }) => kind === 'run.warned')).toHaveLength(1);
  });

  it('that is cancelled instead waits to be told, and looks no thousand times a second', async () => {
    const world = createWorld(folder);
    const stopping = new AbortController();
    const { context } = await openProcess(world, { drain: stopping.signal });
    const { store, run } = context;
    let claims = 0;
    const counting: typeof store = {
      ...store,
      claim: (...asked) => {
        claims += 1;
        return store.claim(...asked);
      },
    };
    await store.endRun(run.id, 'cancelled', world.clock.now());
    const stop = world.clock.sleep(1_000).then(() => stopping.abort());
    const work = processRun({ ...context, store: counting }, readerOf(people(names(3))), false);
    await world.clock.drive(Promise.all([work, stop]));
    expect(world.platform.submissions).toEqual([]);
    expect(claims).toBeLessThan(10);
  });
});
