// A run under caps, on a clock that is moved: it ends at a cap as at a budget, and goes on once the period begins anew.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SluiceError } from '../../../src/model/errors.js';
import type { Caps } from '../../../src/model/schedule/caps.js';
import { processRun } from '../../../src/run/process-run.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { createDrivenClock } from '../../helpers/driven-clock.js';
import { names, people, readerOf } from '../../helpers/people.js';
import { createScriptedPlatform, type Script } from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { type Changes, openProcess, statusesOf, type World } from '../../helpers/test-run.js';

const folder = tempFolder();
function worldAt(time: string, script: Script = {}): World {
  const clock = createDrivenClock(Date.parse(time));
  const path = join(folder, `${randomUUID()}.db`);
  return { path, clock, platform: createScriptedPlatform(clock, script) };
}

/** A find_email is 5 credits. */
async function work(world: World, count: number, caps?: Caps, changes: Changes = {}) {
  const plan = { ...changes.plan, caps };
  const process = await openProcess(world, { ...changes, plan });
  const reader = readerOf(people(names(count)));
  const { problem } = await world.clock.drive(processRun(process.context, reader, false));
  const statuses = await statusesOf(process.context);
  return {
    ...process,
    problem: problem as SluiceError | undefined,
    found: statuses.filter((status) => status === 'found').length,
    queued: statuses.filter((status) => status === 'queued').length,
  };
}

async function capAccount(world: World, caps: Caps): Promise<void> {
  const store = openSqliteStore(world.path);
  await store.setCaps('acc', caps);
  await store.close();
}

describe('a cap', () => {
  it('ends the run before the request that could exceed it, and says when there is room again', async () => {
    const world = worldAt('2026-11-27T10:00:00Z');
    const { found, problem, queued } = await work(world, 9, { day: 23, timezone: 'Europe/Berlin' });
    const until = Date.parse('2026-11-27T23:00:00Z');
    expect(problem).toMatchObject({ code: 'cap', facts: { of: 'job', until } });
    expect(problem?.message).toBe(
      'The cap of 23 credits a day (Europe/Berlin) left 3 for a request that may cost 5: 20 were spent. The next period begins at 2026-11-27 23:00:00 (UTC): run again then, or raise caps in the job; it continues.',
    );
    expect([found, queued]).toEqual([4, 5]);
    expect(world.platform.submissions).toHaveLength(4);
    expect(world.platform.permitsOut()).toBe(0);
  });

  it('is told as 80 % is spent, and not by a run that finds it so', async () => {
    const world = worldAt('2026-11-27T10:00:00Z', { submitMs: 700 });
    const caps = { day: 1_000, month: 60, timezone: 'UTC' };
    const told = async (count: number) =>
      (await work(world, count, caps, { concurrency: 1 })).events.flatMap((one) =>
        one.kind === 'run.warned' ? one.message : [],
      );
    expect(await told(14)).toEqual(['80 % of the cap of 60 credits a month (UTC) is spent.']);
    expect(await told(14)).toEqual([]);
  });

  it('of the account bounds every job together, and a run that meets it when it begins sends nothing', async () => {
    const world = worldAt('2026-11-27T10:00:00Z');
    await capAccount(world, { month: 30, timezone: 'UTC' });
    const first = await work(world, 4);
    expect(first.problem).toBeUndefined();
    const second = await work(world, 9, undefined, { plan: { job: 'weekly', signature: 's2' } });
    expect(second.problem?.message).toContain('The cap of 30 credits a month (UTC)');
    expect(second.problem?.message).toContain('raise it with "sluice caps set"');
    expect(world.platform.submissions).toHaveLength(6);
  });

  it('that is set while the run goes on is kept from then on, and lifting it lets the run go on', async () => {
    const world = worldAt('2026-11-27T10:00:00Z', { submitMs: 700 });
    const process = await openProcess(world, { concurrency: 1 });
    const run = processRun(process.context, readerOf(people(names(20))), false);
    const capped = (async () => {
      await world.clock.sleep(3_000);
      await process.context.store.setCaps('acc', { day: 40, timezone: 'UTC' });
    })();
    const [{ problem }] = await world.clock.drive(Promise.all([run, capped]));
    expect(problem).toMatchObject({
      code: 'cap',
      message: expect.stringContaining('40 were spent'),
    });
    await process.context.store.setCaps('acc', null);
    const next = await work(world, 20);
    expect([next.problem, next.found]).toEqual([undefined, 20]);
  });

  it.each([
    ['UTC', '2026-11-27T23:59:59Z', '2026-11-28T00:00:00Z'],
    ['Europe/Berlin', '2026-11-27T22:59:59Z', '2026-11-27T23:00:00Z'],
    ['America/Los_Angeles', '2026-11-28T07:59:59Z', '2026-11-28T08:00:00Z'],
    // The day of the change has 25 hours.
    ['Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z'],
  ])('in %s lasts until midnight, and the next day begins anew', async (timezone, last, first) => {
    const caps = { day: 10, timezone };
    const evening = worldAt(last);
    const before = await work(evening, 9, caps, { concurrency: 1 });
    // The clock moves while answers are awaited: those sent before midnight count to the day that ends.
    const sent = evening.platform.submissions.map(({ at }) => at);
    expect(sent.filter((at) => at < Date.parse(first)).length).toBeLessThanOrEqual(2);
    expect(sent.filter((at) => at >= Date.parse(first)).length).toBeLessThanOrEqual(2);
    expect(before.problem).toMatchObject({ code: 'cap' });
    // The sends of the morning are bounded by themselves alone.
    const world = worldAt(first);
    const one = await work(world, 9, caps);
    expect([one.problem?.code, one.found]).toEqual(['cap', 2]);
    await world.clock.advance(86_400_000);
    const two = await work(world, 9, caps);
    expect([two.problem?.code, two.found]).toEqual(['cap', 4]);
    await world.clock.advance(3 * 86_400_000);
    const three = await work(world, 9, { day: 1_000, timezone });
    expect([three.problem, three.found]).toEqual([undefined, 9]);
  });
});
