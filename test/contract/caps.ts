// Caps of accounts and jobs: no claim takes more than they leave, and every credit counts in the quarter of an hour in
// which it was sent. A database counts by its own clock, so these tests go by the real one.
import { describe, expect, it } from 'vitest';
import { createPersonMatch } from '../../src/model/person-match.js';
import type { Caps } from '../../src/model/schedule/caps.js';
import type { ClaimedEnrichment } from '../../src/ports/store/enrichments.js';
import type { Store } from '../../src/ports/store/store.js';
import { asked, runPlan } from '../helpers/leads.js';
import {
  accepted,
  found,
  refused,
  type StoreBench,
  T0,
  timedOut,
  uncertain,
  unsent,
} from './store-bench.js';

const PRICES = { find_email: 5 };
const LATER = T0 + 100 * 86_400_000;

export function describeCaps(bench: StoreBench): void {
  const { finish, ingest, statuses, store, run } = bench;

  const cap = (caps: Partial<Caps>) => store.setCaps(run.account, { timezone: 'UTC', ...caps });
  const add = (count: number, runId = run.id, first = 1) =>
    ingest(
      Array.from({ length: count }, (_, i) => asked(i + 1, `who${first + i}`)),
      runId,
    );
  const claim = async (limit = 10, caps?: Caps, { id } = run) =>
    (await store.claim(id, limit, Date.now(), { prices: PRICES, caps })).claimed;
  const use = async (job?: Caps) =>
    (await store.caps(run.account, Date.now(), job)).map(
      ({ of, period, spent, reserved }) => `${of} ${period}: ${spent} + ${reserved}`,
    );
  const miss = ({ id }: ClaimedEnrichment) =>
    ({ id, at: T0, outcome: 'not_found', result: {}, credits: 0 }) as const;

  describe('a cap', () => {
    it('lets no claim take more than it leaves, at the highest price until an answer says the real one', async () => {
      await add(6);
      await cap({ day: 12 });
      const [one, two, ...more] = await claim();
      if (one === undefined || two === undefined) throw new Error('two fit');
      expect(more).toEqual([]);
      expect(await use()).toEqual(['account day: 0 + 10']);
      expect(await claim()).toEqual([]);
      await store.recordSubmits([accepted(one), accepted(two)]);
      expect(await use()).toEqual(['account day: 0 + 10']);
      await store.settle([found(one.id), miss(two)]);
      expect(await use()).toEqual(['account day: 5 + 0']);
      expect(await claim()).toHaveLength(1);
      expect(await use()).toEqual(['account day: 5 + 5']);
      expect(await claim()).toEqual([]);
    });

    it('holds what may still be charged, and frees what certainly is not', async () => {
      await add(5);
      await cap({ month: 100 });
      const [one, two, three, four, five] = (await claim()) as [
        ClaimedEnrichment,
        ClaimedEnrichment,
        ClaimedEnrichment,
        ClaimedEnrichment,
        ClaimedEnrichment,
      ];
      await store.recordSubmits([
        unsent(one),
        refused(two),
        uncertain(three),
        accepted(four),
        accepted(five),
      ]);
      expect(await use()).toEqual(['account month: 0 + 15']);
      await store.settle([
        timedOut(four.id),
        { id: five.id, at: T0, outcome: 'failed', reason: 'x' },
      ]);
      expect(await use()).toEqual(['account month: 0 + 10']);
      // A late answer, and the one that was not sent is sent again.
      await store.settle([found(four.id)]);
      expect(await claim()).toHaveLength(1);
      expect(await use()).toEqual(['account month: 5 + 10']);
      await store.settle([found(four.id)]);
      expect(await use()).toEqual(['account month: 5 + 10']);
    });

    it('holds an uncertain send beside the next one', async () => {
      await add(1);
      await cap({ day: 14 });
      const [lost] = await claim();
      await store.recordSubmits([uncertain(lost as ClaimedEnrichment)]);
      expect(await store.retry(run.id, ['uncertain'], { at: T0, deadlineAt: T0 })).toMatchObject({
        queued: 1,
      });
      expect(await use()).toEqual(['account day: 0 + 5']);
      const [again] = await claim();
      expect(await use()).toEqual(['account day: 0 + 10']);
      await store.recordSubmits([uncertain(again as ClaimedEnrichment)]);
      expect(await store.retry(run.id, ['uncertain'], { at: T0, deadlineAt: T0 })).toMatchObject({
        queued: 1,
      });
      // There is no room for a third.
      expect(await claim()).toEqual([]);
      expect(await statuses()).toEqual(['queued']);
    });

    it('counts nothing twice where an answer that is read again stays what it was', async () => {
      await add(1);
      await cap({ day: 100 });
      const [one] = (await claim()) as [ClaimedEnrichment];
      await store.recordSubmits([accepted(one)]);
      await store.settle([miss(one)]);
      await store.retry(run.id, ['not_found'], { at: T0, deadlineAt: T0 });
      expect(await use()).toEqual(['account day: 0 + 5']);
      await store.settle([found(one.id)]);
      expect(await use()).toEqual(['account day: 5 + 0']);
    });

    it('counts over all runs and jobs of the account, for each in its own zone', async () => {
      await add(1);
      const other = await store.startRun(runPlan({ job: 'other' }), T0);
      await add(2, other.id, 10);
      expect(await use()).toEqual([]);
      await claim();
      await cap({ day: 10, month: 10_000 });
      const [here] = await store.caps(run.account, Date.now());
      expect(here).toMatchObject({
        of: 'account',
        period: 'day',
        credits: 10,
        timezone: 'UTC',
        reserved: 5,
      });
      expect((here?.until ?? 0) - (here?.from ?? 0)).toBe(86_400_000);
      expect(await claim(10, undefined, other)).toHaveLength(1);
      expect(await use({ month: 10, timezone: 'Asia/Kathmandu' })).toEqual([
        'account day: 0 + 10',
        'account month: 0 + 10',
        'job month: 0 + 10',
      ]);
      // Another account has spent nothing.
      expect(await store.caps('another', Date.now(), { day: 1, timezone: 'UTC' })).toMatchObject([
        { spent: 0, reserved: 0 },
      ]);
    });

    it('of a job holds beside that of its account', async () => {
      await add(9);
      await cap({ day: 20 });
      const job = { day: 10, month: 30, timezone: 'Europe/Berlin' };
      expect(await claim(9, job)).toHaveLength(2);
      expect(await claim(9, job)).toEqual([]);
      expect(await claim(9)).toHaveLength(2);
      expect(await claim(9, { day: 100, timezone: 'UTC' })).toEqual([]);
    });

    it('is replaced and removed, and what was spent without a cap counts for a later one', async () => {
      await add(4);
      const kept = async () => (await store.accounts()).map(({ account, caps }) => [account, caps]);
      expect(await kept()).toEqual([[run.account, null]]);
      await claim(1);
      expect(await cap({ day: 0.5 })).toBe(false);
      expect(await claim(1)).toEqual([]);
      expect(await cap({ day: 10.125, month: 70 })).toBe(true);
      expect(await kept()).toEqual([[run.account, { day: 10.125, month: 70, timezone: 'UTC' }]]);
      await store.setCaps('unused', { month: 1, timezone: 'UTC' }, { name: 'new', month: '1 EUR' });
      expect((await store.accounts()).at(-1)).toEqual({
        account: 'unused',
        address: null,
        run: 0,
        caps: { month: 1, timezone: 'UTC' },
        told: { name: 'new', month: '1 EUR' },
      });
      expect(await claim()).toHaveLength(1);
      expect(await claim()).toEqual([]);
      expect(await store.setCaps(run.account, null)).toBe(true);
      expect(await store.setCaps(run.account, null)).toBe(false);
      expect(await claim()).toHaveLength(2);
    });

    it('lets free requests through, whatever is spent', async () => {
      await add(2);
      await cap({ day: 5 });
      expect(await claim()).toHaveLength(1);
      expect(
        (await store.claim(run.id, 10, Date.now(), { prices: { find_email: 0 } })).claimed,
      ).toHaveLength(1);
    });

    it('counts what was pruned and forgotten', async () => {
      await add(2);
      await cap({ month: 1_000 });
      const both = await claim();
      await store.recordSubmits(both.map((one) => accepted(one)));
      await store.settle(both.map(({ id }) => found(id)));
      await finish();
      const next = await store.startRun(runPlan({ terms: 'other' }), T0);
      await add(1, next.id, 20);
      await finish(next.id);
      await store.forget(
        createPersonMatch([{ kind: 'email', spellings: ['ada@example.com'] }]),
        T0,
        true,
      );
      expect(await use()).toEqual(['account month: 10 + 0']);
      await store.prune({ at: LATER, before: LATER - 1, freshSince: LATER - 1 }, true);
      expect(await use()).toEqual(['account month: 10 + 0']);
    });

    it('is met exactly by several handles that claim at once', async () => {
      await add(60);
      await cap({ day: 112 });
      const handles = [store, await bench.openAgain(), await bench.openAgain()];
      try {
        const claims = Array.from({ length: 15 }, (_, i) =>
          (handles[i % 3] as Store).claim(run.id, 3, Date.now(), { prices: PRICES }),
        );
        const sent = (await Promise.all(claims)).flatMap(({ claimed }) => claimed);
        expect(new Set(sent.map(({ id }) => id)).size).toBe(22);
        expect(sent).toHaveLength(22);
        expect(await use()).toEqual(['account day: 0 + 110']);
      } finally {
        await handles[1]?.close();
        await handles[2]?.close();
      }
    });
  });
}
