// Enrichments: one payment for a fingerprint, intent before money, answers that count once, and what is committed.
import { describe, expect, it } from 'vitest';
import type { Ask } from '../../src/model/ask.js';
import { STATES, stateAfter } from '../../src/model/enrichment/arrows.js';
import { createPersonMatch } from '../../src/model/person-match.js';
import type { ClaimedEnrichment, LeadEntry } from '../../src/ports/store/enrichments.js';
import { asked, COLUMNS, knownBy, runPlan, skippedLead } from '../helpers/leads.js';
import {
  accepted,
  failed,
  found,
  missed,
  NO_LEADS,
  refused,
  type StoreBench,
  T0,
  TIMES,
  timedOut,
  uncertain,
  unsent,
} from './store-bench.js';

type Both = readonly [ClaimedEnrichment, ClaimedEnrichment];

export function describeEnrichments(bench: StoreBench): void {
  const { ingest, add, claimOne, sent, inState, peek, answers, statuses, store, run } = bench;

  describe('one fingerprint, one payment', () => {
    it('leads of one fingerprint share one enrichment', async () => {
      const count = await ingest([asked(1, 'ada'), asked(2, 'ada'), asked(3, 'bob')]);
      expect(count).toEqual({ ...NO_LEADS, queued: 2, shared: 1 });
      expect((await store.claim(run.id, 10, T0)).claimed).toHaveLength(2);
    });

    it('may be claimed with those alone that ask for the same as the oldest', async () => {
      const asking = (position: number, ask: readonly Ask[]): LeadEntry => {
        const lead = asked(position, `p${position}`);
        return lead.kind === 'asked' ? { ...lead, request: { ...lead.request, ask } } : lead;
      };
      const both = ['find_email', 'find_phone'] as const;
      await ingest([asking(1, both), asking(2, ['find_phone']), asking(3, both), asking(4, both)]);
      const claim = async () =>
        (await store.claim(run.id, 2, T0, { isAlike: true })).claimed.map(
          ({ request }) => request.ask,
        );
      expect(await claim()).toEqual([both, both]);
      expect(await claim()).toEqual([['find_phone']]);
      expect(await claim()).toEqual([both]);
      expect(await claim()).toEqual([]);
    });

    it('tells who else has its ticket, of the same account, and is somebody else', async () => {
      const [ada, bob] = [await sent('ada'), await sent('bob')];
      await store.recordSubmits([accepted(ada, 'job'), accepted(bob, 'job')]);
      const other = await store.startRun(runPlan({ job: 'weekly', account: 'other' }), T0);
      const cyd = await sent('cyd', other.id);
      await store.recordSubmits([accepted(cyd, 'job')]);

      const holder = { ticket: 'job', runId: run.id };
      const [first, second] = await store.ticketHolders(run.id, ['job', 'none']);
      expect([first, second]).toMatchObject([holder, holder]);
      expect(await store.ticketHolders(other.id, ['job'])).toEqual([]);
    });

    const shared = { reason: expect.stringMatching(/^ticket shared with line \d$/), result: null };
    const withheld = { status: 'failed', credits: 5, ...shared };

    it.each([
      [
        'the first is answered before the second has it',
        async ([ada, bob]: Both) => {
          await store.recordSubmits([accepted(ada, 'job')]);
          await store.settle([found(ada.id)]);
          await store.recordSubmits([accepted(bob, 'job')]);
          return store.settle([found(bob.id)]);
        },
      ],
      [
        'it is answered for the first while the second has it',
        async ([ada, bob]: Both) => {
          await store.recordSubmits([accepted(ada, 'job'), accepted(bob, 'job')]);
          await store.settle([found(ada.id)]);
          return store.settle([found(bob.id)]);
        },
      ],
      [
        'both are answered together',
        async ([ada, bob]: Both) => {
          await store.recordSubmits([accepted(ada, 'job'), accepted(bob, 'job')]);
          return store.settle([found(ada.id), found(bob.id)]);
        },
      ],
      [
        'the answers come with it',
        ([ada, bob]: Both) =>
          store.recordSubmits(
            [ada, bob].map((one) => ({ ...accepted(one, 'job'), atOnce: found(one.id) })),
          ),
      ],
    ])('answers for none of the different people who have it: %s', async (_name, settleBoth) => {
      const both = [await sent('ada'), await sent('bob')] as const;
      expect((await settleBoth(both)).at(-1)).toEqual({ id: both[1].id, state: 'failed' });
      expect(await answers()).toMatchObject([withheld, withheld]);
      expect((await store.commitment(run.id)).spent).toBe(10);
    });

    it('takes no answer back for a delivery that names it for another, and is not taken', async () => {
      const [ada, bob] = [await sent('ada'), await sent('bob')];
      await store.recordSubmits([accepted(ada, 'job'), uncertain(bob)]);
      await store.settle([found(ada.id)]);
      const delivery = {
        scope: 'acc',
        enrichmentId: bob.id,
        callId: null,
        receivedAt: T0,
        body: '',
      };
      await store.keepArrivals([delivery]);
      const { id = 0 } = (await store.listDeliveries(1))[0] ?? {};
      const step = { kind: 'settle', ticket: 'job', settlement: found(bob.id) } as const;
      expect(await store.handleDeliveries(run.account, [{ id, at: T0, steps: [step] }])).toEqual(
        [],
      );
      expect(await statuses()).toEqual(['found', 'uncertain']);
    });

    it('answers for the one whom the answer names, also where the other was settled before', async () => {
      const ada = await sent('ada');
      const lead = asked(2, 'bob');
      await ingest([
        {
          ...lead,
          request: { ask: ['find_email'], inputs: { socialUrl: 'https://x.example/in/bob' } },
        },
      ]);
      const bob = await claimOne();
      const result = {
        ...found(bob.id),
        result: {
          social_enrichment: { socialUrl: 'https://x.example/in/bob', positionGroups: [] },
        },
      };
      await store.recordSubmits([accepted(ada, 'job')]);
      await store.settle([{ ...result, id: ada.id }]);
      await store.recordSubmits([accepted(bob, 'job')]);
      expect(await store.settle([result])).toEqual([{ id: bob.id, state: 'found' }]);
      expect(await answers()).toMatchObject([withheld, { status: 'found' }]);
    });

    it('is another ticket where another account has it', async () => {
      const other = await store.startRun(runPlan({ job: 'weekly', account: 'other' }), T0);
      const [ada, bob] = [await sent('ada'), await sent('bob', other.id)];
      await store.recordSubmits([accepted(ada, 'job'), accepted(bob, 'job')]);
      const settled = await store.settle([found(ada.id), found(bob.id)]);
      expect(settled.map(({ state }) => state)).toEqual(['found', 'found']);
    });

    it('may end, or keep its answer, in the step that records its submission', async () => {
      const [ada, bob, cyd] = [await sent('ada'), await sent('bob'), await sent('cyd')];
      const at = { pollAt: T0, deadlineAt: T0 };
      const records = [
        { ...accepted(ada), ...at, atOnce: found(ada.id) },
        { ...accepted(bob), ...at, atOnce: { id: bob.id, body: '{"x":1}', reason: 'unread' } },
        // Of an earlier send: it changes nothing, and ends nothing.
        { ...accepted(cyd), ...at, send: 0, atOnce: found(cyd.id) },
      ];
      expect(await store.recordSubmits(records)).toMatchObject([{ id: ada.id }, { id: bob.id }]);
      expect(await statuses()).toEqual(['found', 'awaiting', 'submitting']);
      expect(await store.work(run.id)).toMatchObject({ awaiting: 0, unread: 1 });
      await store.pollSooner(run.id, T0, 'unread');
      expect(await store.awaited(run.id, 10)).toMatchObject([{ id: bob.id, unread: '{"x":1}' }]);
    });

    it('a fresh result is shared across jobs and costs the second nothing', async () => {
      const { id } = await inState('awaiting');
      await store.settle([found(id)]);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      expect(await ingest([asked(1, 'ada')], other.id)).toMatchObject({ cached: 1, queued: 0 });
      const [answer] = await store.answers(other.id, { after: 0, limit: 10 });
      expect(answer).toMatchObject({ status: 'found', source: 'cache', credits: 0 });
      expect(await store.tally(other.id)).toMatchObject({ credits: 0, fromCache: 1 });
    });

    it('a stale result is asked for again, and the old run keeps the old one', async () => {
      const { id } = await inState('awaiting');
      await store.settle([found(id)]);
      const next = await store.startRun(runPlan(), T0);
      const times = { ...TIMES, freshSince: T0 + 1_000_000 };
      expect(await ingest([asked(1, 'ada')], next.id, times)).toMatchObject({ queued: 1 });
      expect(await statuses()).toEqual(['found']);
      // Its row shows the old answer until it has one itself.
      expect(await statuses(next.id)).toEqual(['found']);
      expect(await store.tally(next.id)).toMatchObject({
        byStatus: { found: 1, queued: 0 },
        askedAgain: { queued: 1 },
        fromCache: 1,
      });
      expect(await answers(next.id)).toMatchObject(
        [{ source: 'cache', credits: 0, enrichedAt: T0, reason: /asked again: queued/ }].map(
          (row) => ({ ...row, reason: expect.stringMatching(row.reason) as string }),
        ),
      );
    });

    describe('an answer that is stale for one run', () => {
      const STALE = { ...TIMES, freshSince: T0 + 1_000_000 };
      /** A run of another job for which the answer is stale: its request is queued, or has come further. */
      const askedAgain = async () => {
        const { id } = await inState('awaiting');
        await store.settle([found(id)]);
        const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
        await ingest([asked(1, 'ada')], other.id, STALE);
        return other;
      };
      const third = () => store.startRun(runPlan({ job: 'monthly' }), T0);

      it('is fresh for another, while nothing was sent', async () => {
        const other = await askedAgain();
        await store.endRun(other.id, 'cancelled', T0);
        const next = await third();
        expect(await ingest([asked(1, 'ada')], next.id)).toMatchObject({ cached: 1, queued: 0 });
        expect((await store.claim(next.id, 9, T0)).claimed).toEqual([]);
        expect(await peek([knownBy('ada')], TIMES.freshSince)).toEqual(['fresh']);
        expect(await peek([knownBy('ada')], STALE.freshSince)).toEqual(['new']);
      });

      it('is fresh for another after a request that was refused, or was not accepted', async () => {
        const other = await askedAgain();
        await store.recordSubmits([unsent(await claimOne(other.id))]);
        const next = await third();
        expect(await ingest([asked(1, 'ada')], next.id)).toMatchObject({ cached: 1, queued: 0 });
        await store.recordSubmits([refused(await claimOne(other.id))]);
        expect(await add('ada', next.id)).toMatchObject({ cached: 1, queued: 0 });
        expect(await peek([knownBy('ada')], TIMES.freshSince)).toEqual(['fresh']);
      });

      it('counts as well where it is a failure of a request that was accepted', async () => {
        await inState('failed', 'bob');
        const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
        expect(await ingest([asked(1, 'bob')], other.id, STALE)).toMatchObject({ queued: 1 });
        const next = await third();
        expect(await ingest([asked(1, 'bob')], next.id)).toMatchObject({ cached: 1, queued: 0 });
        expect(await statuses(next.id)).toEqual(['failed']);
        expect(await peek([knownBy('bob')], TIMES.freshSince)).toEqual(['fresh']);
      });

      it('does not count once the newer request may be paid for, and is not asked for by a third', async () => {
        const other = await askedAgain();
        await store.recordSubmits([uncertain(await claimOne(other.id))]);
        const next = await third();
        expect(await ingest([asked(1, 'ada')], next.id, STALE)).toMatchObject({ shared: 1 });
        expect((await store.claim(next.id, 9, T0)).claimed).toEqual([]);
        expect(await statuses(next.id)).toEqual(['found']);
        expect((await store.tally(next.id)).askedAgain).toEqual({ uncertain: 1 });
      });

      it.each(['failed', 'timed_out', 'uncertain', 'awaiting'] as const)(
        'stands in the row where the newer request is %s',
        async (state) => {
          const other = await askedAgain();
          const claimed = await claimOne(other.id);
          if (state === 'uncertain') await store.recordSubmits([uncertain(claimed)]);
          else await store.recordSubmits([accepted(claimed)]);
          const at = T0 + 5;
          const { id } = claimed;
          if (state === 'failed' || state === 'timed_out') {
            await store.settle([{ id, at, outcome: state, reason: 'broken' }]);
          }
          expect(await answers(other.id)).toMatchObject([
            {
              status: 'found',
              source: 'cache',
              credits: 0,
              enrichedAt: T0,
              result: found(id).result,
            },
          ]);
          expect((await store.tally(other.id)).askedAgain).toEqual({ [state]: 1 });
        },
      );

      it('stands in the row where the newer request has failed, and is asked for once more', async () => {
        const other = await askedAgain();
        const claimed = await claimOne(other.id);
        const { id } = claimed;
        await store.recordSubmits([accepted(claimed)]);
        await store.settle([failed(id, T0 + 5)]);
        const next = await third();
        expect(await ingest([asked(1, 'ada')], next.id, STALE)).toMatchObject({ queued: 1 });
        expect(await answers(next.id)).toMatchObject([
          { status: 'found', source: 'cache', enrichedAt: T0, result: found(id).result },
        ]);
      });

      it('gives way to a newer not_found', async () => {
        const other = await askedAgain();
        const claimed = await claimOne(other.id);
        await store.recordSubmits([accepted(claimed)]);
        const { id } = claimed;
        await store.settle([missed(id, T0 + 5)]);
        expect(await answers(other.id)).toMatchObject([
          { status: 'not_found', source: 'api', enrichedAt: T0 + 5, result: {} },
        ]);
        expect((await store.tally(other.id)).askedAgain).toEqual({});
      });

      it('has one successor, whoever finds it stale', async () => {
        const other = await askedAgain();
        const next = await third();
        expect(await ingest([asked(1, 'ada')], next.id, STALE)).toMatchObject({ queued: 1 });
        const claims = [
          ...(await store.claim(other.id, 9, T0)).claimed,
          ...(await store.claim(next.id, 9, T0)).claimed,
        ];
        expect(claims).toHaveLength(1);
      });

      it('outlives a prune that takes away the run that asked for it, and the one that asked again', async () => {
        const other = await askedAgain();
        await store.finishReading(run.id);
        await store.endRun(run.id, 'finished', T0);
        await store.endRun(other.id, 'cancelled', T0);
        const next = await third();
        const { at, freshSince } = TIMES;
        await store.prune({ at: at + 9, before: at + 9, freshSince }, true);
        expect(await ingest([asked(1, 'ada')], next.id)).toMatchObject({ cached: 1, queued: 0 });
      });
    });

    it('a refused request cost nothing and is asked again; a failed ticket is not', async () => {
      await store.recordSubmits([refused(await sent('ada'))]);
      await inState('failed', 'bob');
      const next = await store.startRun(runPlan(), T0);
      const count = await ingest([asked(1, 'ada'), asked(2, 'bob')], next.id);
      expect(count).toMatchObject({ queued: 1, cached: 1 });
    });

    it('an uncertain one is never queued again by itself, however old', async () => {
      const { id } = await inState('uncertain');
      const next = await store.startRun(runPlan(), T0);
      const times = { ...TIMES, freshSince: T0 + 1_000_000 };
      expect(await ingest([asked(1, 'ada')], next.id, times)).toMatchObject({ shared: 1 });
      expect((await store.claim(next.id, 1, T0)).claimed).toEqual([]);
      expect(await store.retry(next.id, ['uncertain'], { at: T0, deadlineAt: T0 })).toMatchObject({
        queued: 1,
      });
      await store.recordSubmits([accepted(await claimOne(next.id))]);
      await store.settle([found(id)]);
      expect(await store.tally(next.id)).toMatchObject({ credits: 5 });
      expect(await store.tally(run.id)).toMatchObject({ credits: 0 });
    });

    it('sends an uncertain one again only for a run that is told to, and only what an earlier run sent', async () => {
      await inState('uncertain');
      const next = await store.startRun(runPlan(), T0);
      const times = { ...TIMES, resendUncertain: true };
      const leads = [asked(1, 'ada'), asked(2, 'ada')];
      expect(await ingest(leads, next.id, times)).toMatchObject({ queued: 1, shared: 1 });
      await store.recordSubmits([uncertain(await claimOne(next.id))]);
      const more = await ingest([...leads, asked(3, 'ada')], next.id, times);
      expect(more).toMatchObject({ queued: 0, shared: 1 });
    });

    it('a timed out ticket is asked for again by the next run, without a payment', async () => {
      const { id } = await inState('awaiting');
      await store.settle([timedOut(id)]);
      const next = await store.startRun(runPlan(), T0);
      expect(await ingest([asked(1, 'ada')], next.id)).toMatchObject({ awaiting: 1, queued: 0 });
      expect((await store.claim(next.id, 1, T0)).claimed).toEqual([]);
      expect(await store.awaited(next.id, 10)).toMatchObject([{ id, ticket: `enr_${id}` }]);
    });

    it('what a replaced run had queued is paid by the run that takes it over', async () => {
      await ingest([asked(1, 'ada')]);
      const next = await store.startRun(runPlan(), T0);
      expect(await ingest([asked(1, 'ada'), asked(2, 'ada')], next.id)).toMatchObject({
        queued: 1,
        shared: 1,
      });
      expect((await store.claim(run.id, 1, T0)).claimed).toEqual([]);
      const claimed = await claimOne(next.id);
      await store.recordSubmits([accepted(claimed)]);
      await store.settle([found(claimed.id)]);
      expect((await answers(next.id)).map(({ source, credits }) => [source, credits])).toEqual([
        ['api', 5],
        ['cache', 0],
      ]);
    });

    it('two handles claiming at once never claim the same one', async () => {
      const second = await bench.openAgain();
      await ingest(Array.from({ length: 50 }, (_, i) => asked(i + 1, `lead ${i}`)));
      const claims = await Promise.all(
        [store, second, store, second].map((one) => one.claim(run.id, 20, T0)),
      );
      const ids = claims.flatMap(({ claimed }) => claimed.map(({ id }) => id));
      expect(ids).toHaveLength(50);
      expect(new Set(ids).size).toBe(50);
      await second.close();
    });
  });

  describe('reading again', () => {
    it('passes over leads and rejects that are in already', async () => {
      const reject = { source: 0, line: 9, reason: 'unclosed_quote', raw: '"x' };
      const batch = { columns: COLUMNS, leads: [asked(1, 'ada')], rejects: [reject] };
      await store.ingest(run.id, batch, TIMES);
      const count = await store.ingest(
        run.id,
        { ...batch, leads: [asked(1, 'ada'), skippedLead(2, 'no name')] },
        TIMES,
      );
      expect(count).toEqual({ ...NO_LEADS, skipped: 1 });
      expect(await store.findRun(run.id)).toMatchObject({ leadCount: 2, rejectCount: 1 });
      expect(await store.rejects(run.id, 0, 10)).toMatchObject([reject]);
    });

    it('counts the sources without a lead, once all are read, and none after the limit', async () => {
      const sources = ['a', 'b', 'c', 'd', 'e'];
      const job = (changes: object) => store.startRun(runPlan({ sources, ...changes }), T0);
      const run = await job({ job: 'five files' });
      const reject = { source: 0, line: 9, reason: 'unclosed_quote', raw: '"x' };
      const rejects = [reject, { ...reject, source: 1 }, { ...reject, source: 2 }];
      const leads = [asked(1, 'ada'), { ...asked(2, 'bob'), source: 3 }];
      await store.ingest(run.id, { columns: COLUMNS, leads, rejects }, TIMES);
      expect(await store.tally(run.id)).not.toHaveProperty('leadless');
      await store.finishReading(run.id);
      expect(await store.tally(run.id)).toMatchObject({ rejects: 3, leadless: [1, 2, 4] });
      const cut = await job({ job: 'the first lead', limit: 1 });
      await store.ingest(
        cut.id,
        { columns: COLUMNS, leads: [asked(1, 'ada')], rejects: [] },
        TIMES,
      );
      await store.finishReading(cut.id);
      expect(await store.tally(cut.id)).not.toHaveProperty('leadless');
    });

    it('keeps the columns of the latest batch', async () => {
      const columns = [...COLUMNS, { key: 'city', name: 'city' }];
      await store.ingest(run.id, { columns, leads: [], rejects: [] }, TIMES);
      expect((await store.findRun(run.id))?.columns).toEqual(columns);
    });
  });

  describe('intent before money', () => {
    it('a claim is there for whoever opens the store next', async () => {
      await ingest([asked(1, 'ada')]);
      await store.claim(run.id, 1, T0);
      const second = await bench.openAgain();
      expect(await second.work(run.id)).toMatchObject({ submitting: 1, queued: 0 });
      await second.close();
    });

    it('claims in input order', async () => {
      await ingest([asked(1, 'ada'), asked(2, 'bob'), asked(3, 'cyd')]);
      const claimed = (await store.claim(run.id, 2, T0)).claimed;
      expect(claimed.map(({ request }) => request.inputs.firstName)).toEqual(['ada', 'bob']);
    });

    it('what certainly was not accepted goes back into the queue', async () => {
      const first = await sent();
      expect(await store.recordSubmits([unsent(first)])).toMatchObject([{ id: first.id }]);
      expect(await claimOne()).toEqual({ ...first, send: first.send + 1 });
    });

    it.each([
      ['accepted', accepted],
      ['unsent', unsent],
      ['refused', refused],
      ['uncertain', uncertain],
    ] as const)(
      'what is learnt of an earlier send says nothing about the next: %s',
      async (_, late) => {
        const first = await sent();
        await store.recordSubmits([unsent(first)]);
        expect(await store.recordSubmits([late(first)])).toEqual([]);
        const second = await claimOne();
        expect(await store.recordSubmits([late(first)])).toEqual([]);
        expect(await store.work(run.id)).toMatchObject({ submitting: 1 });
        await store.recover(run.id);
        const before = await answers();
        expect(await store.recordSubmits([late(first)])).toEqual([]);
        expect(await answers()).toEqual(before);
        expect(await store.recordSubmits([late(second)])).toMatchObject([{ id: second.id }]);
      },
    );

    it.each([
      ['accepted', accepted],
      ['unsent', unsent],
      ['refused', refused],
      ['lost', uncertain],
    ] as const)(
      'that is %s leads where the table says, and nowhere from another state',
      async (event, toRecord) => {
        for (const state of STATES) {
          const one = await inState(state, state);
          const changed = await store.recordSubmits([toRecord(one, `enr_${event}_${one.id}`)]);
          const to = stateAfter(state, event);
          expect([state, ...changed]).toEqual(
            to === undefined ? [state] : [state, { id: one.id, state: to }],
          );
          // What is queued again is claimed by none of the others.
          await store.claim(run.id, 100, T0);
        }
        expect((await store.work(run.id)).queued).toBe(0);
      },
    );

    it('tells which records changed something', async () => {
      const [ada, bob] = [await sent('ada'), await sent('bob')];
      const records = [accepted(ada), unsent({ id: 99, send: 1 }), refused(bob), unsent(ada)];
      expect(await store.recordSubmits(records)).toMatchObject([{ id: ada.id }, { id: bob.id }]);
      expect(await statuses()).toEqual(['awaiting', 'failed']);
    });

    it('what was cut off is uncertain after a recovery, for every run of the job', async () => {
      await ingest([asked(1, 'ada')]);
      await store.claim(run.id, 1, T0);
      const next = await store.startRun(runPlan(), T0);
      expect(await store.recover(next.id)).toBe(1);
      expect(await statuses()).toEqual(['uncertain']);
    });

    it('tickets that a replaced run of the job awaits go to its next run, though its leads are others', async () => {
      const { id } = await inState('awaiting');
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await store.recover(other.id);
      expect(await store.awaited(other.id, 10)).toEqual([]);
      const next = await store.startRun(runPlan(), T0);
      expect(await store.recover(next.id)).toBe(0);
      expect(await store.awaited(next.id, 10)).toMatchObject([{ id }]);
      await store.settle([found(id)]);
      expect(await store.tally(run.id)).toMatchObject({ credits: 5, byStatus: { found: 1 } });
    });

    it('a recovery leaves other jobs alone', async () => {
      await ingest([asked(1, 'ada')]);
      await store.claim(run.id, 1, T0);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      expect(await store.recover(other.id)).toBe(0);
    });

    it('a ticket that comes to light claims an uncertain one', async () => {
      const claimed = await sent();
      await store.recover(run.id);
      await store.recordSubmits([accepted(claimed)]);
      expect(await statuses()).toEqual(['awaiting']);
    });
  });

  describe('settling', () => {
    it('keeps the result and what it cost', async () => {
      const { id } = await inState('awaiting');
      await store.settle([found(id)]);
      const [answer] = await store.answers(run.id, { after: 0, limit: 10 });
      expect(answer).toMatchObject({
        status: 'found',
        source: 'api',
        credits: 5,
        ticket: `enr_${id}`,
        enrichedAt: T0,
        ask: ['find_email'],
        inputs: { companyDomain: 'example.com' },
        result: { find_email: { email: 'ada@example.com' } },
      });
    });

    it('a second answer changes nothing', async () => {
      const { id } = await inState('awaiting');
      expect(await store.settle([found(id)])).toMatchObject([{ id }]);
      expect(await store.settle([missed(id, T0 + 9)])).toEqual([]);
      expect(await statuses()).toEqual(['found']);
      expect(await store.tally(run.id)).toMatchObject({ credits: 5 });
    });

    it('takes an answer that comes after the deadline', async () => {
      const { id } = await inState('awaiting');
      await store.settle([timedOut(id)]);
      expect(await statuses()).toEqual(['timed_out']);
      expect(await store.settle([found(id)])).toMatchObject([{ id }]);
      expect((await store.answers(run.id, { after: 0, limit: 1 }))[0]).toMatchObject({
        status: 'found',
        reason: null,
      });
    });

    it('a deadline never undoes an answer', async () => {
      const { id } = await inState('awaiting');
      await store.settle([found(id)]);
      expect(await store.settle([timedOut(id)])).toEqual([]);
    });

    it('gives what is due first first, and remembers a postponement', async () => {
      const ada = await inState('awaiting', 'ada');
      const bob = await inState('awaiting', 'bob');
      await store.settle([{ id: ada.id, pollAt: T0 + 9_000, wasEmpty: true }]);
      expect(await store.awaited(run.id, 10)).toMatchObject([
        { id: bob.id, pollAt: T0 + 500, pollCount: 0, wasEmpty: false },
        { id: ada.id, pollAt: T0 + 9_000, pollCount: 1, wasEmpty: true },
      ]);
      expect(await store.awaited(run.id, 1)).toHaveLength(1);
      // The first that is not due yet tells when to look again.
      expect(await store.awaited(run.id, 10, T0 + 400)).toMatchObject([{ id: bob.id }]);
      expect(await store.awaited(run.id, 10, T0 + 600)).toHaveLength(2);
    });

    it('makes due sooner what a run that counted on webhooks had put off', async () => {
      const ada = await inState('awaiting', 'ada');
      const bob = await inState('awaiting', 'bob');
      await store.settle([{ id: ada.id, pollAt: T0 + 7_200_000, wasEmpty: true }]);
      await store.pollSooner(run.id, T0 + 1_000, { later: T0 + 60_000 });
      expect(await store.awaited(run.id, 10)).toMatchObject([
        { id: bob.id, pollAt: T0 + 500 },
        { id: ada.id, pollAt: T0 + 1_000, wasEmpty: true },
      ]);
    });

    it('is awaited no longer than until the given deadline', async () => {
      await inState('awaiting', 'ada');
      await store.pollSooner(run.id, T0, { later: T0 + 500, deadlineAt: T0 + 40_000 });
      await store.pollSooner(run.id, T0, { later: T0 + 500, deadlineAt: T0 + 50_000 });
      expect(await store.awaited(run.id, 10)).toMatchObject([
        { pollAt: T0 + 500, deadlineAt: T0 + 40_000 },
      ]);
    });
  });

  describe('sharing with another run at work', () => {
    it('takes back at the end what the other took over and did not end', async () => {
      const { id } = await inState('awaiting');
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await ingest([asked(1, 'ada')], other.id);
      expect(await store.work(run.id)).toMatchObject({ awaiting: 0 });
      expect(await store.adopt(run.id, T0)).toMatchObject({ awaiting: 1, elsewhere: 0 });
      expect(await store.awaited(run.id, 1)).toMatchObject([{ id }]);
    });

    it('waits for what the other is sending, until it cannot be under way any more', async () => {
      await ingest([asked(1, 'ada')]);
      await store.claim(run.id, 1, T0);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await ingest([asked(1, 'ada')], other.id);
      expect(await store.adopt(other.id, T0 - 1)).toMatchObject({ elsewhere: 1 });
      expect(await statuses(other.id)).toEqual(['submitting']);
      expect(await store.adopt(other.id, T0 + 1)).toMatchObject({ elsewhere: 0 });
      expect(await statuses(other.id)).toEqual(['uncertain']);
    });
  });

  describe('what a run has committed itself to pay', () => {
    const askedFor = (position: number, who: string, ask: readonly Ask[]): LeadEntry => {
      const lead = asked(position, who);
      return lead.kind === 'asked' ? { ...lead, request: { ...lead.request, ask } } : lead;
    };

    it('is what it cost, and everything sent that has no price yet, by what is asked', async () => {
      await inState('found', 'ada');
      await inState('awaiting', 'bob');
      await inState('timed_out', 'cyd');
      await inState('uncertain', 'dan');
      await inState('failed', 'eve');
      await ingest([askedFor(6, 'fay', ['find_email', 'find_phone']), asked(7, 'gus')]);
      await claimOne();
      const { spent, open } = await store.commitment(run.id);
      expect(spent).toBe(5);
      expect(open).toHaveLength(2);
      expect(open).toContainEqual({ ask: ['find_email'], count: 3 });
      expect(open).toContainEqual({ ask: ['find_email', 'find_phone'], count: 1 });
    });

    it('counts a send that stayed uncertain beside the one that followed it', async () => {
      const { id } = await inState('uncertain');
      const twice = { spent: 0, open: [{ ask: ['find_email'], count: 2 }] };
      for (let sends = 1; sends <= 2; sends += 1) {
        expect((await store.commitment(run.id)).open).toMatchObject([{ count: sends }]);
        await store.retry(run.id, ['uncertain'], { at: T0, deadlineAt: T0 });
        expect((await store.commitment(run.id)).open).toMatchObject([{ count: sends }]);
        await store.recordSubmits([
          sends === 1 ? uncertain(await claimOne()) : accepted(await claimOne()),
        ]);
      }
      expect((await store.commitment(run.id)).open).toMatchObject([{ count: 3 }]);
      await store.settle([found(id)]);
      expect(await store.commitment(run.id)).toEqual({ ...twice, spent: 5 });
    });

    it('counts what was sent for a person who is forgotten, with and without an answer', async () => {
      await ingest([{ ...asked(1, 'ada'), cells: ['ada@example.com'] }]);
      await store.recordSubmits([uncertain(await claimOne())]);
      await store.retry(run.id, ['uncertain'], { at: T0, deadlineAt: T0 });
      await store.recordSubmits([uncertain(await claimOne())]);
      const before = await store.commitment(run.id);
      expect(before.open).toMatchObject([{ count: 2 }]);
      await store.finishReading(run.id);
      await store.endRun(run.id, 'finished', T0);
      const match = createPersonMatch([{ kind: 'email', spellings: ['ada@example.com'] }]);
      expect(await store.forget(match, T0, true)).toMatchObject({ enrichments: 1 });
      expect(await store.commitment(run.id)).toEqual(before);
    });

    it('does not count what another run paid', async () => {
      await inState('found', 'ada');
      const { id } = await inState('awaiting', 'bob');
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await ingest([asked(1, 'ada'), asked(2, 'bob')], other.id);
      expect(await store.awaited(other.id, 10)).toMatchObject([{ id }]);
      expect(await store.commitment(other.id)).toEqual({ spent: 0, open: [] });
      await store.settle([timedOut(id)]);
      expect(await store.commitment(run.id)).toMatchObject({ spent: 5, open: [{ count: 1 }] });
    });
  });

  it('counts the first that a run has sent, in that order, without those that are uncertain', async () => {
    const late = await store.startRun(runPlan({ job: 'weekly' }), T0);
    await inState('found', 'zoe', late.id);
    for (const [i, state] of (['uncertain', 'found', 'awaiting', 'failed'] as const).entries())
      await inState(state, `who${i}`);
    await inState('not_found', 'ada');
    await inState('found', 'bob');
    await add('cyd');
    expect(await store.firstAnswers(run.id, 3)).toEqual({ found: 1, missed: 1, open: 1 });
    expect(await store.firstAnswers(run.id, 4)).toEqual({ found: 1, missed: 2, open: 1 });
    expect(await store.firstAnswers(run.id, 9)).toEqual({ found: 2, missed: 2, open: 1 });
  });

  it('peeks without changing anything', async () => {
    const ada = await inState('awaiting', 'ada');
    await inState('uncertain', 'bob');
    await add('cyd');
    const leads = ['ada', 'bob', 'cyd', 'dan'].map((who) => knownBy(who));
    expect(await peek(leads, 0)).toEqual(['open', 'uncertain', 'new', 'new']);
    await store.settle([found(ada.id)]);
    expect(await peek([knownBy('ada')], T0 - 1)).toEqual(['fresh']);
    expect(await peek([knownBy('ada')], T0 + 1)).toEqual(['new']);
  });
}
