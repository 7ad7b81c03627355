// A job that is paused while a run works on it, or before one begins.
import { afterEach, describe, expect, it } from 'vitest';
import { processRun } from '../../../src/run/process-run.js';
import { names, people, readerOf } from '../../helpers/people.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import {
  type Changes,
  createWorld,
  openProcess,
  statusesOf,
  type World,
} from '../../helpers/test-run.js';

const folder = tempFolder();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function start(world: World, changes: Changes = {}) {
  const process = await openProcess(world, changes);
  open.push(process);
  return process;
}

function count(statuses: readonly string[], status: string): number {
  return statuses.filter((one) => one === status).length;
}

describe('a paused job', () => {
  it.each([[1], [20]])(
    'reads all leads, sends none, gives every permit back and says so (bulk %i)',
    async (bulkMax) => {
      const world = createWorld(folder);
      const { context } = await start(world, { bulkMax });
      await context.store.pauseJob(context.run.job, world.clock.now());
      const slow = async () => {
        await world.clock.sleep(60_000);
        return people(names(3, 'b'), 6);
      };
      const reader = readerOf(people(names(4)), slow);
      const { problem } = await world.clock.drive(processRun(context, reader, false));
      expect(problem).toMatchObject({ code: 'paused', facts: { job: context.run.job } });
      expect(world.platform.submissions).toEqual([]);
      expect(world.platform.permitsOut()).toBe(0);
      expect(await statusesOf(context)).toEqual(Array.from({ length: 7 }, () => 'queued'));
    },
  );

  it('that is cancelled instead waits to be told, and looks no thousand times a second', async () => {
    const world = createWorld(folder);
    const stopping = new AbortController();
    const { context } = await start(world, { drain: stopping.signal });
    const { store, run } = context;
    let claims = 0;
    const counting: typeof store = {
      ...store,
      claim: (...asked) => {
        claims += 1;
        return store.claim(...asked);
      },
    };
    await store.cancelRun(run.id, world.clock.now());
    const stop = world.clock.sleep(1_000).then(() => stopping.abort());
    const work = processRun({ ...context, store: counting }, readerOf(people(names(3))), false);
    await world.clock.drive(Promise.all([work, stop]));
    expect(world.platform.submissions).toEqual([]);
    expect(claims).toBeLessThan(10);
  });

  it('collects what was sent before it was paused, and goes on once it is resumed', async () => {
    const world = createWorld(folder);
    const { context } = await start(world, { concurrency: 2 });
    const { store, run } = context;
    const pausing: typeof store = {
      ...store,
      recordSubmits: async (records) => {
        await store.pauseJob(run.job, world.clock.now());
        return await store.recordSubmits(records);
      },
    };
    const paused = { ...context, store: pausing };
    const { problem } = await world.clock.drive(
      processRun(paused, readerOf(people(names(9))), false),
    );
    expect(problem).toMatchObject({ code: 'paused' });
    const sent = world.platform.submissions.length;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(9);
    const statuses = await statusesOf(context);
    expect([count(statuses, 'found'), count(statuses, 'queued')]).toEqual([sent, 9 - sent]);
    await store.resumeJob(run.job);
    const next = await start(world);
    await world.clock.drive(processRun(next.context, readerOf(people(names(9))), false));
    expect(count(await statusesOf(next.context), 'found')).toBe(9);
    expect(world.platform.repeated()).toEqual([]);
    expect(world.platform.permitsOut()).toBe(0);
  });

  it('that has nothing to send ends like any other', async () => {
    const world = createWorld(folder);
    const { context } = await start(world);
    await world.clock.drive(processRun(context, readerOf(people(names(2))), false));
    await context.store.pauseJob(context.run.job, world.clock.now());
    const again = await start(world);
    const { problem } = await world.clock.drive(processRun(again.context, readerOf(), false));
    expect(problem).toBeUndefined();
  });
});
