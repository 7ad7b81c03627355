import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { submit } from '../../../src/run/send/submit.js';
import { atCall } from '../../helpers/around.js';
import { settled } from '../../helpers/driven-clock.js';
import { asked, COLUMNS } from '../../helpers/leads.js';
import { tries } from '../../helpers/long.js';
import { names } from '../../helpers/people.js';
import type { CallFate, Script } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import {
  type Changes,
  createRequestCallbacks,
  createWorld,
  KEYRING,
  openLoaded,
  openProcess,
  sendAll,
  statusesOf,
  type TestProcess,
  type World,
} from '../../helpers/test-run.js';

const folder = tempFolder();
const ALONE = { bulkMax: 10, concurrency: 1 };

function loaded(world: World, who: readonly string[]) {
  return openLoaded(world, who, ALONE);
}

function submitted(script: Script, who: readonly string[], changes: Changes = {}) {
  return sendAll(createWorld(folder, script), who, { ...ALONE, ...changes });
}

function calls(...list: CallFate[]): Script {
  return { call: (_, nth) => list[nth - 1] ?? 'answered' };
}

/** Refuses every call in which one of these stands. */
function refusing(culprits: readonly string[]): Script {
  return { call: (who) => (who.some((one) => culprits.includes(one)) ? 'refused' : 'answered') };
}

function sizes({ platform }: World): number[] {
  return platform.calls.map(({ length }) => length);
}

/** How often the platform accepted each person that it accepted. */
function accepted({ platform }: World): string[] {
  return platform.submissions.filter(({ fate }) => fate === 'accepted').map(({ who }) => who);
}

describe('submitting in bulk', () => {
  it('asks for many with one permit and one call, in input order', async () => {
    const { platform, statuses, events } = await submitted({}, names(8));
    expect(platform.calls).toEqual([names(8)]);
    expect(statuses).toEqual(names(8).map(() => 'awaiting'));
    const told = events.filter(({ kind }) => kind === 'enrichments.submitted');
    expect(told).toEqual([
      {
        kind: 'enrichments.submitted',
        enrichments: [1, 2, 3, 4, 5, 6, 7, 8],
        pollAt: expect.any(Number),
      },
    ]);
    expect([platform.misuses, platform.permitsOut(), platform.inFlightMax.submit]).toEqual([
      0, 0, 1,
    ]);
  });

  it('no call holds more than the platform takes, and there are no more calls than are needed', async () => {
    expect(sizes(await submitted({}, names(25)))).toEqual([8, 10, 7]);
    const wide = await submitted({ submitMs: 100 }, names(25), { concurrency: 20 });
    expect(Math.max(...sizes(wide))).toBeLessThanOrEqual(10);
    expect(sizes(wide)).toHaveLength(3);
  });

  it('no more than four calls are under way, however many requests may be', async () => {
    const { platform } = await submitted({ submitMs: 100 }, names(100), { concurrency: 20 });
    expect(platform.inFlightMax.submit).toBe(4);
    expect(platform.submissions).toHaveLength(100);
  });

  it('every item carries the key of its own enrichment, and the call an address of its own', async () => {
    const { platform, context } = await submitted({}, names(3), {
      callbacks: createRequestCallbacks(),
    });
    const { scope } = context.callbacks;
    const keys = platform.submissions.map(({ metadata }) => KEYRING.open(metadata ?? ''));
    expect(keys).toEqual([1, 2, 3].map((id) => ({ kind: 'enrichment', scope, id })));
    const url = platform.callbackOf('a1');
    expect(KEYRING.open(url.slice(url.lastIndexOf('/') + 1))).toEqual({
      kind: 'batch',
      scope,
      id: 1,
    });
  });

  it('settles items one by one where the platform answers one by one', async () => {
    const { statuses, context, platform } = await submitted(
      {
        submit: (who) => {
          if (who === 'a2') return 'refused';
          return who === 'a3' ? 'lost' : 'accepted';
        },
      },
      names(5),
    );
    expect(platform.calls).toHaveLength(1);
    expect(statuses).toEqual(['awaiting', 'failed', 'uncertain', 'awaiting', 'awaiting']);
    const answers = await context.store.answers(1, { after: 0, limit: 3 });
    expect(answers.map(({ reason }) => reason)).toEqual([
      null,
      'refused by the platform: no such company',
      'connection reset',
    ]);
  });
});

describe('a bulk call while leads are still being read', () => {
  async function reading(world: World, changes: Changes = {}) {
    const process = await openProcess(world, { bulkMax: 10, concurrency: 4, ...changes });
    let position = 0;
    const read = async (count: number): Promise<void> => {
      const { backlog, store } = process.context;
      const leads = names(count, `p${position}x`).map((who, i) => asked(position + i + 1, who));
      position += count;
      const times = { at: world.clock.now(), freshSince: 0, deadlineAt: 0 };
      const added = await store.ingest(1, { columns: COLUMNS, leads, rejects: [] }, times);
      backlog.ingested(added);
      backlog.changed();
    };
    return { ...process, read };
  }

  async function end(world: World, { context }: TestProcess, submitting: Promise<void>) {
    context.backlog.readingEnded();
    await world.clock.drive(submitting);
  }

  it('waits up to a second to be filled, and no longer', async () => {
    const world = createWorld(folder);
    const process = await reading(world);
    await process.read(3);
    const submitting = submit(process.context);
    await world.clock.advance(500);
    await process.read(2);
    await world.clock.advance(499);
    expect(sizes(world)).toEqual([]);
    await world.clock.advance(1);
    expect(sizes(world)).toEqual([5]);
    await end(world, process, submitting);
  });

  it('goes at once when it is full, and when there is no more to read', async () => {
    const world = createWorld(folder);
    const process = await reading(world, { bulkMax: 8 });
    await process.read(7);
    const startMs = world.clock.now();
    const submitting = submit(process.context);
    await world.clock.advance(100);
    await process.read(1);
    await settled();
    expect(sizes(world)).toEqual([8]);
    await process.read(4);
    await world.clock.advance(100);
    expect(sizes(world)).toEqual([8]);
    await end(world, process, submitting);
    expect(sizes(world)).toEqual([8, 4]);
    expect(world.clock.now() - startMs).toBe(200);
  });

  it('waits for its own second: a slow input is asked for in few calls, not in one for each lead', async () => {
    const world = createWorld(folder);
    const process = await reading(world);
    const submitting = submit(process.context);
    for (let i = 0; i < 50; i += 1) {
      await process.read(1);
      await world.clock.advance(125);
    }
    await end(world, process, submitting);
    expect(sizes(world)).toEqual([8, 8, 8, 8, 8, 8, 2]);
  });
});

