import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMoney } from '../../../src/model/credits.js';
import type { SluiceError } from '../../../src/model/errors.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import { highestPrice } from '../../../src/model/verdict.js';
import type { LeadReader } from '../../../src/ports/lead-reader.js';
import type { ClaimedEnrichment } from '../../../src/ports/store/enrichments.js';
import { processRun } from '../../../src/run/process-run.js';
import { commitmentOf } from '../../../src/run/send/budget.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { asked, COLUMNS, runPlan } from '../../helpers/leads.js';
import { tries } from '../../helpers/long.js';
import { names, people, readerOf } from '../../helpers/people.js';
import {
  maybeAccepted,
  type ReadFate,
  type Script,
  type SubmitFate,
} from '../../helpers/scripted-platform.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import {
  type Changes,
  createRequestCallbacks,
  createWorld,
  deliver,
  openProcess,
  statusesOf,
  TERMS,
  type World,
} from '../../helpers/test-run.js';

const folder = tempFolder();
const CHAIN = {
  steps: ['step 0', 'step 1'].map((name) => ({ name, ask: ['find_email'], verifies: false })),
  accept: ['deliverable'],
  verify: 'open',
} as const;

interface Wish {
  readonly resend?: boolean;
  /** The budget that is set once the run has begun. */
  readonly later?: { readonly budget: number | undefined };
}

/** A find_email is 5 credits. */
async function work(
  world: World,
  reader: LeadReader,
  budget: number | undefined,
  { later, resend = false, ...changes }: Changes & Wish = {},
) {
  const plan = { ...changes.plan, budget };
  const process = await openProcess(world, { ...changes, plan });
  const { run, store } = process.context;
  if (later !== undefined) await store.changeRun(run.id, { output: run.output, ...later });
  const { problem } = await world.clock.drive(processRun(process.context, reader, resend));
  return {
    ...process,
    problem: problem as SluiceError | undefined,
    statuses: await statusesOf(process.context),
  };
}

/** The amounts that the message of a budget tells, in credits, of which one costs 0.01 EUR where it has a price. */
function amountsIn(problem: SluiceError | undefined) {
  const isMoney = problem?.message.includes('EUR') === true;
  const told =
    /^The budget of ([\d.]+) (?:EUR|credits?) left [\d.]+(?: EUR)? for a request that may cost (\d+(?:\.\d+)?).*?: ([\d.]+)(?: EUR)? (?:was|were) spent(?:.*?, and ([\d.]+)(?: EUR)? might still be charged)?/.exec(
      problem?.message ?? '',
    );
  const [budget = Number.NaN, dearest = 0, spent = 0, reserved = 0] = (told ?? [])
    .slice(1)
    .map((amount) => (isMoney ? Math.round(100 * Number(amount ?? 0)) : Number(amount ?? 0)));
  return { budget, spent, reserved, dearest };
}

function count(statuses: readonly string[], status: string): number {
  return statuses.filter((one) => one === status).length;
}

