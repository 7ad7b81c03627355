import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/model/telemetry/observe.js';
import { ingest } from '../../src/run/ingest.js';
import type { RunContext } from '../../src/run/run-context.js';
import { submit } from '../../src/run/send/submit.js';
import { atCall } from '../helpers/around.js';
import { settled } from '../helpers/driven-clock.js';
import { names, PEOPLE_COLUMNS, people, peopleWith, person, readerOf } from '../helpers/people.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { createWorld, openProcess, statusesOf } from '../helpers/test-run.js';

const folder = tempFolder();
const NOTES = { key: 'notes', name: 'notes' };
const REJECT = { source: 0, line: 9, reason: 'unclosed_quote', raw: '"x' };

/** Tells the other steps that no more will come, as the run does. */
async function endOf(reading: Promise<void>, { backlog }: RunContext): Promise<void> {
  await reading;
  backlog.readingEnded();
}

describe('ingest', () => {
  it('reads everything into the store, tells of each batch, and ends the reading', async () => {
    const { context, events } = await openProcess(createWorld(folder));
    await ingest(context, readerOf(people(['ada', 'bob']), peopleWith(['ada', ''], [REJECT], 4)));
    expect(await statusesOf(context)).toEqual(['queued', 'queued', 'queued', 'skipped']);
    expect(await context.store.findRun(context.run.id)).toMatchObject({
      state: 'working',
      leadCount: 4,
      rejectCount: 1,
    });
    expect(context.backlog.queued).toBe(2);
    const kinds = ['run.mapped', 'leads.read', 'leads.read', 'leads.complete'];
    expect(events.map((event) => event.kind)).toEqual(kinds);
    expect(events[2]).toMatchObject({
      position: 4,
      queued: 0,
      shared: 1,
      skipped: 1,
      cached: 0,
      awaiting: 0,
    });
    expect(events[3]).toEqual({ kind: 'leads.complete', leads: 4 });
  });

  it('a batch is in the store, and everyone awake, before the next one is asked for', async () => {
    const { context } = await openProcess(createWorld(folder));
    const seen: unknown[] = [];
    const second = async () => {
      seen.push(await statusesOf(context), context.backlog.queued);
      return people(['bob'], 3);
    };
    const { backlog, clock, drain } = context;
    const woken = backlog.wait(clock, drain).then(() => seen.push('woken'));
    await ingest(context, readerOf(people(['ada']), second));
    await woken;
    expect(seen).toEqual(['woken', ['queued'], 1]);
  });

  describe('of batches in which everybody is known', () => {
    const known = (count: number) =>
      Array.from({ length: count }, (_, i) => people(['ada'], i + 2));
    const positions = (events: readonly RunEvent[]) =>
      events.flatMap((event) => (event.kind === 'leads.read' ? [event.position] : []));

    it('keeps four together, until a person is new', async () => {
      const { context, events } = await openProcess(createWorld(folder));
      const input = [people(['ada']), ...known(7), people(['bob'], 9), people(['cyd'], 10)];
      await ingest(context, readerOf(...input));
      expect(positions(events)).toEqual([1, 2, 6, 10]);
      expect(await statusesOf(context)).toHaveLength(10);
    });

    it('keeps each one of a pipe as it comes', async () => {
      const { context, events } = await openProcess(createWorld(folder));
      const pipe = { ...readerOf(people(['ada']), ...known(4)), signature: async () => null };
      await ingest(context, pipe);
      expect(positions(events)).toEqual([1, 2, 3, 4, 5]);
    });

    it('keeps what was read before the reader failed', async () => {
      const { context } = await openProcess(createWorld(folder));
      const broken = () => Promise.reject(new Error('broken gzip'));
      const reading = ingest(context, readerOf(people(['ada']), ...known(3), broken));
      await expect(reading).rejects.toThrow('broken gzip');
      expect(await statusesOf(context)).toHaveLength(4);
    });

    it('has the columns of the last, and the rejects of all', async () => {
      const { context } = await openProcess(createWorld(folder));
      const wider = { ...people(['ada'], 4), columns: [...PEOPLE_COLUMNS, NOTES] };
      const input = [people(['ada']), peopleWith(['ada'], [REJECT], 2), ...known(1), wider];
      await ingest(context, readerOf(...input));
      const run = await context.store.findRun(context.run.id);
      expect(run).toMatchObject({ leadCount: 4, rejectCount: 1, columns: wider.columns });
    });
  });

  it('a drain ends it after the batch at hand, the next process goes on behind it, and no lead is in twice', async () => {
    const world = createWorld(folder);
    const first = await openProcess(world);
    const input = [people(['ada', 'bob']), people(['cyd', 'dan'], 4), people(['eve'], 6)] as const;
    const stopping = () => {
      first.stop();
      return Promise.resolve(input[1]);
    };
    await ingest(first.context, readerOf(input[0], stopping, input[2]));
    expect(await first.context.store.findRun(1)).toMatchObject({ state: 'reading', leadCount: 2 });
    await first.close();

    const second = await openProcess(world);
    await ingest(second.context, readerOf(...input));
    const answers = await second.context.store.answers(1, { after: 0, limit: 10 });
    expect(answers.map(({ cells }) => cells[0])).toEqual(['ada', 'bob', 'cyd', 'dan', 'eve']);
    expect(second.context.backlog.queued).toBe(3);
    expect(await second.context.store.findRun(1)).toMatchObject({ state: 'working', leadCount: 5 });
  });

  it('does not wait for a reader that has nothing to give when the run drains', async () => {
    const { context, stop } = await openProcess(createWorld(folder));
    const silent = () => new Promise<undefined>(() => undefined);
    const reading = ingest(context, readerOf(people(['ada']), silent));
    await settled();
    stop();
    await reading;
    expect(await context.store.findRun(1)).toMatchObject({ state: 'reading', leadCount: 1 });
  });

  it('a reader that fails after the drain has ended the reading disturbs nothing', async () => {
    const { context, stop } = await openProcess(createWorld(folder));
    let fail = (): void => undefined;
    const failing = () =>
      new Promise<undefined>((_, reject) => {
        fail = () => reject(new Error('gone'));
      });
    const reading = ingest(context, readerOf(people(['ada']), failing));
    await settled();
    stop();
    await reading;
    // An unhandled rejection would fail the test run.
    fail();
    await settled();
  });

  it('a resumed reading, cut off again, does not forget columns that came later in the input', async () => {
    const world = createWorld(folder);
    const city = { key: 'city', name: 'city' };
    const early = people(['ada']);
    const late = {
      columns: [...PEOPLE_COLUMNS, city],
      records: [{ ...person('bob', 3), cells: ['bob', 'Doe', 'example.com', 'Oslo'] }],
      rejects: [],
    };
    const first = await openProcess(world);
    await expect(
      ingest(
        first.context,
        readerOf(early, late, () => Promise.reject(new Error('gone'))),
      ),
    ).rejects.toThrow('gone');
    await first.close();

    const second = await openProcess(world);
    await expect(
      ingest(
        second.context,
        readerOf(early, () => Promise.reject(new Error('gone again'))),
      ),
    ).rejects.toThrow('gone again');
    expect((await second.context.store.findRun(1))?.columns).toContainEqual(city);
  });

  it('a line that repeats one the platform has refused in this run shares the refusal; the next run asks again', async () => {
    const world = createWorld(folder, { submit: () => 'refused' });
    const { context, events } = await openProcess(world);
    const afterTheRefusal = async () => {
      context.backlog.readingEnded();
      await submit(context);
      return people(['ada'], 3);
    };
    await world.clock.drive(ingest(context, readerOf(people(['ada']), afterTheRefusal)));
    expect(await statusesOf(context)).toEqual(['failed', 'failed']);
    expect(events.filter((event) => event.kind === 'leads.read').at(-1)).toMatchObject({
      queued: 0,
      shared: 1,
    });
    await context.store.endRun(1, 'finished', world.clock.now());
    const next = await openProcess(world);
    await ingest(next.context, readerOf(people(['ada'])));
    expect(next.context.backlog.queued).toBe(1);
  });

  it('the other steps get their turn between batches, however fast the input is', async () => {
    const world = createWorld(folder);
    const { context } = await openProcess(world);
    let batchesRead = 0;
    let readAtFirstSubmit = 0;
    const next = (who: string) => () => {
      batchesRead += 1;
      if (world.platform.submissions.length === 0) readAtFirstSubmit = batchesRead;
      return Promise.resolve(people([who]));
    };
    const reading = ingest(context, readerOf(...names(50).map(next)));
    await world.clock.drive(Promise.all([reading, submit(context), endOf(reading, context)]));
    expect(batchesRead).toBe(50);
    expect(readAtFirstSubmit).toBeLessThan(10);
  });

  it('a reader that cannot be closed after the drain disturbs nothing', async () => {
    const { context, stop } = await openProcess(createWorld(folder));
    const reader = {
      ...readerOf(),
      async *batches() {
        try {
          yield people(['ada']);
          yield people(['bob']);
        } finally {
          await Promise.reject(new Error('cannot close'));
        }
      },
    };
    const store = atCall(context.store, 'ingest', 1, async (call) => {
      stop();
      return call();
    });
    await ingest({ ...context, store }, reader);
    await settled();
    expect(await statusesOf(context)).toEqual(['queued']);
  });

  it('says what is fresh by the time when the process began', async () => {
    const world = createWorld(folder);
    const { context } = await openProcess(world, { freshForMs: 60_000 });
    await ingest(context, readerOf(people(['ada'])));
    const [claimed] = (await context.store.claim(1, 1, world.clock.now())).claimed;
    const id = claimed?.id ?? 0;
    const at = world.clock.now();
    await context.store.recordSubmits([
      { id, send: 1, at, kind: 'accepted', ticket: 'enr_1', pollAt: at, deadlineAt: at },
    ]);
    await context.store.settle([{ id, at, outcome: 'not_found', result: {}, credits: 0 }]);
    await context.store.endRun(1, 'finished', at);
    const counts = [];
    for (const waitMs of [60_000, 1]) {
      await world.clock.advance(waitMs);
      const next = await openProcess(world, { freshForMs: 60_000 });
      await ingest(next.context, readerOf(people(['ada'])));
      counts.push(next.events.find((event) => event.kind === 'leads.read'));
      await next.context.store.endRun(next.context.run.id, 'finished', at);
      await next.close();
    }
    expect(counts).toMatchObject([
      { cached: 1, queued: 0 },
      { cached: 0, queued: 1 },
    ]);
  });

  it('pays for nothing that was answered since the process began, however short the freshness', async () => {
    const world = createWorld(folder);
    const first = await openProcess(world);
    await ingest(first.context, readerOf(people(['ada'])));
    const [claimed] = (await first.context.store.claim(1, 1, world.clock.now())).claimed;
    const id = claimed?.id ?? 0;
    const before = world.clock.now();
    await first.context.store.recordSubmits([
      { id, send: 1, at: before, kind: 'accepted', ticket: 'enr_1', pollAt: 0, deadlineAt: 0 },
    ]);
    await first.context.store.endRun(1, 'finished', before);
    await first.close();
    const { context, events } = await openProcess(world, { freshForMs: 1 });
    const at = world.clock.now();
    await context.store.settle([{ id, at, outcome: 'not_found', result: {}, credits: 0 }]);
    await world.clock.advance(60_000);
    await ingest(context, readerOf(people(['ada'])));
    const read = events.find((event) => event.kind === 'leads.read');
    expect(read).toMatchObject({ cached: 1, queued: 0 });
  });
});
