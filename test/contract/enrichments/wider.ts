// Wider questions that serve narrower ones: what was asked for all of it, and more, is not asked again for a part.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Ask, type EnrichmentRequest, isWider } from '../../../src/model/ask.js';
import { createPersonMatch } from '../../../src/model/person-match.js';
import type { Run } from '../../../src/model/run.js';
import { identifiersOf } from '../../../src/model/suppression.js';
import type {
  AskedLead,
  Claim,
  ClaimedEnrichment,
  ClaimTerms,
  Settlement,
  SubmitRecord,
  WideningTerms,
} from '../../../src/ports/store/enrichments.js';
import { asked, fingerprintOf, runPlan } from '../../helpers/leads.js';
import {
  accepted,
  arrival,
  failed,
  refused,
  type StoreBench,
  T0,
  TIMES,
  timedOut,
  uncertain,
  unsent,
} from '../store-bench.js';

const WIDE: readonly Ask[] = ['find_email', 'find_phone'];
const EMAIL: readonly Ask[] = ['find_email'];
const PHONE: readonly Ask[] = ['find_phone'];
const LATER = { at: T0 + 100_000, deadlineAt: T0 + 200_000 };
const STALE = { ...TIMES, freshSince: T0 + 1_000_000 };

/** How a job claims: it looks for wider questions about the same person. */
const LOOKING = {
  wider: {
    ...TIMES,
    among:
      (asked: readonly (readonly Ask[])[]) =>
      ({ ask, inputs }: EnrichmentRequest) =>
        asked
          .filter((wide) => isWider(wide, ask))
          .map((wide) => fingerprintOf(`${inputs.firstName} ${wide.join()}`)),
  },
} satisfies ClaimTerms;

function lead(position: number, who: string, ask: readonly Ask[], wider: Ask[][] = []): AskedLead {
  const plain = asked(position, who);
  if (plain.kind !== 'asked') throw new Error('it is asked');
  const fingerprint = (some: readonly Ask[]) => fingerprintOf(`${who} ${some.join()}`);
  return {
    ...plain,
    fingerprint: fingerprint(ask),
    request: { ...plain.request, ask },
    ...(wider.length === 0 ? {} : { wider: wider.map(fingerprint) }),
  };
}

/** A lead that asks for a part of what the wider question asks. */
function part(position: number, who = 'ada', ask = EMAIL): AskedLead {
  return lead(position, who, ask, [[...WIDE]]);
}

/** Answers to the wider question: with a number alone, or with both. */
function phoneAlone(id: number, at = T0) {
  const result = { find_phone: { phone: '+33612345678' } };
  return { id, at, outcome: 'found', result, credits: 20 } satisfies Settlement;
}

function both(id: number, at = T0) {
  const result = { ...phoneAlone(id).result, find_email: { email: 'ada@example.com' } };
  return { id, at, outcome: 'found', result, credits: 25 } satisfies Settlement;
}

