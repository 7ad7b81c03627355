// A job that is paused while a run works on it, or before one begins.
import { describe, expect, it } from 'vitest';
import { processRun } from '../../../src/run/process-run.js';
import { names, people, readerOf } from '../../helpers/people.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { createWorld, openProcess } from '../../helpers/test-run.js';

const folder = tempFolder();
describe('a paused job', () => {
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
