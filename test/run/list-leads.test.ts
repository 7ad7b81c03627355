// Who goes into the contact list of a run, and that nothing which dies on the way makes a second list.
import { describe, expect, it } from 'vitest';
import type { CreateListAnswer, Platform } from '../../src/ports/platform.js';
import { type ListPlan, listLeads } from '../../src/run/list-leads.js';
import { processRun } from '../../src/run/process-run.js';
import { atCall } from '../helpers/around.js';
import { settled } from '../helpers/driven-clock.js';
import { names, people, readerOf } from '../helpers/people.js';
import { problem, type Script } from '../helpers/scripted-platform.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { createWorld, openProcess } from '../helpers/test-run.js';
import { problemOf } from '../platform/test-server.js';

const WARM: ListPlan = { name: 'Warm', where: undefined, shape: { kind: 'current' } };
const LISTED = { listId: 'clt_1', name: 'Warm' };

const folder = tempFolder();
/** A run whose leads are all answered, and none listed yet. */
async function answered(who: readonly string[], script: Script = {}) {
  const world = createWorld(folder, script);
  const process = await openProcess(world, { bulkMax: 50, concurrency: 50 });
  await world.clock.drive(processRun(process.context, readerOf(people(who)), false));
  const members = () =>
    [...world.platform.lists].map(
      ([id, list]) => `${id}: ${list.map(({ email }) => email).join(' ')}`,
    );
  return { world, process, members };
}

/** The same platform with other answers to what creates a list. */
function creating(
  platform: Platform,
  create: (name: string) => Promise<CreateListAnswer>,
): Platform {
  return {
    ...platform,
    createList: (name, permit) => {
      permit.release();
      return create(name);
    },
  };
}

/** Never comes back: the process dies there. */
function dies(): Promise<never> {
  return new Promise(() => undefined);
}

describe('the contact list of a run', () => {
  it('takes every lead with an address, in order, a call for as many as one takes', async () => {
    const { world, process, members } = await answered(names(8));
    const calls: number[] = [];
    const platform: Platform = {
      ...world.platform,
      addToList: (id, part) => {
        calls.push(part.length);
        return world.platform.addToList(id, part);
      },
    };
    expect(await listLeads({ ...process.context, platform }, WARM)).toMatchObject({
      ...LISTED,
      added: 8,
      alreadyIn: 0,
    });
    expect(calls).toEqual([3, 3, 2]);
    expect(members()).toEqual([
      `clt_1: ${names(8)
        .map((who) => `${who}@example.com`)
        .join(' ')}`,
    ]);
    expect(world.platform.permitsOut()).toBe(0);
  });

  it('leaves out who cannot be told apart, and takes two lines of one person once', async () => {
    const script: Script = { read: (who) => (who === 'b' ? 'empty' : 'filled') };
    const { process, members } = await answered(['a', 'b', 'a', ''], script);
    expect(await listLeads(process.context, WARM)).toMatchObject({ added: 1, alreadyIn: 1 });
    expect(members()).toEqual(['clt_1: a@example.com']);
  });
});

it('a call that fails tells whom it had, and how many are in', async () => {
  const { world, process } = await answered(names(210));
  const failing = (from: number): Platform => {
    let calls = 0;
    return {
      ...world.platform,
      addToList: async (id, part) => {
        calls += 1;
        if (calls === from) throw problem('Refused.');
        return world.platform.addToList(id, part);
      },
    };
  };
  const messageAt = async (from: number, where?: string) => {
    const context = { ...process.context, platform: failing(from) };
    return (await problemOf(() => listLeads(context, { ...WARM, where }))).message;
  };
  const one = `first_name = ${names(7).at(-1)}`;
  expect(await messageAt(1, one)).toMatch(/from lead 7; none was added before it\.$/);
  expect(await messageAt(1)).toBe(
    'Refused. That call had people from leads 1 to 3; none was added before it.',
  );
  expect(await messageAt(2)).toBe(
    'Refused. That call had people from leads 4 to 6; 3 were added before it.',
  );
  expect(await messageAt(70)).toMatch(/leads 207 to 209; 203 were added before it\.$/);
});

describe('a run that dies', () => {
  it.each([
    ['before it says that it will create', 'beginList', 'before'],
    ['before it knows which one it is', 'wantList', 'after'],
  ] as const)('%s has created nothing, and the next one creates it', async (_, verb, when) => {
    const { world, process, members } = await answered(['a']);
    const store = atCall(process.context.store, verb, 1, async (call) => {
      if (when === 'after') await call();
      return dies();
    });
    void listLeads({ ...process.context, store }, WARM);
    await settled();
    const next = await openProcess(world);
    expect(await listLeads(next.context, WARM)).toMatchObject({ ...LISTED, added: 1 });
    expect(members()).toHaveLength(1);
  });

  it('while it adds is continued where it stopped, and no person is in twice', async () => {
    const { world, process, members } = await answered(names(410));
    const store = atCall(process.context.store, 'advanceList', 2, dies);
    void listLeads({ ...process.context, store }, WARM);
    await settled();
    const next = await openProcess(world);
    let asked = 0;
    const platform: Platform = {
      ...world.platform,
      addToList: (id, part) => {
        asked += part.length;
        return world.platform.addToList(id, part);
      },
    };
    // The second look was not recorded: only its leads are added once more.
    expect(await listLeads({ ...next.context, platform }, WARM)).toMatchObject({
      added: 210,
      alreadyIn: 200,
    });
    expect(asked).toBe(210);
    expect(members()[0]?.split(' ')).toHaveLength(411);
  });
});

describe('a list that cannot be created', () => {
  it.each<[string, Exclude<CreateListAnswer, { kind: 'created' }>, RegExp]>([
    ['was refused', { kind: 'refused', reason: 'too many lists' }, /refused .*too many lists/],
    [
      'certainly was not taken',
      { kind: 'unsent', problem: problem('connection refused'), isFinal: false },
      /^connection refused$/,
    ],
  ])('since it %s is created by the next run', async (_, answer, said) => {
    const { process } = await answered(['a']);
    const platform = creating(process.context.platform, async () => answer);
    const { message } = await problemOf(() => listLeads({ ...process.context, platform }, WARM));
    expect(message).toMatch(said);
    expect(await listLeads(process.context, WARM)).toMatchObject(LISTED);
  });

  it('while the platform throttles is asked for again after the pause, but not for ever', async () => {
    const { process } = await answered(['a']);
    const { platform } = process.context;
    let asked = 0;
    const throttling = (until: number) =>
      creating(platform, async () => {
        asked += 1;
        return asked < until
          ? { kind: 'throttled', problem: problem('too many requests') }
          : { kind: 'created', list: { id: 'clt_7', name: 'Warm' } };
      });
    const busy = { ...process.context, platform: throttling(100) };
    expect((await problemOf(() => listLeads(busy, WARM))).message).toBe('too many requests');
    expect(asked).toBe(8);
    asked = 0;
    const addToList: Platform['addToList'] = async () => ({ added: 1, alreadyIn: 0 });
    const calmer = { ...process.context, platform: { ...throttling(3), addToList } };
    expect(await listLeads(calmer, WARM)).toMatchObject({ listId: 'clt_7' });
    expect(asked).toBe(3);
  });

  it('takes no permit with it where another process has begun', async () => {
    const { world, process } = await answered(['a']);
    const store = atCall(process.context.store, 'beginList', 1, async (call) => {
      await call();
      return call();
    });
    await problemOf(() => listLeads({ ...process.context, store }, WARM));
    expect(world.platform.permitsOut()).toBe(0);
  });
});
