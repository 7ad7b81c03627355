// Money that the steps of a waterfall share.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseMoney } from '../../../src/model/credits.js';
import type { Run } from '../../../src/model/run.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import type { Store } from '../../../src/ports/store/store.js';
import { Backlog } from '../../../src/run/backlog.js';
import type { ReadingContext, StepBudget } from '../../../src/run/run-context.js';
import { openMoneyBudget } from '../../../src/run/send/money-budget.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { accepted, found } from '../../contract/store-bench.js';
import { asked, COLUMNS, runPlan } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { createWorld, TERMS, type World } from '../../helpers/test-run.js';

const folder = tempFolder();
const T0 = 1_700_000_000_000;
const LEADS = 30;
const money = (text: string) => parseMoney(text) ?? { millionths: 0, currency: '' };

/** A find_email is 5 credits: 0.05 EUR at the first step, 0.10 EUR at the second. */
const PRICES = ['0.01 EUR', '0.02 EUR'];

describe('money that steps share', () => {
  let world: World;
  let store: Store;
  let runs: Run[];
  let events: RunEvent[];
  beforeEach(async () => {
    world = createWorld(folder);
    store = openSqliteStore(world.path);
    runs = [];
    events = [];
    for (const account of ['a', 'b']) {
      const run = await store.startRun(runPlan({ account, job: account }), T0);
      const leads = Array.from({ length: LEADS }, (_, i) => asked(i + 1, `${account} ${i}`));
      const times = { at: T0, freshSince: T0, deadlineAt: T0 + 60_000 };
      await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, times);
      runs.push(run);
    }
  });
  afterEach(() => store.close());

  const joining = (run: Run, backlog: Readonly<Backlog> = new Backlog(), from = store) => {
    const observe = (event: RunEvent) => events.push(event);
    const parts: Partial<ReadingContext> = { run, store: from, terms: TERMS, backlog, observe };
    return { ...parts, clock: world.clock } as ReadingContext;
  };

  const open = (
    whole: string,
    backlogs = [new Backlog(), new Backlog()],
    from = store,
  ): StepBudget[] => {
    const moneyBudget = openMoneyBudget(money(whole), []);
    return runs.map((run, i) =>
      moneyBudget.join(joining(run, backlogs[i], from), money(PRICES[i] ?? '')),
    );
  };

  const send = async (share: StepBudget | undefined, i: number, count: number): Promise<number> => {
    if (share === undefined) return 0;
    const taken = share.take(count);
    const claimed = (await store.claim(runs[i]?.id ?? 0, taken, T0)).claimed;
    share.claimed(
      taken,
      claimed.map(({ request }) => request),
    );
    return claimed.length;
  };

  it('is enough for as many as it buys at the price of each', async () => {
    const [first, second] = open('1 EUR');
    expect(await first?.room()).toBe(20);
    expect(await second?.room()).toBe(10);
    expect(await send(first, 0, 7)).toBe(7);
    expect(await second?.room()).toBe(6);
    expect(await send(second, 1, 100)).toBe(6);
    expect([await first?.room(), await second?.room()]).toEqual([1, 0]);
  });

  it('is not spent twice by steps that look and claim at the same time', async () => {
    const shares = open('1 EUR');
    let sent = 0;
    for (let n = 0; n < 6; n += 1) {
      await Promise.all(shares.map((share) => share.room()));
      const counts = await Promise.all(shares.map((share, i) => send(share, i, 4)));
      sent += (counts[0] ?? 0) * 5 + (counts[1] ?? 0) * 10;
      // A look during claims of the other step, and two looks at once.
      await Promise.all([shares[0]?.room(), send(shares[1], 1, 1), shares[1]?.room()]).then(
        ([, count]) => {
          sent += count * 10;
          return count;
        },
      );
    }
    expect(sent).toBeLessThanOrEqual(100);
    expect(sent).toBeGreaterThan(90);
  });

  it('counts what is claimed while the store is asked', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const told = (id: number) => store.commitment(id);
    const asked: Store = {
      ...store,
      commitment: async (id) => {
        const commitment = await told(id);
        const work = meanwhile;
        meanwhile = undefined;
        await work?.();
        return commitment;
      },
    };
    const [first, second] = open('1 EUR', undefined, asked);
    meanwhile = () => send(first, 0, 10);
    expect(await second?.room()).toBe(5);
  });

  it('gives back what was not claimed, and what an answer did not cost', async () => {
    const [first, second] = open('1 EUR');
    await first?.room();
    expect(first?.take(20)).toBe(20);
    expect(await second?.room()).toBe(0);
    first?.claimed(20, []);
    expect(await second?.room()).toBe(10);

    const claimed = (await store.claim(runs[0]?.id ?? 0, 20, T0)).claimed;
    first?.claimed(
      first.take(20),
      claimed.map(({ request }) => request),
    );
    expect(await second?.room()).toBe(0);
    await store.recordSubmits(
      claimed.map(({ id, send: no }) => ({
        id,
        send: no,
        at: T0,
        kind: 'accepted',
        ticket: `enr_${id}`,
        pollAt: T0,
        deadlineAt: T0 + 1,
      })),
    );
    await store.settle(
      claimed.map(({ id }) => ({ id, at: T0, outcome: 'not_found', result: {}, credits: 0 })),
    );
    expect(await second?.room()).toBe(10);
  });

  it('is told as 80 % of it is spent', async () => {
    const [first, second] = open('1 EUR');
    await first?.room();
    const claimed = (await store.claim(runs[0]?.id ?? 0, 17, T0)).claimed;
    first?.take(17);
    first?.claimed(
      17,
      claimed.map(({ request }) => request),
    );
    await store.recordSubmits(claimed.map((one) => accepted(one)));
    await store.settle(claimed.slice(0, 15).map(({ id }) => found(id)));
    await second?.room();
    expect(events).toEqual([]);
    await store.settle(claimed.slice(15).map(({ id }) => found(id)));
    await second?.room();
    expect(events).toEqual([]);
    await world.clock.drive(world.clock.sleep(5_000));
    await second?.room();
    expect(events).toMatchObject([
      { message: '80 % of the budget of 1.00 EUR over all steps is spent.' },
    ]);
  });

  it('knows what earlier processes have committed', async () => {
    await store.claim(runs[1]?.id ?? 0, 6, T0);
    const [first] = open('1 EUR');
    expect(await first?.room()).toBe(8);
    expect(first?.problem().message).toBe(
      'The budget of 1.00 EUR over all steps left 0.40 EUR for a request that may cost 0.05 EUR: 0.00 EUR were spent, and 0.60 EUR might still be charged for requests without an answer. Whoever set the budget decides whether it is raised: with a higher one, the same command continues.',
    );
  });

  it('counts what earlier runs spent by the price of their own credits', async () => {
    const [first, second] = runs as [Run, Run];
    await store.claim(first.id, 10, T0);
    const earlier = { ...first, credit: money('0.04 EUR'), prices: TERMS.prices };
    await store.changeRun(first.id, earlier);
    // Each claim may cost 0.20 EUR, whether a step takes the place of that run or none does.
    for (const replaces of [[first.id], undefined]) {
      const run = { ...second, ...(replaces && { replaces }) };
      const budget = openMoneyBudget(money('3 EUR'), [earlier]);
      const share = budget.join(joining(run), money('0.02 EUR'));
      expect(await share.room()).toBe(10);
    }
  });

  it('may come back while an answer of any step is awaited', () => {
    const backlogs = [new Backlog(), new Backlog()];
    const [first] = open('1 EUR', backlogs);
    expect(first?.mayShrink()).toBe(false);
    backlogs[1]?.submitted(T0);
    expect(first?.mayShrink()).toBe(true);
  });
});