export function describeWiderQuestions(bench: StoreBench): void {
  describe('wider questions', () => {
    const { ingest, claimOne, finish, answers, statuses, store, run } = bench;
    let next: Run;
    beforeEach(async () => {
      next = await store.startRun(runPlan({ job: 'weekly' }), T0);
    });

    /** The wider question about a person, sent by the first run. */
    const sentWide = async (who = 'ada'): Promise<ClaimedEnrichment> => {
      const { leadCount } = (await store.findRun(run.id)) as Run;
      await ingest([lead(leadCount + 1, who, WIDE)]);
      return claimOne();
    };
    const acceptedWide = async (who = 'ada'): Promise<ClaimedEnrichment> => {
      const sent = await sentWide(who);
      await store.recordSubmits([accepted(sent)]);
      return sent;
    };
    const takePart = (...leads: AskedLead[]) => ingest(leads, next.id);
    /** What a claim that looks for no wider questions has sent. */
    const sentNow = async (runId = next.id) =>
      (await store.claim(runId, 9, T0)).claimed.map(({ request }) => request.ask);

    describe('a wider question serves a lead that asks for a part', () => {
      it('with its answer, judged by what the lead asks, with time and ticket, and for nothing', async () => {
        const ada = await acceptedWide();
        const bob = await acceptedWide('bob');
        await store.settle([both(ada.id, T0 + 7), phoneAlone(bob.id, T0 + 8)]);
        expect(await store.peek([part(1), part(1, 'bob')], T0)).toEqual(['fresh', 'fresh']);
        const leads = [part(1), part(2, 'bob'), part(3, 'bob', PHONE), part(4)];
        expect(await takePart(...leads)).toMatchObject({ cached: 4, queued: 0, awaiting: 0 });
        expect(await answers(next.id)).toMatchObject([
          {
            status: 'found',
            ask: EMAIL,
            result: { find_email: { email: 'ada@example.com' } },
            ticket: `enr_${ada.id}`,
            enrichedAt: T0 + 7,
            source: 'cache',
            credits: 0,
            paidBy: run.id,
          },
          { status: 'not_found', ask: EMAIL, result: {}, ticket: `enr_${bob.id}` },
          { status: 'found', ask: PHONE, result: phoneAlone(0).result },
          { status: 'found', ask: EMAIL },
        ]);
        expect((await answers(next.id))[0]?.result).not.toHaveProperty('find_phone');
        const { byStatus, credits, fromCache } = await store.tally(next.id);
        expect({ found: byStatus.found, credits, fromCache }).toEqual({
          found: 3,
          credits: 0,
          fromCache: 4,
        });
        expect(await store.commitment(next.id)).toEqual({ spent: 0, open: [] });
        expect(await store.commitment(run.id)).toEqual({ spent: 45, open: [] });
        expect(await statuses(run.id)).toEqual(['found', 'found']);
      });

      it('no longer than it is fresh, whenever it was taken', async () => {
        const { id } = await acceptedWide();
        await store.settle([both(id)]);
        await takePart(part(1));
        expect(await store.peek([part(1)], STALE.freshSince)).toEqual(['new']);
        expect(await ingest([part(2)], next.id, STALE)).toMatchObject({ queued: 1 });
        // The row shows the old answer until there is a newer one.
        expect(await statuses(next.id)).toEqual(['found', 'found']);
        expect(await sentNow()).toEqual([EMAIL]);
      });

      it('again once that is answered anew, where the lead has the older answer', async () => {
        const { id } = await acceptedWide();
        await store.settle([both(id)]);
        await takePart(part(1));
        const third = await store.startRun(runPlan({ job: 'monthly' }), T0);
        await ingest([lead(1, 'ada', WIDE)], third.id, STALE);
        const anew = await claimOne(third.id);
        await store.recordSubmits([accepted(anew)]);
        await store.settle([phoneAlone(anew.id, STALE.freshSince + 5)]);
        expect(await ingest([part(2)], next.id, STALE)).toMatchObject({ cached: 1, queued: 0 });
        expect(await statuses(next.id)).toEqual(['found', 'not_found']);
      });

      it('with a failure of what was accepted, and not with a refusal', async () => {
        const { id } = await acceptedWide();
        await store.settle([failed(id)]);
        await store.recordSubmits([refused(await sentWide('bob'))]);
        expect(await takePart(part(1), part(2, 'bob'))).toMatchObject({ cached: 1, queued: 1 });
        expect(await answers(next.id)).toMatchObject([
          { status: 'failed', reason: 'broken', credits: 0 },
          { status: 'queued' },
        ]);
      });

      it('by the newest answer of those that ask for more', async () => {
        const more: Ask[] = ['find_email', 'social_enrichment'];
        const { id } = await acceptedWide();
        await store.settle([phoneAlone(id)]);
        await ingest([lead(2, 'ada', more)]);
        const other = await claimOne();
        await store.recordSubmits([accepted(other)]);
        await store.settle([both(other.id, T0 + 5)]);
        const narrow = lead(1, 'ada', EMAIL, [[...WIDE], more]);
        await takePart(narrow);
        expect(await answers(next.id)).toMatchObject([{ status: 'found', enrichedAt: T0 + 5 }]);
      });

      it('not where its own question is answered, or on its way', async () => {
        const { id } = await acceptedWide();
        await store.settle([phoneAlone(id)]);
        await ingest([lead(2, 'ada', EMAIL), lead(3, 'bob', EMAIL)]);
        const [own, awaited] = [await claimOne(), await claimOne()];
        await store.recordSubmits([accepted(own), accepted(awaited)]);
        await store.settle([both(own.id)]);
        await acceptedWide('bob');
        expect(await takePart(part(1), part(2, 'bob'))).toMatchObject({ cached: 1, awaiting: 1 });
        expect(await answers(next.id)).toMatchObject([
          { status: 'found', ticket: `enr_${own.id}` },
          { status: 'awaiting', ticket: `enr_${awaited.id}` },
        ]);
      });

      it('where its own was sent, and nothing is known of that: the answer is there', async () => {
        await ingest([lead(1, 'ada', EMAIL)]);
        await store.recordSubmits([uncertain(await claimOne())]);
        const { id } = await acceptedWide();
        expect(await takePart(part(1))).toMatchObject({ shared: 1 });
        expect(await statuses(next.id)).toEqual(['uncertain']);
        await store.settle([both(id)]);
        expect(await takePart(part(2))).toMatchObject({ cached: 1 });
        expect(await statuses(next.id)).toEqual(['uncertain', 'found']);
        await finish(next.id);
        expect(await store.retry(next.id, ['uncertain'], LATER)).toEqual({
          queued: 0,
          awaiting: 0,
          answered: 1,
        });
        expect(await statuses(next.id)).toEqual(['found', 'found']);
      });

      it('not while it is only queued: each is sent for itself', async () => {
        await ingest([lead(1, 'ada', WIDE)]);
        expect(await store.peek([part(1)], T0)).toEqual(['new']);
        expect(await takePart(part(1))).toMatchObject({ queued: 1 });
        await store.endRun(run.id, 'cancelled', T0);
        expect(await store.adopt(next.id, T0)).toMatchObject({ queued: 1 });
        expect(await sentNow()).toEqual([EMAIL]);
      });

      it('with what was known before, where it is queued anew', async () => {
        const { id } = await acceptedWide();
        await store.settle([both(id)]);
        const third = await store.startRun(runPlan({ job: 'monthly' }), T0);
        expect(await ingest([lead(1, 'ada', WIDE)], third.id, STALE)).toMatchObject({ queued: 1 });
        expect(await takePart(part(1))).toMatchObject({ cached: 1 });
        expect(await answers(next.id)).toMatchObject([{ status: 'found', ticket: `enr_${id}` }]);
      });

      it('and leaves the answer that is known, where it is read again after a miss', async () => {
        await ingest([lead(1, 'ada', WIDE)]);
        await takePart(part(1));
        const [wide, own] = [await claimOne(), await claimOne(next.id)];
        await store.recordSubmits([accepted(wide), accepted(own)]);
        const miss = { outcome: 'not_found', result: {}, credits: 0 } as const;
        await store.settle([{ id: wide.id, at: T0, ...miss }, both(own.id)]);
        expect(await ingest([part(2)], next.id, STALE)).toMatchObject({ queued: 1 });
        await finish();
        expect(await store.retry(run.id, ['not_found'], LATER)).toMatchObject({ awaiting: 1 });
        await ingest([part(3)], next.id, STALE);
        expect(await statuses(next.id)).toEqual(['found', 'found', 'found']);
      });

      it('also where the person is forgotten: nothing is asked', async () => {
        const { id } = await acceptedWide();
        await store.settle([both(id)]);
        await finish();
        await finish(next.id);
        const match = createPersonMatch([{ kind: 'email', spellings: ['ada@example.com'] }]);
        expect(await store.forget(match, T0, true)).toMatchObject({ leads: 1 });
        const third = await store.startRun(runPlan({ job: 'monthly' }), T0);
        expect(await ingest([part(1)], third.id)).toMatchObject({ cached: 1, queued: 0 });
        expect(await answers(third.id)).toMatchObject([
          { status: 'failed', reason: expect.stringMatching(/^forgotten/) as string, inputs: {} },
        ]);
        expect(await store.retry(third.id, ['failed'], { ...LATER, askAnew: true })).toEqual({
          queued: 0,
          awaiting: 0,
          answered: 0,
        });
      });

      it('in a chain: a part serves a part of itself', async () => {
        const all: Ask[] = [...WIDE, 'social_enrichment'];
        await ingest([lead(1, 'ada', all)]);
        const sent = await claimOne();
        await store.recordSubmits([accepted(sent)]);
        await takePart(lead(1, 'ada', WIDE, [all]), part(2));
        expect(await statuses(next.id)).toEqual(['awaiting', 'awaiting']);
        await store.settle([phoneAlone(sent.id)]);
        expect(await statuses(next.id)).toEqual(['found', 'not_found']);
      });

      it('and stays when the run that paid is pruned', async () => {
        const { id } = await acceptedWide();
        await store.settle([both(id)]);
        await takePart(part(1));
        await finish();
        const { at } = TIMES;
        await store.prune({ at: at + 9, before: at + 9, freshSince: at + 9 }, true);
        expect(await answers(next.id)).toMatchObject([
          { status: 'found', result: { find_email: {} } },
        ]);
      });
    });

    describe('a wider question that is on its way', () => {
      it('is awaited by its ticket, for nothing, and ends for both', async () => {
        const { id } = await acceptedWide();
        expect(await store.peek([part(1)], T0)).toEqual(['open']);
        expect(await takePart(part(1), part(2))).toMatchObject({
          awaiting: 1,
          shared: 1,
          queued: 0,
        });
        const [own] = await store.awaited(next.id, 9);
        expect(own).toMatchObject({
          ticket: `enr_${id}`,
          request: { ask: WIDE },
          part: EMAIL,
          pollAt: TIMES.at,
          deadlineAt: TIMES.deadlineAt,
        });
        expect(await store.awaited(run.id, 9)).toMatchObject([{ id, request: { ask: WIDE } }]);
        expect((await store.awaited(run.id, 9))[0]).not.toHaveProperty('part');
        expect(await store.commitment(next.id)).toEqual({ spent: 0, open: [] });
        expect((await store.commitment(run.id)).open).toMatchObject([{ ask: WIDE, count: 1 }]);
        expect(await store.settle([phoneAlone(id)])).toMatchObject([{ id }]);
        expect(await statuses(next.id)).toEqual(['not_found', 'not_found']);
        expect(await store.work(next.id)).toMatchObject({ awaiting: 0 });
        expect(await store.tally(next.id)).toMatchObject({ fromCache: 2, credits: 0 });
      });

      it('may be answered for the narrower one first', async () => {
        const { id } = await acceptedWide();
        await takePart(part(1));
        const [own] = await store.awaited(next.id, 9);
        const { result } = both(0);
        const { find_email } = result;
        const settlement = { id: own?.id ?? 0, at: T0, outcome: 'found', credits: 0 } as const;
        expect(await store.settle([{ ...settlement, result: { find_email } }])).toHaveLength(1);
        expect(await statuses(next.id)).toEqual(['found']);
        expect(await statuses(run.id)).toEqual(['awaiting']);
        await store.settle([both(id)]);
        expect(await answers(run.id)).toMatchObject([{ status: 'found', credits: 25 }]);
        expect(await answers(next.id)).toMatchObject([{ status: 'found', credits: 0 }]);
      });

      it('is awaited again after it has timed out, or the narrower one has', async () => {
        const { id } = await acceptedWide();
        await store.settle([timedOut(id)]);
        expect(await takePart(part(1))).toMatchObject({ awaiting: 1 });
        const [own] = await store.awaited(next.id, 9);
        await store.settle([timedOut(own?.id ?? 0)]);
        expect(await statuses(next.id)).toEqual(['timed_out']);
        await store.finishReading(next.id);
        expect(await store.retry(next.id, ['timed_out'], LATER)).toMatchObject({ awaiting: 1 });
        expect(await statuses(run.id)).toEqual(['timed_out']);
        await store.settle([both(id)]);
        expect(await statuses(next.id)).toEqual(['found']);
      });

      it('is kept unread for both, and read for both', async () => {
        const { id } = await acceptedWide();
        await store.postpone([{ id, body: '{"x":1}', reason: 'odd' }]);
        expect(await takePart(part(1))).toMatchObject({ awaiting: 1 });
        expect(await store.awaited(next.id, 9)).toMatchObject([{ unread: '{"x":1}', part: EMAIL }]);
        await store.settle([both(id)]);
        expect(await store.work(next.id)).toMatchObject({ awaiting: 0, unread: 0 });
      });

      it('is the one that a delivery means by its ticket', async () => {
        const { id } = await acceptedWide();
        await takePart(part(1));
        const reference = { enrichmentId: null, ticket: `enr_${id}`, callId: null };
        expect(await store.addressed('acc', [reference])).toMatchObject([
          { id, state: 'awaiting' },
        ]);
      });

      it('is read once more for nothing where the part was not found', async () => {
        const { id } = await acceptedWide();
        await store.settle([phoneAlone(id)]);
        await takePart(part(1));
        await finish(next.id);
        expect(await store.retry(next.id, ['not_found'], LATER)).toMatchObject({ awaiting: 1 });
        expect(await store.awaited(next.id, 9)).toMatchObject([
          { ticket: `enr_${id}`, part: EMAIL },
        ]);
        expect(await sentNow()).toEqual([]);
        expect(await statuses(run.id)).toEqual(['found']);
      });
    });

    describe('a wider question of which it is not known whether it was accepted', () => {
      const told: readonly (readonly [
        string,
        (sent: ClaimedEnrichment) => SubmitRecord,
        string,
      ])[] = [
        ['accepted', (sent) => accepted(sent), 'awaiting'],
        ['not sent', unsent, 'queued'],
        ['refused', refused, 'queued'],
        ['in doubt', uncertain, 'uncertain'],
      ];

      it.each(told)(
        'is waited for, and when it is %s, so is the part',
        async (_, record, status) => {
          const sent = await sentWide();
          expect(await store.peek([part(1)], T0)).toEqual(['sending']);
          expect(await takePart(part(1))).toMatchObject({ shared: 1, queued: 0 });
          expect(await statuses(next.id)).toEqual(['submitting']);
          expect(await store.adopt(next.id, T0 - 1)).toMatchObject({ elsewhere: 1 });
          await store.recordSubmits([record(sent)]);
          expect(await statuses(next.id)).toEqual([status]);
          // What is asked for after all is asked for in part, and paid for by the run that wants it.
          expect(await sentNow()).toEqual(status === 'queued' ? [EMAIL] : []);
        },
      );

      it('is not sent, nor is the part, until a user says so: then it is the part', async () => {
        await store.recordSubmits([uncertain(await sentWide())]);
        expect(await store.peek([part(1)], T0)).toEqual(['uncertain']);
        expect(await takePart(part(1))).toMatchObject({ shared: 1 });
        expect(await takePart(part(2))).toMatchObject({ shared: 1 });
        expect(await statuses(next.id)).toEqual(['uncertain', 'uncertain']);
        expect(await sentNow()).toEqual([]);
        expect(await store.retry(next.id, ['uncertain'], LATER)).toMatchObject({ queued: 1 });
        expect(await store.commitment(next.id)).toEqual({ spent: 0, open: [] });
        const claimed = await claimOne(next.id);
        expect(claimed.request.ask).toEqual(EMAIL);
        expect(await statuses(run.id)).toEqual(['uncertain']);
        await store.recordSubmits([accepted(claimed)]);
        await store.settle([{ ...both(claimed.id), credits: 5 }]);
        expect(await store.tally(next.id)).toMatchObject({ credits: 5, fromCache: 1 });
      });

      it('is not asked for again by a run that is told to: that asks for the part', async () => {
        await store.recordSubmits([uncertain(await sentWide())]);
        const times = { ...TIMES, resendUncertain: true };
        expect(await ingest([part(1), part(2)], next.id, times)).toMatchObject({
          queued: 1,
          shared: 1,
        });
        expect(await sentNow()).toEqual([EMAIL]);
        expect(await statuses(run.id)).toEqual(['uncertain']);
      });

      it.each(['retry', 'ingest'] as const)(
        'is asked for in part by %s, which was in doubt before',
        async (how) => {
          await store.recordSubmits([uncertain(await sentWide())]);
          await takePart(part(1));
          await finish(next.id);
          if (how === 'retry') {
            expect(await store.retry(next.id, ['uncertain'], LATER)).toMatchObject({ queued: 1 });
            expect(await sentNow()).toEqual([EMAIL]);
          } else {
            const third = await store.startRun(runPlan({ job: 'monthly' }), T0);
            const times = { ...TIMES, resendUncertain: true };
            expect(await ingest([part(1)], third.id, times)).toMatchObject({ queued: 1 });
            expect(await sentNow(third.id)).toEqual([EMAIL]);
          }
          expect(await statuses(run.id)).toEqual(['uncertain']);
        },
      );

      it('answers the part when it is answered after all', async () => {
        const ada = await sentWide();
        const bob = await sentWide('bob');
        await store.recordSubmits([uncertain(bob)]);
        await takePart(part(1), part(2, 'bob'));
        await store.recover(run.id);
        expect(await statuses(next.id)).toEqual(['submitting', 'uncertain']);
        await store.settle([both(ada.id), phoneAlone(bob.id)]);
        expect(await statuses(next.id)).toEqual(['found', 'not_found']);
        expect(await store.retry(next.id, ['uncertain'], LATER)).toMatchObject({ queued: 0 });
      });

      it('does not answer the part any more once that is sent for itself', async () => {
        const { id } = await sentWide();
        await store.recover(run.id);
        await takePart(part(1));
        await store.retry(next.id, ['uncertain'], LATER);
        const own = await claimOne(next.id);
        await store.recordSubmits([accepted(own)]);
        await store.settle([both(id)]);
        expect(await statuses(next.id)).toEqual(['awaiting']);
      });

      it('is awaited by the part once its ticket is known', async () => {
        const { id } = await sentWide();
        await store.recover(run.id);
        await takePart(part(1));
        await store.keepArrivals([arrival({ enrichmentId: id })]);
        const [delivery] = await store.pendingDeliveries('acc', 1);
        const postponement = { id, pollAt: T0 + 9, wasEmpty: true };
        const step = {
          kind: 'postpone',
          ticket: 'enr_late',
          postponement,
          deadlineAt: T0 + 99,
        } as const;
        await store.handleDeliveries('acc', [{ id: delivery?.id ?? 0, at: T0, steps: [step] }]);
        expect(await statuses(run.id)).toEqual(['awaiting']);
        expect(await takePart(part(2))).toMatchObject({ awaiting: 1 });
        expect(await statuses(next.id)).toEqual(['awaiting', 'awaiting']);
        expect(await store.awaited(next.id, 9)).toMatchObject([{ ticket: 'enr_late' }]);
      });
    });

    describe('what is queued when a wider question is asked', () => {
      const who = ['ada', 'bob', 'cyd', 'dan'];
      const took = (claim: Claim) => ({
        sent: claim.claimed.map(({ request }) => request.inputs.firstName),
        settled: claim.served.settled.map(({ outcome }) => outcome),
        awaiting: claim.served.awaiting,
        shared: claim.served.shared,
      });
      const claim = async (limit = 9, terms: ClaimTerms = {}, runId = next.id) =>
        took(await store.claim(runId, limit, T0, { ...LOOKING, ...terms }));

      /** Brings the wider question on: what becomes of its request, and of its ticket. */
      const become =
        (record: (sent: ClaimedEnrichment) => SubmitRecord, settle?: (id: number) => Settlement) =>
        async (sent: ClaimedEnrichment): Promise<void> => {
          await store.recordSubmits([record(sent)]);
          if (settle !== undefined) await store.settle([settle(sent.id)]);
        };
      const taken = (sent: ClaimedEnrichment) => accepted(sent);
      it.each<[string, (sent: ClaimedEnrichment) => Promise<void>, object, string]>([
        ['is being sent', async () => {}, { shared: 1 }, 'submitting'],
        ['may have been accepted', become(uncertain), { shared: 1 }, 'uncertain'],
        ['was accepted', become(taken), { awaiting: 1 }, 'awaiting'],
        ['has timed out', become(taken, timedOut), { awaiting: 1 }, 'awaiting'],
        ['is answered', become(taken, (id) => both(id)), { settled: ['found'] }, 'found'],
        [
          'is answered without it',
          become(taken, (id) => phoneAlone(id)),
          { settled: ['not_found'] },
          'not_found',
        ],
        ['was not sent after all', become(unsent), { sent: ['ada'] }, 'submitting'],
        ['was refused', become(refused), { sent: ['ada'] }, 'submitting'],
        ['failed', become(taken, (id) => failed(id)), { settled: ['failed'] }, 'failed'],
      ])('is looked at by the claim: that %s', async (_, bring, expected, status) => {
        expect(await takePart(part(1))).toMatchObject({ queued: 1 });
        await bring(await sentWide());
        const nothing = { sent: [], settled: [], awaiting: 0, shared: 0 };
        expect(await claim()).toEqual({ ...nothing, ...expected });
        expect(await statuses(next.id)).toEqual([status]);
        expect(await claim()).toEqual(nothing);
        const isSent = 'sent' in expected;
        expect((await store.commitment(next.id)).open).toHaveLength(isSent ? 1 : 0);
        expect(await store.work(next.id)).toMatchObject({
          queued: 0,
          submitting: status === 'submitting' ? 1 : 0,
          awaiting: 'awaiting' in expected ? 1 : 0,
        });
      });

      it('leaves its place to the next one, and is counted as what it is', async () => {
        await takePart(...who.map((name, i) => part(i + 1, name)));
        const ada = await acceptedWide();
        await store.settle([both(ada.id)]);
        await acceptedWide('bob');
        expect(await claim(1)).toEqual({
          sent: ['cyd'],
          settled: ['found'],
          awaiting: 1,
          shared: 0,
        });
        expect(await answers(next.id)).toMatchObject([
          { status: 'found', source: 'cache', credits: 0, paidBy: run.id },
          { status: 'awaiting', ticket: expect.stringMatching(/^enr_/) as string },
          { status: 'submitting' },
          { status: 'queued' },
        ]);
        expect(await store.work(next.id)).toMatchObject({ queued: 1, submitting: 1, awaiting: 1 });
      });

      it.each([false, true])(
        'is looked at after those before it in the same claim; alike: %s',
        async (isAlike) => {
          await ingest([lead(1, 'ada', WIDE), lead(2, 'bob', WIDE), part(3), part(4, 'cyd')]);
          const first = await claim(9, { isAlike }, run.id);
          const sent = isAlike ? ['ada', 'bob'] : ['ada', 'bob', 'cyd'];
          expect(first.sent).toEqual(sent);
          const rest = await claim(9, { isAlike }, run.id);
          expect(first.shared + rest.shared).toBe(1);
          expect([...first.sent, ...rest.sent]).toEqual(['ada', 'bob', 'cyd']);
        },
      );

      it('by those whose claim does not know the wider set of asks when it begins', async () => {
        await takePart(part(1));
        const sets: unknown[] = [];
        const among: WideningTerms['among'] = (asked) => {
          sets.push(asked);
          return LOOKING.wider.among(asked);
        };
        await sentWide();
        await store.claim(next.id, 9, T0, { wider: { ...LOOKING.wider, among } });
        expect(sets).toEqual([[EMAIL, WIDE]]);
      });

      it('needs no room in a cap', async () => {
        await takePart(...who.map((name, i) => part(i + 1, name)));
        await acceptedWide();
        await acceptedWide('bob');
        const caps = { timezone: 'UTC', day: 5 };
        expect(await claim(9, { caps, prices: { find_email: 5 } })).toMatchObject({
          sent: ['cyd'],
          awaiting: 2,
        });
        expect(await statuses(next.id)).toEqual(['awaiting', 'awaiting', 'submitting', 'queued']);
      });

      it('stays where its person is suppressed since', async () => {
        await takePart(part(1));
        await acceptedWide();
        const { request } = part(1);
        await store.suppress([identifiersOf(request.inputs)], 'opted out', T0);
        expect(await claim()).toEqual({ sent: [], settled: [], awaiting: 0, shared: 0 });
        expect(await statuses(next.id)).toEqual(['skipped']);
      });

      it('is sent where what is known is stale', async () => {
        await takePart(part(1));
        await store.settle([both((await acceptedWide()).id)]);
        const wider = { ...LOOKING.wider, freshSince: STALE.freshSince };
        expect(await claim(9, { wider })).toMatchObject({ sent: ['ada'] });
      });

      it('is sent before the wider question is: each is paid', async () => {
        await takePart(part(1));
        expect(await claim()).toMatchObject({ sent: ['ada'] });
        await ingest([lead(1, 'ada', WIDE)]);
        expect(await claim(9, {}, run.id)).toMatchObject({ sent: ['ada'] });
      });

      it.each([
        ['not sent', unsent, 'queued'],
        ['refused', refused, 'queued'],
        ['in doubt', uncertain, 'uncertain'],
        ['accepted', (sent: ClaimedEnrichment) => accepted(sent), 'awaiting'],
      ] as const)(
        'waits for one that is being sent, and when that is %s',
        async (_, to, status) => {
          await takePart(part(1));
          const sent = await sentWide();
          expect(await claim()).toMatchObject({ sent: [], shared: 1 });
          expect(await store.adopt(next.id, T0 - 1)).toMatchObject({ elsewhere: 1 });
          await store.recordSubmits([to(sent)]);
          expect(await statuses(next.id)).toEqual([status]);
          if (status !== 'queued') return expect(await claim()).toMatchObject({ sent: [] });
          expect(await claim()).toMatchObject({ sent: ['ada'] });
        },
      );

      it('waits for one whose process dies, and is uncertain with it', async () => {
        await takePart(part(1));
        const sent = await sentWide();
        expect(await claim()).toMatchObject({ shared: 1 });
        expect(await store.recover(run.id)).toBe(1);
        expect(await store.adopt(next.id, T0 + 1)).toMatchObject({ givenUp: 1 });
        expect(await statuses(next.id)).toEqual(['uncertain']);
        await store.settle([both(sent.id)]);
        expect(await statuses(next.id)).toEqual(['found']);
      });

      describe('where the user has it sent again in spite of the doubt', () => {
        /** In doubt since a wider one is. */
        const doubt = async () => {
          await takePart(part(1));
          const sent = await sentWide();
          await store.recordSubmits([uncertain(sent)]);
          expect(await claim()).toMatchObject({ sent: [], shared: 1 });
          return sent;
        };

        it.each([false, true])(
          'is sent by retry, also at a second try; its run has finished: %s',
          async (hasFinished) => {
            await doubt();
            if (hasFinished) await finish(next.id);
            expect(await store.retry(next.id, ['uncertain'], LATER)).toMatchObject({ queued: 1 });
            const again = await store.claim(next.id, 9, T0, LOOKING);
            expect(took(again)).toMatchObject({ sent: ['ada'], shared: 0 });
            await store.recordSubmits(again.claimed.map(unsent));
            expect(await claim()).toMatchObject({ sent: ['ada'], shared: 0 });
          },
        );

        it('is sent where a run is told so that has not asked for it yet', async () => {
          await store.recordSubmits([uncertain(await sentWide())]);
          const times = { ...TIMES, resendUncertain: true };
          expect(await ingest([part(1)], next.id, times)).toMatchObject({ queued: 1 });
          expect(await claim()).toMatchObject({ sent: ['ada'], shared: 0 });
        });

        it('is not sent once the wider one has its answer', async () => {
          const { id } = await doubt();
          await store.retry(next.id, ['uncertain'], LATER);
          await store.settle([both(id)]);
          expect(await claim()).toMatchObject({ sent: [], settled: ['found'] });
        });

        it('is sent though the wider one has failed', async () => {
          await takePart(part(1));
          const { id } = await acceptedWide();
          await store.settle([failed(id)]);
          expect(await claim()).toMatchObject({ sent: [], settled: ['failed'] });
          await finish(next.id);
          const times = { ...LATER, askAnew: true };
          expect(await store.retry(next.id, ['failed'], times)).toMatchObject({ queued: 1 });
          expect(await claim()).toMatchObject({ sent: ['ada'], settled: [] });
        });

        it('is sent where a send of its own was lost, but for a wider one that has its answer', async () => {
          await takePart(part(1));
          await store.recordSubmits([uncertain(await claimOne(next.id))]);
          await store.retry(next.id, ['uncertain'], LATER);
          const { id } = await acceptedWide();
          const again = await store.claim(next.id, 9, T0, LOOKING);
          expect(took(again)).toMatchObject({ sent: ['ada'] });
          await store.recordSubmits(again.claimed.map(unsent));
          await store.settle([both(id)]);
          expect(await claim()).toMatchObject({ sent: [], settled: ['found'] });
        });
      });
    });

    it('knows each set of asks that was ever asked, once', async () => {
      expect(await store.asked()).toEqual([]);
      await ingest([lead(1, 'ada', EMAIL), lead(2, 'ada', WIDE)]);
      await takePart(lead(1, 'bob', WIDE.toReversed()));
      expect(await store.asked()).toHaveLength(2);
      expect(await store.asked()).toEqual(expect.arrayContaining([EMAIL, WIDE]));
      expect(await (await bench.openAgain()).asked()).toHaveLength(2);
    });
  });
}
