import { describe, expect, it } from 'vitest';
import type { LeadReader } from '../../src/ports/lead-reader.js';
import { ingest } from '../../src/run/ingest.js';
import { processRun } from '../../src/run/process-run.js';
import { atCall } from '../helpers/around.js';
import { settled } from '../helpers/driven-clock.js';
import { names, people, readerOf } from '../helpers/people.js';
import type { Script } from '../helpers/scripted-platform.js';
import { tempFolder } from '../helpers/temp-folder.js';
import {
  createWorld,
  openProcess,
  statusesOf,
  type TestProcess,
  type World,
} from '../helpers/test-run.js';

const folder = tempFolder();
async function work(world: World, process: TestProcess, reader: LeadReader, resend = false) {
  return world.clock.drive(processRun(process.context, reader, resend));
}

async function worked(script: Script, reader: LeadReader, changes = {}) {
  const world = createWorld(folder, script);
  const process = await openProcess(world, changes);
  const { problem } = await work(world, process, reader);
  return { ...world, ...process, problem, statuses: await statusesOf(process.context) };
}

describe('a run from reading to the last answer', () => {
  it('the first submit leaves, and its answer is collected, before the input is read to its end', async () => {
    const world = createWorld(folder);
    const process = await openProcess(world);
    let goOn = (): void => undefined;
    const more = () =>
      new Promise<ReturnType<typeof people>>((resolve) => {
        goOn = () => resolve(people(['bob'], 4));
      });
    const working = processRun(process.context, readerOf(people(['ada', 'cyd']), more), false);
    await settled();
    expect(world.platform.submissions.map(({ who }) => who)).toEqual(['ada', 'cyd']);
    await world.clock.advance(1_000);
    expect(await statusesOf(process.context)).toEqual(['found', 'found']);
    goOn();
    expect(await world.clock.drive(working)).toEqual({ problem: undefined });
    expect(await statusesOf(process.context)).toEqual(['found', 'found', 'found']);
  });
});

describe('what earlier runs left', () => {
  it('a ticket that comes with a later batch is asked for at once, whatever else is being waited for', async () => {
    const world = createWorld(folder, { read: (who) => (who === 'a1' ? 'pending' : fate) });
    let fate: 'pending' | 'filled' = 'pending';
    const weekly = await openProcess(world, { plan: { job: 'weekly' } });
    await work(world, weekly, readerOf(people(['late'])));
    expect(await statusesOf(weekly.context)).toEqual(['timed_out']);
    fate = 'filled';
    const batchAt = world.clock.now() + 300_000;
    const later = async () => {
      await world.clock.sleep(batchAt - world.clock.now());
      return people(['late'], 3);
    };
    const nightly = await openProcess(world);
    await work(world, nightly, readerOf(people(['a1']), later));
    expect(world.platform.reads.findLast(({ who }) => who === 'late')?.at).toBe(batchAt);
    expect(await statusesOf(nightly.context)).toEqual(['timed_out', 'found']);
    expect(world.platform.submissions).toHaveLength(2);
  });
});

describe('ending early', () => {
  it('drained in the middle, it saves what is under way, and a new process ends it', async () => {
    const world = createWorld(folder, { submitMs: 400, readMs: 300 });
    const first = await openProcess(world, { concurrency: 2 });
    const reader = readerOf(people(names(5)), people(names(5, 'b'), 7));
    const working = processRun(first.context, reader, false);
    await world.clock.advance(1_000);
    first.stop();
    expect(await world.clock.drive(working)).toEqual({ problem: undefined });
    const left = await first.context.store.work(1);
    expect(left.submitting).toBe(0);
    expect(left.queued).toBeGreaterThan(0);
    expect(world.platform.permitsOut()).toBe(0);
    await first.close();

    const second = await openProcess(world);
    expect((await work(world, second, reader)).problem).toBeUndefined();
    expect(await statusesOf(second.context)).toEqual(names(10).map(() => 'found'));
    expect(world.platform.submissions).toHaveLength(10);
    expect(second.events[0]).toMatchObject({ kind: 'run.resumed', queued: left.queued });
  });

  it('a platform in trouble stops the reading too, even where the input is silent', async () => {
    const silent = () => new Promise<undefined>(() => undefined);
    const { problem, statuses } = await worked(
      { submit: () => 'final' },
      readerOf(people(['ada']), silent),
    );
    expect(problem).toMatchObject({ message: 'out of credits' });
    expect(statuses).toEqual(['queued']);
  });

  it('a result that waits for credits ends the sending, and is collected all the same', async () => {
    const { platform, problem, statuses } = await worked(
      { submitMs: 100, read: (who, attempt) => (who === 'a1' && attempt < 3 ? 'dry' : 'filled') },
      readerOf(people(names(400))),
      { concurrency: 2 },
    );
    expect(problem).toMatchObject({ message: 'no credits for it' });
    expect(statuses[0]).toBe('found');
    expect(statuses).toContain('queued');
    expect(new Set(statuses)).toEqual(new Set(['found', 'queued']));
    expect(platform.repeated()).toEqual([]);
  });

  it('a store that cannot even be asked what is left is the problem, not a crash', async () => {
    const world = createWorld(folder);
    const { context } = await openProcess(world);
    const store = atCall(context.store, 'recover', 1, () => Promise.reject(new Error('damaged')));
    const { problem } = await processRun({ ...context, store }, readerOf(), false);
    expect(problem).toMatchObject({ message: 'damaged' });
  });
});