describe('a budget', () => {
  it('ends the run before the request that could exceed it, and says what is spent', async () => {
    const world = createWorld(folder);
    const { problem, statuses } = await work(world, readerOf(people(names(9))), 23);
    expect(problem?.code).toBe('budget');
    expect(problem?.message).toBe(
      'The budget of 23 credits left 3 for a request that may cost 5: 20 were spent. Whoever set the budget decides whether it is raised: with a higher one, the same command continues.',
    );
    expect([count(statuses, 'found'), count(statuses, 'queued')]).toEqual([4, 5]);
    expect(world.platform.submissions).toHaveLength(4);
    expect(world.platform.permitsOut()).toBe(0);
  });

  it('is told once, as 80 % is spent, by the process that does it', async () => {
    const world = createWorld(folder);
    const nearly = (events: readonly RunEvent[]) =>
      events.filter((one) => one.kind === 'run.warned' && one.warning === 'nearly_used');
    // Misses leave room again.
    world.platform.script.read = (who) => (who < 'a4' ? 'filled' : 'empty');
    const most = await work(world, readerOf(people(names(9))), 40, { concurrency: 1 });
    expect(most.problem).toBeUndefined();
    expect(nearly(most.events)).toEqual([]);
    world.platform.script.read = () => 'filled';
    const other = createWorld(folder, { submitMs: 700 });
    const one = { concurrency: 1 };
    const first = await work(other, readerOf(people(names(90))), 400, one);
    expect(nearly(first.events)).toMatchObject([
      {
        message: '80 % of the budget of 400 credits is spent.',
      },
    ]);
    expect(nearly((await work(other, readerOf(people(names(90))), 410)).events)).toEqual([]);
  });

  it('that is lowered or set while the run goes on is kept from then on, and one that is raised is used', async () => {
    // The first look comes when eight at most are sent.
    const later = (budget: number | undefined, from: number | undefined) =>
      work(createWorld(folder, { submitMs: 700 }), readerOf(people(names(40))), from, {
        concurrency: 1,
        later: { budget },
      });
    for (const from of [1_000, undefined]) {
      const { problem } = await later(50, from);
      expect(amountsIn(problem)).toMatchObject({ budget: 50, spent: 50, reserved: 0 });
    }
    for (const budget of [1_000, undefined]) {
      const { problem, statuses } = await later(budget, 150);
      expect(problem).toBeUndefined();
      expect(count(statuses, 'found')).toBe(40);
    }
  });

  it('is shared with the unfinished runs that a run replaced', async () => {
    const world = createWorld(folder);
    const first = await work(world, readerOf(people(names(9))), 23);
    expect(first.problem).toMatchObject({ code: 'budget' });
    const { run, store } = first.context;
    const next = await store.startRun({ ...runPlan(), signature: 's2', replaces: [run.id] }, 0);
    const { context, problem, statuses } = await work(world, readerOf(people(names(12))), 40);
    expect(context.run.id).toBe(next.id);
    expect(amountsIn(problem)).toMatchObject({ budget: 40, spent: 40, reserved: 0 });
    expect(problem?.message).toContain(
      '40 were spent (20 by unfinished runs that this one replaced).',
    );
    expect([count(statuses, 'found'), count(statuses, 'queued')]).toEqual([8, 4]);
    expect((await store.tally(next.id)).credits).toBe(20);
  });

  it.each<[string, { account?: string; credit?: string }, number]>([
    ['of another account, by their prices', { account: 'other', credit: '0.03 EUR' }, 60],
    ['of another account, whose price is not known', { account: 'other' }, 20],
    ['of another currency', { account: 'other', credit: '0.03 USD' }, 20],
    ['of its own account, whatever a credit cost', { credit: '0.03 EUR' }, 20],
  ])(
    'counts what runs that it replaced spent: credits %s',
    async (_, { credit, ...by }, before) => {
      const priced = (price?: string) => (price === undefined ? {} : { credit: parseMoney(price) });
      const world = createWorld(folder);
      const plan = { ...by, ...priced(credit) };
      const { context } = await work(world, readerOf(people(names(9))), 23, { plan });
      const { run, store } = context;
      await store.startRun({ ...runPlan(priced('0.01 EUR')), replaces: [run.id] }, 0);
      const next = await work(world, readerOf(people(names(30, 'b'))), 75);
      const spent = before + 5 * count(next.statuses, 'found');
      expect(amountsIn(next.problem)).toMatchObject({ budget: 75, spent: 75 });
      expect(spent).toBe(75);
    },
  );

  it('counts what every step of a waterfall spent that a run replaced', async () => {
    const world = createWorld(folder);
    const store = openSqliteStore(world.path);
    const { prices } = TERMS;
    const credits = ['0.01 EUR', '0.02 EUR'].map((price) => ({ credit: parseMoney(price) }));
    const held = await store.startRun(runPlan({ waterfall: CHAIN }), 0);
    for (const [n, price] of credits.entries()) {
      const step = { of: held.id, name: `step ${n}` };
      const { id } = await store.startRun(
        runPlan({ ...price, account: `of ${n}`, prices, step }),
        0,
      );
      const leads = [1, 2].map((position) => asked(position, `${n} ${position}`));
      const times = { at: 0, freshSince: 0, deadlineAt: 60_000 };
      await store.ingest(id, { columns: COLUMNS, leads, rejects: [] }, times);
      const { claimed } = await store.claim(id, 2, 0);
      const [{ id: sent, send }] = claimed as unknown as [ClaimedEnrichment];
      const accepted = { kind: 'accepted', ticket: `t${n}`, pollAt: 0, deadlineAt: 1 } as const;
      await store.recordSubmits([{ id: sent, send, at: 0, ...accepted }]);
      await store.settle([{ id: sent, at: 0, outcome: 'found', result: {}, credits: 4 }]);
    }
    const run = await store.startRun(
      runPlan({ account: 'of 1', credit: parseMoney('0.02 EUR'), replaces: [held.id] }),
      1,
    );
    // Of each step 4 credits are spent, and 5 may still be charged.
    expect(await commitmentOf(store, run)).toEqual({ spent: 6, open: 7.5, before: 6 });
    await store.close();
  });

  it('counts fractions of credits exactly', async () => {
    const world = createWorld(folder);
    const terms = { ...TERMS, prices: { ...TERMS.prices, find_email: 0.1 } };
    const { context, problem, statuses } = await work(world, readerOf(people(names(9))), 0.3, {
      terms,
    });
    expect(count(statuses, 'found')).toBe(3);
    expect(amountsIn(problem)).toMatchObject({
      budget: 0.3,
      spent: 0.3,
      reserved: 0,
      dearest: 0.1,
    });
    expect(await context.store.tally(1)).toMatchObject({ credits: 0.3 });
  });

  it('counts both sends of what the user wants sent again', async () => {
    const world = createWorld(folder, {
      submit: (_, attempt) => (attempt === 1 ? 'lost' : 'accepted'),
    });
    const reader = readerOf(people(['a1']));
    await work(world, reader, 5);
    const poor = await work(world, reader, 9, { resend: true });
    expect(amountsIn(poor.problem)).toMatchObject({ spent: 0, reserved: 5 });
    expect(poor.statuses).toEqual(['queued']);
    const rich = await work(world, reader, 10);
    expect([rich.problem, ...rich.statuses]).toEqual([undefined, 'found']);
  });

  it('has room again for what a webhook claims at a lower price, and waits for that', async () => {
    const world = createWorld(folder, { submit: (who) => (who === 'a1' ? 'lost' : 'accepted') });
    const callbacks = createRequestCallbacks();
    const working = work(world, readerOf(people(['a1', 'a2'])), 5, { callbacks, concurrency: 1 });
    const delivering = async () => {
      await world.clock.sleep(3_000);
      const body = world.platform.deliveryOf('a1', 'failed');
      await deliver(world, body, world.platform.callbackOf('a1'));
    };
    const [{ problem, statuses }] = await Promise.all([working, delivering()]);
    expect([problem, ...statuses]).toEqual([undefined, 'failed', 'found']);
  });

  it('counts what an earlier process of the run has sent, whatever became of that process', async () => {
    const world = createWorld(folder);
    const reader = readerOf(people(names(6)));
    await work(world, reader, 10);
    const second = await work(world, reader, 20);
    expect(amountsIn(second.problem)).toMatchObject({ budget: 20, spent: 20 });
    expect(count(second.statuses, 'found')).toBe(4);
    const third = await work(world, reader, undefined);
    expect([third.problem, count(third.statuses, 'found')]).toEqual([undefined, 6]);
    expect(world.platform.repeated()).toEqual([]);
    expect(await third.context.store.tally(1)).toMatchObject({ credits: 30 });
  });

  it('does not count what another run has paid: that lead costs nothing here', async () => {
    const world = createWorld(folder);
    await work(world, readerOf(people(names(3))), undefined, { plan: { job: 'weekly' } });
    const { problem, statuses } = await work(world, readerOf(people(names(4))), 5);
    expect([problem, count(statuses, 'found')]).toEqual([undefined, 4]);
  });

  it('that is used up stops no reading: every lead is in the table, and a free answer is taken', async () => {
    const world = createWorld(folder);
    await work(world, readerOf(people(['late'])), undefined, { plan: { job: 'weekly' } });
    const slow = async () => {
      await world.clock.sleep(60_000);
      return people([...names(3, 'b'), 'late'], 6);
    };
    const { problem, statuses, context } = await work(world, readerOf(people(names(4)), slow), 10);
    expect(problem).toMatchObject({ code: 'budget' });
    expect(statuses).toHaveLength(8);
    expect([count(statuses, 'found'), count(statuses, 'queued')]).toEqual([3, 5]);
    expect((await context.store.findRun(1 + 1))?.state).toBe('working');
  });

  it('holds for bulk calls too: a call is as small as the room that is left', async () => {
    const world = createWorld(folder);
    const { problem } = await work(world, readerOf(people(names(50))), 36, { bulkMax: 20 });
    expect(world.platform.calls).toEqual([names(7)]);
    expect(amountsIn(problem)).toMatchObject({ spent: 35 });
  });
});

