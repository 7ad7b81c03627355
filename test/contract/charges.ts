// Sends and their cost: known by enrichments, and after these have left by sums and digests of tickets.
import { describe, expect, it } from 'vitest';
import { createPersonMatch } from '../../src/model/person-match.js';
import { QUARTER_MS } from '../../src/ports/store/charges.js';
import { asked, fingerprintOf, runPlan } from '../helpers/leads.js';
import {
  accepted,
  found,
  missed,
  refused,
  type StoreBench,
  T0,
  TIMES,
  uncertain,
} from './store-bench.js';

const ADA = createPersonMatch([{ kind: 'email', spellings: ['ada@example.com'] }]);
const AT = Math.floor(T0 / QUARTER_MS) * QUARTER_MS;
const ALWAYS = { from: 0, until: T0 * 2 };
const LATER = T0 + 100 * 86_400_000;

export function describeCharges(bench: StoreBench): void {
  const { answers, claimOne, finish, ingest, inState, store, run } = bench;

  const answer = async (who: string) => {
    const { id } = await inState('awaiting', who);
    const result = { find_email: { email: `${who}@example.com` } };
    await store.settle([{ id, at: T0 + QUARTER_MS, outcome: 'found', result, credits: 5 }]);
    return `enr_${id}`;
  };
  const prune = () => store.prune({ at: LATER, before: LATER - 1, freshSince: LATER - 1 }, true);
  const pruneSome = async (rowsMax: number) => {
    const times = { at: LATER, before: LATER - 1, freshSince: LATER - 1 };
    for (let isDone = false; !isDone; ) ({ isDone } = await store.pruneSome(times, rowsMax));
  };
  /** So that neither the newest run nor the newest enrichment is the subject. */
  const another = async () => {
    const next = await store.startRun(runPlan({ terms: 'other' }), T0);
    await inState('not_found', 'zoe', next.id);
  };
  const told = async (tickets: readonly string[]) =>
    (await store.chargesOf(run.account, tickets, true))
      .map(({ credits, outcome, sentAt, answeredAt, ticket }) => ({
        ticket,
        credits,
        outcome,
        sentAt,
        answeredAt,
      }))
      .sort((a, b) => (a.ticket < b.ticket ? -1 : 1));
  /** The number of sends, and of those without a known ticket. */
  const sends = async (span = ALWAYS) => {
    const { all, unnamed } = await store.countSends(run.account, span);
    return [all, unnamed];
  };
  const paid = async (span = ALWAYS) => {
    const all: string[] = [];
    for (let after: string | null = null; ; ) {
      const page = await store.paidCharges(run.account, span, after, 1);
      if (page.length === 0) return all;
      all.push(...page.map(({ credits, outcome }) => `${outcome} ${credits}`));
      after = page.at(-1)?.key ?? null;
    }
  };

  describe('charges', () => {
    it('are known by ticket, account and quarter of an hour', async () => {
      const ticket = await answer('ada');
      expect(await store.chargesOf(run.account, [ticket, 'enr_never'], false)).toMatchObject([
        { ticket, outcome: 'found', credits: 5, sentAt: AT, answeredAt: AT + QUARTER_MS },
      ]);
      expect(await store.chargesOf('another account', [ticket], false)).toEqual([]);
      expect(await sends({ from: AT + QUARTER_MS, until: AT + QUARTER_MS + 1 })).toEqual([1, 0]);
      expect(await sends({ from: AT + 2 * QUARTER_MS, until: LATER })).toEqual([0, 0]);
      expect(await sends({ from: 0, until: AT })).toEqual([0, 0]);
      expect(await paid({ from: AT + 1, until: LATER })).toEqual([]);
      expect(await paid({ from: 0, until: AT + QUARTER_MS })).toEqual([]);
      expect(await paid({ from: AT, until: AT + QUARTER_MS + 1 })).toEqual(['found 5']);
    });

    it('leave out what was not sent, was refused, or is known by another', async () => {
      await inState('queued', 'ada');
      await store.recordSubmits([refused(await claimOne())]);
      expect(await sends()).toEqual([0, 0]);
      const wide = await answer('bob');
      await ingest([{ ...asked(9, 'bob'), fingerprint: fingerprintOf('part of bob') }]);
      expect(await answers()).toHaveLength(3);
      expect(await told([wide])).toHaveLength(1);
      expect(await sends()).toEqual([1, 0]);
    });

    it.each([
      ['prune', async () => void (await prune())],
      ['pruning a little at a time', () => pruneSome(2)],
    ])('are the same after %s', async (_name, remove) => {
      const tickets = [await answer('ada'), await answer('bob')];
      const { id: missed } = await inState('not_found', 'cyd');
      const { id: broken } = await inState('failed', 'dan');
      tickets.push(`enr_${missed}`, `enr_${broken}`);
      await finish();
      await another();
      const before = [await told(tickets), await sends(), await paid()];
      await remove();
      expect((await store.answers(run.id, { after: 0, limit: 10 })).length).toBe(0);
      expect([await told(tickets), await sends(), await paid()]).toEqual(before);
      expect(before[1]).toEqual([5, 0]);
      // And again: nothing is counted twice.
      await remove();
      expect(await sends()).toEqual(before[1]);
    });

    it('are the same after their person was forgotten, and after that was pruned', async () => {
      const tickets = [await answer('ada'), await answer('bob')];
      await finish();
      await another();
      const before = [await told(tickets), await sends(), await paid()];
      await store.forget(ADA, T0 + 50, false);
      expect(await sends()).toEqual(before[1]);
      expect(await store.forget(ADA, T0 + 50, true)).toMatchObject({ enrichments: 1 });
      expect([await told(tickets), await sends(), await paid()]).toEqual(before);
      await prune();
      expect([await told(tickets), await sends(), await paid()]).toEqual(before);
    });

    it('that are open when their person is forgotten stay open', async () => {
      const { id } = await inState('timed_out', 'ada');
      await inState('uncertain', 'bob');
      await finish();
      const before = await sends();
      const all = createPersonMatch([{ kind: 'domain', spellings: ['example.com'] }]);
      expect(await store.forget(all, T0 + 50, true)).toMatchObject({ enrichments: 2 });
      expect(await sends()).toEqual(before);
      expect(await told([`enr_${id}`])).toMatchObject([{ outcome: 'unanswered', credits: 0 }]);
    });

    it('count an uncertain send beside the one that was sent in its place, by any run', async () => {
      await inState('uncertain', 'ada');
      expect(await sends()).toEqual([1, 1]);
      await finish();
      const next = await store.startRun(runPlan({ terms: 'other' }), T0);
      await ingest([asked(1, 'ada')], next.id, { ...TIMES, resendUncertain: true } as never);
      const again = await claimOne(next.id);
      await store.recordSubmits([accepted(again, 'enr_again')]);
      await store.settle([missed(again.id)]);
      expect(await sends()).toEqual([2, 1]);
      expect(await told(['enr_again'])).toMatchObject([{ outcome: 'not_found' }]);
    });

    it('that only a webhook answered, without a ticket, are known without one', async () => {
      const claimed = await inState('submitting', 'ada');
      await store.recordSubmits([uncertain(claimed)]);
      await store.settle([found(claimed.id)]);
      expect(await sends()).toEqual([1, 1]);
      expect(await paid()).toEqual([]);
    });

    it('that were answered at once, without a ticket, have none', async () => {
      const one = await bench.sent('ada');
      await store.recordSubmits([accepted(one, 'at once 0123456789abcdef')]);
      await store.settle([found(one.id)]);
      await finish();
      await another();
      const before = await sends();
      expect(before).toEqual([2, 1]);
      expect(await paid()).toEqual([]);
      await prune();
      expect(await sends()).toEqual(before);
    });

    it.each([['bulk_7~Yp3kQ0aB9xT2-_sd', 'bulk_7~3of10']])(
      'of a bulk call with one id for all are known by that',
      async (...tickets) => {
        for (const [i, who] of ['ada', 'bob'].entries()) {
          const one = await bench.sent(who);
          await store.recordSubmits([accepted(one, tickets[i])]);
          await store.settle([found(one.id, { find_email: { email: `${who}@example.com` } })]);
        }
        for (const [of, hasSharedTickets] of [
          [run.account, true],
          ['another', false],
        ] as const) {
          expect(await store.countSends(of, ALWAYS)).toMatchObject({ hasSharedTickets });
        }
        await finish();
        await another();
        const before = await told(['bulk_7', 'bulk_8']);
        expect(before.map(({ ticket }) => ticket)).toEqual(['bulk_7', 'bulk_7']);
        await prune();
        expect(await told(['bulk_7', 'bulk_8'])).toEqual(before);
      },
    );

    it('with one ticket for many are many', async () => {
      for (const who of ['ada', 'bob']) {
        const one = await bench.sent(who);
        await store.recordSubmits([accepted(one, 'enr_call')]);
        await store.settle([found(one.id, { find_email: { email: `${who}@example.com` } })]);
      }
      await finish();
      await another();
      const before = [await told(['enr_call']), await sends(), await paid()];
      expect(before[0]).toHaveLength(2);
      // One at a time, so that the second finds the first.
      await pruneSome(1);
      expect([await told(['enr_call']), await sends()]).toEqual(before.slice(0, 2));
      expect(await paid()).toEqual(before[2]);
    });
  });
}
