// A run whose job another process has taken over, or could at any moment.
import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import { listLeads } from '../../../src/run/list-leads.js';
import { processRun } from '../../../src/run/process-run.js';
import { names, people, readerOf } from '../../helpers/people.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { createWorld, openProcess, statusesOf } from '../../helpers/test-run.js';

const folder = tempFolder();
/** A run whose store says `maySend` once `count` requests may have left. */
async function start(bulkMax: number, count: number, maySend: () => Promise<boolean>) {
  const world = createWorld(folder);
  const process = await openProcess(world, { bulkMax, concurrency: 2 });
  const { context } = process;
  let asked = 0;
  const store: typeof context.store = {
    ...context.store,
    maySend: () => ((asked += 1) > count ? maySend() : Promise.resolve(true)),
  };
  return { world, context: { ...context, store } };
}

const LOST = () => Promise.resolve(false);

describe('a run that may not send any more', () => {
  it.each([
    [1, 3, 3],
    [5, 1, 5],
  ])('sends nothing, says so, and leaves the rest queued (bulk %i)', async (bulkMax, may, sent) => {
    const { context, world } = await start(bulkMax, may, LOST);
    const work = processRun(context, readerOf(people(names(20))), false);
    const { problem } = await world.clock.drive(work);
    expect(problem).toMatchObject({
      code: 'busy',
      message: expect.stringMatching(/^Another process has taken over nightly/),
    });
    expect(world.platform.submissions).toHaveLength(sent);
    expect(world.platform.permitsOut()).toBe(0);
    const statuses = await statusesOf(context);
    expect(statuses.filter((one) => one === 'queued')).toHaveLength(20 - sent);
  });

  it('sends nothing either where that cannot be asked, and says why', async () => {
    const gone = new SluiceError('store', 'The database is gone.');
    const { context, world } = await start(1, 0, () => Promise.reject(gone));
    const work = processRun(context, readerOf(people(names(3))), false);
    expect((await world.clock.drive(work)).problem).toBe(gone);
    expect(world.platform.submissions).toEqual([]);
    expect(await statusesOf(context)).toEqual(['queued', 'queued', 'queued']);
  });

  it('makes no contact list, and the next process may', async () => {
    const { context, world } = await start(1, 2, LOST);
    await world.clock.drive(processRun(context, readerOf(people(names(2))), false));
    const plan = { name: 'Warm', where: undefined, shape: { kind: 'current' } } as const;
    await expect(world.clock.drive(listLeads(context, plan))).rejects.toMatchObject({
      code: 'busy',
    });
    expect(world.platform.lists.size).toBe(0);
    const next = await openProcess(world);
    expect(await world.clock.drive(listLeads(next.context, plan))).toMatchObject({ added: 2 });
  });
});
