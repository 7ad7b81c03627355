import { expect, test } from 'vitest';
import type { Ask } from '../../src/model/ask.js';
import type { LeadReader } from '../../src/ports/lead-reader.js';
import { processRun } from '../../src/run/process-run.js';
import { people, readerOf } from '../helpers/people.js';
import { tempFolder } from '../helpers/temp-folder.js';
import {
  type Changes,
  createWorld,
  openLoaded,
  openProcess,
  TERMS,
  type World,
} from '../helpers/test-run.js';

const folder = tempFolder();
const WIDE: readonly Ask[] = ['find_email', 'find_phone'];

/** What a job's process does from here on; its leads with what they cost. */
async function work(world: World, changes: Changes, reader: LeadReader) {
  const { close, context } = await openProcess(world, changes);
  const asked = await context.store.asked();
  const terms = { ...(changes.terms ?? TERMS), asked };
  const { problem } = await world.clock.drive(processRun({ ...context, terms }, reader, false));
  const rows = await context.store.answers(context.run.id, 0, 9);
  await close();
  return { problem, asked, leads: rows.map(({ credits, status }) => [status, credits]) };
}

test('what others have asked for meanwhile, and more, is not sent when the run goes on', async () => {
  const world = createWorld(folder);
  const cut = await openLoaded(world, ['ada', 'bob']);
  await cut.context.store.finishReading(cut.context.run.id);
  await cut.close();
  const wide = { plan: { job: 'wide', ask: WIDE }, terms: { ...TERMS, ask: WIDE } };
  expect(await work(world, wide, readerOf(people(['ada'])))).toMatchObject({
    leads: [['found', 5]],
  });
  expect(await work(world, {}, readerOf())).toEqual({
    problem: undefined,
    asked: expect.arrayContaining([['find_email'], WIDE]) as unknown,
    leads: [
      ['found', 0],
      ['found', 5],
    ],
  });
  expect(world.platform.submissions.map(({ ask, who }) => [who, ask])).toEqual([
    ['ada', WIDE],
    ['bob', ['find_email']],
  ]);
});

test('what only the job itself has asked for is not looked for', async () => {
  const world = createWorld(folder);
  const cut = await openLoaded(world, ['ada']);
  await cut.close();
  const { close, context } = await openProcess(world);
  const looks: string[] = [];
  const store = new Proxy(context.store, {
    get: (target, name, receiver) => {
      if (name === 'queued') looks.push(name);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  const terms = { ...TERMS, asked: await store.asked() };
  await world.clock.drive(processRun({ ...context, store, terms }, readerOf(), false));
  expect(looks).toEqual([]);
  await close();
});