describe('whatever is found, at whatever price', () => {
  const fates = fc.record({
    submit: fc.constantFrom<SubmitFate>('accepted', 'accepted', 'accepted', 'lost', 'refused'),
    isSlowStart: fc.boolean(),
    read: fc.constantFrom<ReadFate>('filled', 'filled', 'empty', 'failed', 'pending'),
    pending: fc.integer({ min: 0, max: 2 }),
  });
  const price = fc.integer({ min: 0, max: 9 });

  it('never is more under way than the budget can bear, and it ends only when there is no more room', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fates, { minLength: 1, maxLength: 12 }),
        fc.record({ find_email: price, social_enrichment: price }),
        fc.integer({ min: 0, max: 60 }),
        fc.constantFrom(1, 4),
        fc.integer({ min: 1, max: 5 }),
        async (persons, priced, credits, bulkMax, concurrency) => {
          const prices = { ...TERMS.prices, ...priced };
          const ask = ['find_email', 'social_enrichment'] as const;
          const dearest = highestPrice(ask, prices);
          const personOf = (who: string) => persons[Number(who.slice(1)) - 1];
          const charged = new Map<string, number>();
          /** What the platform could charge for all that it may have accepted. */
          const exposure = (): number =>
            world.platform.submissions
              .filter(maybeAccepted)
              .reduce((sum, { who }) => sum + (charged.get(who) ?? dearest), 0);
          let most = 0;
          const script: Script = {
            submitMs: 30,
            readMs: 20,
            submit: (who, attempt) => {
              most = Math.max(most, exposure());
              const { submit = 'accepted', isSlowStart } = personOf(who) ?? {};
              return isSlowStart && attempt === 1 && bulkMax === 1 ? 'unsent' : submit;
            },
            read: (who, attempt) => {
              const { read = 'filled', pending = 0 } = personOf(who) ?? {};
              if (attempt <= pending) return 'pending';
              if (read === 'filled') charged.set(who, prices.find_email);
              if (read === 'failed' || (read === 'empty' && attempt > pending + 1))
                charged.set(who, 0);
              return read;
            },
          };
          const world = createWorld(folder, script);
          const { problem, statuses } = await work(
            world,
            readerOf(people(names(persons.length))),
            credits,
            { terms: { ...TERMS, ask, prices }, bulkMax, concurrency, deadlineMs: 10_000 },
          );
          expect(dearest === 0 ? 0 : most).toBeLessThanOrEqual(credits);
          expect(world.platform.repeated()).toEqual([]);
          if (problem === undefined) expect(count(statuses, 'queued')).toBe(0);
          if (problem?.code !== 'budget') return;
          expect(exposure() + dearest).toBeGreaterThan(credits);
          const { reserved, spent } = amountsIn(problem);
          expect(spent + reserved).toBe(exposure());
        },
      ),
      { numRuns: tries(25) },
    );
  });
});
