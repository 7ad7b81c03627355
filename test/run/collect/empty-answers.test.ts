// The second look at empty answers, over whole runs.
import { expect, it } from 'vitest';
import { Readings } from '../../../src/run/collect/readings.js';
import { processRun } from '../../../src/run/process-run.js';
import { names, people, readerOf } from '../../helpers/people.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { createWorld, openProcess, statusesOf, type World } from '../../helpers/test-run.js';

const folder = tempFolder();
const WHO = names(60);

/** A process that takes up what the state file knows, and what it has come to. */
async function work(world: World, { looksTwice = true, stopsAtRead = 0 } = {}) {
  const readings = new Readings('neutral', [], looksTwice);
  const { close, context, stop } = await openProcess(world, { readings });
  const { read } = world.platform.script;
  world.platform.script.read = (who, attempt) => {
    if (world.platform.reads.length === stopsAtRead) stop();
    return read?.(who, attempt) ?? 'filled';
  };
  await world.clock.drive(processRun(context, readerOf(people(WHO)), false));
  const statuses = await statusesOf(context);
  await close();
  return { statuses, looks: world.platform.reads.length };
}

it('is made for each, and finds values that begin to come with the first look', async () => {
  const world = createWorld(folder, { read: (_, attempt) => (attempt > 1 ? 'filled' : 'empty') });
  const { looks, statuses } = await work(world);
  expect(new Set(statuses)).toEqual(new Set(['found']));
  expect(looks).toBe(2 * WHO.length);
});

it('is made by the next process where this one ends before it, and no third one', async () => {
  const world = createWorld(folder, { read: () => 'empty' });
  const killed = await work(world, { stopsAtRead: 30 });
  expect(killed.statuses).toContain('awaiting');
  const { looks, statuses } = await work(world);
  expect(new Set(statuses)).toEqual(new Set(['not_found']));
  expect(looks).toBe(2 * WHO.length);
});

it('is not made where the dialect says never', async () => {
  const { looks, statuses } = await work(createWorld(folder, { read: () => 'empty' }), {
    looksTwice: false,
  });
  expect(new Set(statuses)).toEqual(new Set(['not_found']));
  expect(looks).toBe(WHO.length);
});