describe('sharing a state file with another run', () => {
  it('gives way to a run that takes its leads over at the same moment, again and again, until one of them sends', async () => {
    const world = createWorld(folder);
    const { clock, platform } = world;
    const weekly = await openProcess(world, { plan: { job: 'weekly' } });
    await ingest(weekly.context, readerOf(people(names(2))));
    const from = clock.now();
    const reserve: typeof platform.reserve = async (...asked) => {
      const { run, store } = weekly.context;
      if (clock.now() - from < 200) await store.adopt(run.id, 0);
      return platform.reserve(...asked);
    };
    const nightly = await openProcess(world, { platform: { ...platform, reserve } });
    const { problem } = await work(world, nightly, readerOf(people(names(2))));
    expect(problem).toBeUndefined();
    expect(await statusesOf(nightly.context)).toEqual(['found', 'found']);
  });

  it('what another run that is alive is sending is waited for; what it then leaves is paid here, once, and stands on this bill', async () => {
    const world = createWorld(folder, {
      submitMs: 30_000,
      submit: (_, attempt) => (attempt === 1 ? 'unsent' : 'accepted'),
    });
    const weekly = await openProcess(world, { plan: { job: 'weekly' } });
    const theirs = processRun(weekly.context, readerOf(people(['ada'])), false);
    await world.clock.advance(10);
    weekly.stop();
    const nightly = await openProcess(world);
    const ours = processRun(nightly.context, readerOf(people(['ada', 'bob'])), false);
    await world.clock.advance(20_000);
    expect(await statusesOf(nightly.context)).toEqual(['submitting', 'submitting']);
    expect(await world.clock.drive(Promise.all([theirs, ours]))).toHaveLength(2);
    expect(await statusesOf(nightly.context)).toEqual(['found', 'found']);
    expect(world.platform.repeated()).toEqual([]);
    expect(await nightly.context.store.tally(nightly.context.run.id)).toMatchObject({
      credits: 10,
      fromCache: 0,
    });
  });

  it('what a dead run of another job was sending is uncertain once it cannot be under way any more', async () => {
    const world = createWorld(folder);
    const dead = await openProcess(world, { plan: { job: 'weekly' } });
    const never = atCall(world.platform, 'submit', 1, () => new Promise(() => undefined));
    void processRun({ ...dead.context, platform: never }, readerOf(people(['ada'])), false);
    await settled();
    const startMs = world.clock.now();
    const nightly = await openProcess(world);
    expect((await work(world, nightly, readerOf(people(['ada'])))).problem).toBeUndefined();
    expect(await statusesOf(nightly.context)).toEqual(['uncertain']);
    const waitedMs = world.clock.now() - startMs;
    expect(waitedMs).toBeGreaterThanOrEqual(120_000);
    expect(waitedMs).toBeLessThan(125_000);
    expect(world.platform.submissions).toHaveLength(0);
  });

  it('collects what it has paid for, and another run has taken over, though its budget is used up', async () => {
    let fate: 'pending' | 'filled' = 'pending';
    const world = createWorld(folder, { read: () => fate });
    const nightly = await openProcess(world, { plan: { budget: 10 } });
    const working = processRun(nightly.context, readerOf(people(names(4))), false);
    await world.clock.advance(1_000);
    expect(world.platform.submissions).toHaveLength(2);
    const weekly = await openProcess(world, { plan: { job: 'weekly' } });
    await ingest(weekly.context, readerOf(people(names(4))));
    await world.clock.advance(20_000);
    fate = 'filled';
    const { problem } = await world.clock.drive(working);
    expect(problem).toMatchObject({
      code: 'budget',
      message: expect.stringContaining('a request that may cost 5: 10 were spent'),
    });
    expect(await statusesOf(nightly.context)).toEqual(['found', 'found', 'queued', 'queued']);
    expect(world.platform.submissions).toHaveLength(2);
  });

  it('a drain while it waits for another run ends the waiting', async () => {
    const world = createWorld(folder, { submitMs: 60_000 });
    const weekly = await openProcess(world, { plan: { job: 'weekly' } });
    const theirs = processRun(weekly.context, readerOf(people(['ada'])), false);
    await world.clock.advance(10);
    const nightly = await openProcess(world);
    const ours = processRun(nightly.context, readerOf(people(['ada'])), false);
    await world.clock.advance(5_500);
    nightly.stop();
    expect(await ours).toEqual({ problem: undefined });
    expect(await statusesOf(nightly.context)).toEqual(['submitting']);
    await world.clock.drive(theirs);
  });
});
