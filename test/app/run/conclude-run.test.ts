import { afterEach, expect, it } from 'vitest';
import { fillList } from '../../../src/app/run/end/conclude-run.js';
import type { SluiceError } from '../../../src/model/errors.js';
import type { Platform } from '../../../src/ports/platform.js';
import { processRun } from '../../../src/run/process-run.js';
import { atCall } from '../../helpers/around.js';
import { people, readerOf } from '../../helpers/people.js';
import { problem } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { createWorld, openLoaded, openProcess, type TestProcess } from '../../helpers/test-run.js';

const WARM = { name: 'Warm', where: undefined, shape: { kind: 'current' } } as const;
const WELL = { problem: undefined };

const folder = tempFolder();
const open: TestProcess[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A run whose two leads are answered. */
async function answered() {
  const world = createWorld(folder);
  const process = await openProcess(world);
  open.push(process);
  await world.clock.drive(processRun(process.context, readerOf(people(['ada', 'bob'])), false));
  return { world, process, context: process.context };
}

it('a run that wants none, met trouble, or is told to stop, creates none', async () => {
  const { context, process, world } = await answered();
  const trouble = problem('out of credits');
  expect(await fillList(context, null, WELL)).toEqual({ ...WELL, listed: null });
  expect(await fillList(context, WARM, { problem: trouble })).toEqual({
    problem: trouble,
    listed: null,
  });
  process.stop();
  expect(await fillList(context, WARM, WELL)).toEqual({ ...WELL, listed: null });
  expect(world.platform.lists.size).toBe(0);
});

it('a run that still waits for answers creates none', async () => {
  const world = createWorld(folder);
  const process = await openLoaded(world, ['ada']);
  open.push(process);
  expect(await fillList(process.context, WARM, WELL)).toEqual({ ...WELL, listed: null });
  expect(world.platform.lists.size).toBe(0);
});

it('trouble of the platform ends the run, unless it was told to stop meanwhile', async () => {
  const { context, process } = await answered();
  const trouble = problem('no list');
  const failing = (before: () => void): Platform => ({
    ...context.platform,
    addToList: () => {
      before();
      return Promise.reject(trouble);
    },
  });
  const well = { ...context, platform: failing(() => undefined) };
  expect(await fillList(well, WARM, WELL)).toMatchObject({
    problem: { code: 'platform', message: expect.stringMatching(/^no list/) },
    listed: null,
  });
  const stopping = { ...context, platform: failing(process.stop) };
  expect(await fillList(stopping, WARM, WELL)).toEqual({ ...WELL, listed: null });
});

it('trouble of the state file ends the run, also one that was told to stop', async () => {
  const { context, process } = await answered();
  const full: Partial<SluiceError> = Object.assign(problem('disk full'), { code: 'store' });
  const store = atCall(context.store, 'advanceList', 1, () => {
    process.stop();
    return Promise.reject(full);
  });
  expect(await fillList({ ...context, store }, WARM, WELL)).toEqual({
    problem: full,
    listed: null,
  });
});