describe('a bulk call that is refused as a whole', () => {
  it('is halved until the culprit stands alone: a handful of calls, not one for each', async () => {
    const { platform } = await submitted(refusing(['a40']), names(64), { bulkMax: 64 });
    expect(platform.calls.length).toBeLessThanOrEqual(3 * Math.log2(64));
    expect(platform.calls).toContainEqual(['a40']);
  });

  it('whoever the culprits are, whatever the size: the others are accepted exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 24 }),
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (isCulprit, bulkMax, concurrency) => {
          const who = names(isCulprit.length);
          const culprits = who.filter((_, i) => isCulprit[i]);
          const script = { submitMs: 10, ...refusing(culprits) };
          const world = await submitted(script, who, { bulkMax, concurrency });
          expect(world.statuses).toEqual(isCulprit.map((is) => (is ? 'failed' : 'awaiting')));
          expect(accepted(world)).toHaveLength(who.length - culprits.length);
          expect(world.platform.repeated()).toEqual([]);
          expect(world.platform.calls.length).toBeLessThanOrEqual(4 * who.length);
        },
      ),
      { numRuns: tries(15) },
    );
  });

  it('for its size alone: a platform that takes fewer than it said is asked for as many as it takes', async () => {
    const tooMany: Script = { call: (who) => (who.length > 3 ? 'refused' : 'answered') };
    const world = await submitted(tooMany, names(60));
    expect(world.statuses).toEqual(names(60).map(() => 'awaiting'));
    expect(accepted(world)).toHaveLength(60);
    expect(world.platform.repeated()).toEqual([]);
    expect(world.platform.calls.length).toBeLessThanOrEqual(2 * (60 / 2) + 3);
  });
});

describe('a bulk call of unknown fate', () => {
  it('leaves its own items uncertain and no others, and makes the next ones small', async () => {
    const world = await submitted(calls('lost'), names(40));
    expect(sizes(world)).toEqual([8, 1, 2, 4, 8, 10, 7]);
    expect(world.statuses).toEqual([
      ...names(8).map(() => 'uncertain'),
      ...names(32).map(() => 'awaiting'),
    ]);
    expect(world.platform.repeated()).toEqual([]);
  });

  it.each([
    ['that never answers', { call: (): CallFate => 'lost' }],
    ['whose answers hold no id at all', { submit: () => 'lost' as const }],
  ])('a platform %s is not sent one after the other', async (_, script) => {
    const alone = await submitted(script, names(200), { bulkMax: 10 });
    expect(alone.ending).toBe('reset');
    expect(sizes(alone)).toEqual([8, 1]);
    const { store } = alone.context;
    expect(await store.work(1)).toMatchObject({ queued: 200 - 9, submitting: 0 });
    const wide = await submitted({ submitMs: 100, ...script }, names(200), { concurrency: 20 });
    expect(wide.ending).toBe('reset');
    expect(wide.platform.submissions.length).toBeLessThanOrEqual(8 + 1);
  });

  it('of which the process did not live to hear leaves its items uncertain, and nothing else', async () => {
    const world = createWorld(folder);
    const { context } = await loaded(world, names(30));
    const never = atCall(world.platform, 'submitMany', 2, async (call) => {
      await call();
      return new Promise(() => undefined);
    });
    void submit({ ...context, platform: never });
    await settled();
    const next = await openProcess(world);
    expect(await next.context.store.recover(1)).toBe(10);
    expect(await statusesOf(next.context)).toEqual([
      ...names(8).map(() => 'awaiting'),
      ...names(10).map(() => 'uncertain'),
      ...names(12).map(() => 'queued'),
    ]);
  });
});

describe('a bulk call that was certainly not accepted', () => {
  it('goes back into the queue whole, and is sent again after a pause', async () => {
    const world = createWorld(folder, { submitMs: 100, ...calls('unsent', 'unsent') });
    const { context } = await loaded(world, names(8));
    const submitting = submit(context);
    await world.clock.advance(300);
    expect(await statusesOf(context)).toEqual(names(8).map(() => 'queued'));
    await world.clock.drive(submitting);
    expect(sizes(world)).toEqual([8, 8, 8]);
    const [first = 0, ...later] = world.platform.submissions
      .filter(({ who }) => who === 'a1')
      .map(({ at }) => at);
    expect(later.map((at) => at - first)).toEqual([600, 1_700]);
    expect(await statusesOf(context)).toEqual(names(8).map(() => 'awaiting'));
    expect(world.platform.repeated()).toEqual([]);
  });
});
