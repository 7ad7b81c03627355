// Runs of two jobs, of which one asks for a part of what the other one asks, about the same people.
import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../src/model/ask.js';
import { processRun } from '../../../src/run/process-run.js';
import { names, people, readerOf } from '../../helpers/people.js';
import type { Script } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import {
  type Changes,
  createWorld,
  openLoaded,
  openProcess,
  statusesOf,
  TERMS,
  type World,
} from '../../helpers/test-run.js';

const folder = tempFolder();
const WIDE: readonly Ask[] = ['find_email', 'find_phone'];
const ASKS_MORE: Changes = { plan: { job: 'wide', ask: WIDE }, terms: { ...TERMS, ask: WIDE } };
const FIRST = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay'];

/** What was sent, in that order. */
function sentBy({ platform }: World): string[] {
  return platform.submissions.map(({ ask, who }) => `${who} ${ask.length}`);
}

/** A run of the narrow job that has read all leads, and waits until the platform takes the first of them. */
async function startHeld(world: World, who: readonly string[], changes: Changes = {}) {
  const narrow = await openLoaded(world, who, { concurrency: 1, ...changes });
  return { narrow, working: processRun(narrow.context, readerOf(), false) };
}

async function workWide(world: World, who: readonly string[], changes: Changes = {}) {
  const wide = await openProcess(world, { ...ASKS_MORE, ...changes });
  await world.clock.drive(processRun(wide.context, readerOf(people(who)), false));
}

/** Accepts all but the first request, until that is let go. */
function holdingFirst(first: string): { readonly script: Script; readonly letGo: () => void } {
  let letGo = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => (letGo = resolve));
  const submit = async (who: string) => {
    if (who === first) await isOpen;
    return 'accepted' as const;
  };
  return { script: { submit }, letGo: () => letGo() };
}

describe('what another job that is at work has asked for, and more', () => {
  it('is sent to the end by both, whoever comes first: no part after its whole', async () => {
    const world = createWorld(folder, { submitMs: 40, readMs: 20 });
    const narrow = await openProcess(world, { concurrency: 2 });
    const wide = await openProcess(world, { ...ASKS_MORE, concurrency: 3 });
    const all = names(24);
    const endings = await world.clock.drive(
      Promise.all([
        processRun(wide.context, readerOf(people(all)), false),
        processRun(narrow.context, readerOf(people(all.toReversed())), false),
      ]),
    );
    expect(endings).toEqual([{ problem: undefined }, { problem: undefined }]);
    expect(world.platform.repeated()).toEqual([]);
    for (const { context } of [narrow, wide]) {
      expect(new Set(await statusesOf(context))).toEqual(new Set(['found']));
    }
    // Those that the narrow job had sent by then are asked for both.
    expect(world.platform.submissions.length).toBeLessThan(2 * all.length);
  });

  it('takes nothing from a budget, and leaves it to the others', async () => {
    const { letGo, script } = holdingFirst('zoe');
    const world = createWorld(folder, script);
    const { narrow, working } = await startHeld(world, ['zoe', ...FIRST, 'gus', 'hal'], {
      plan: { budget: 10 },
    });
    await world.clock.advance(10);
    await workWide(world, FIRST);
    letGo();
    expect((await world.clock.drive(working)).problem).toMatchObject({ code: 'budget' });
    expect(sentBy(world).filter((one) => one.endsWith(' 1'))).toEqual(['zoe 1', 'gus 1']);
    expect((await statusesOf(narrow.context)).at(-1)).toBe('queued');
  });
});
