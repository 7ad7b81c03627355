// What a user asks of a run from outside: to stop, to try again, and what it has cost so far.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Ask } from '../../src/model/ask.js';
import type { Run } from '../../src/model/run.js';
import type { LeadEntry } from '../../src/ports/store/enrichments.js';
import type { Store } from '../../src/ports/store/store.js';
import { asked, runPlan, skippedLead } from '../helpers/leads.js';
import {
  accepted,
  found,
  refused,
  type StoreBench,
  T0,
  timedOut,
  uncertain,
} from './store-bench.js';

const LATER = { at: T0 + 100_000, deadlineAt: T0 + 200_000 };
const ANEW = { ...LATER, askAnew: true };

export function describeSteering(bench: StoreBench): void {
  const { ingest, add, claimOne, sent, inState, finish, answers, statuses } = bench;
  let store: Store;
  let run: Run;
  beforeEach(() => {
    ({ store, run } = bench);
  });

  const bill = async (runId = run.id) =>
    (await answers(runId)).map(({ status, source, credits }) => [status, source, credits]);

  describe('the numbers of a run that ended', () => {
    const ended = async () => {
      await store.finishReading(run.id);
      await store.finishRun(run.id, T0 + 9);
      return store.tally(run.id);
    };

    it('are what they were', async () => {
      await store.settle([found((await inState('awaiting', 'ada')).id)]);
      await add('ada');
      const before = await store.tally(run.id);
      expect(await ended()).toEqual(before);
      expect(before).toMatchObject({ leads: 2, enrichments: 1, credits: 5, fromCache: 1 });
    });

    it('change where an answer comes after all', async () => {
      const { id } = await inState('awaiting');
      await store.settle([timedOut(id)]);
      expect((await ended()).byStatus).toMatchObject({ timed_out: 1, found: 0 });
      await store.settle([found(id)]);
      expect((await store.tally(run.id)).byStatus).toMatchObject({ timed_out: 0, found: 1 });
    });

    it('change where its failed leads are tried again', async () => {
      await inState('failed', 'bob');
      expect((await ended()).byStatus).toMatchObject({ failed: 1, queued: 0 });
      await store.retry(run.id, ['failed'], LATER);
      expect((await store.tally(run.id)).byStatus).toMatchObject({ failed: 0, awaiting: 1 });
    });
  });

  describe('a cancelled run', () => {
    it('sends nothing more, and is not continued', async () => {
      await add('ada');
      expect(await store.cancelRun(run.id, T0 + 5)).toBe(true);
      expect(await store.claim(run.id, 10, T0)).toEqual([]);
      expect(await store.findRun(run.id)).toMatchObject({ state: 'cancelled', endedAt: T0 + 5 });
      expect(await store.findOpenRun('nightly')).toBeNull();
    });

    it('still learns what became of a request that was under way', async () => {
      const claimed = await sent();
      await store.cancelRun(run.id, T0);
      expect(await store.recordSubmits([accepted(claimed)])).toEqual([claimed.id]);
    });

    it('hands its tickets on to the next run of the job', async () => {
      const { id } = await inState('awaiting');
      await store.finishReading(run.id);
      expect(await store.cancelRun(run.id, T0)).toBe(true);
      const next = await store.startRun(runPlan(), T0);
      expect(await store.recover(next.id)).toBe(0);
      expect(await store.awaited(next.id, 10)).toMatchObject([{ id, ticket: `enr_${id}` }]);
    });

    it('does not hand the tickets of one account on to a run that asks another', async () => {
      const { id } = await inState('awaiting');
      await store.cancelRun(run.id, T0);
      const elsewhere = await store.startRun(runPlan({ account: 'acc2' }), T0);
      await store.recover(elsewhere.id);
      expect(await store.awaited(elsewhere.id, 10)).toEqual([]);
      const back = await store.startRun(runPlan(), T0);
      await store.recover(back.id);
      expect(await store.awaited(back.id, 10)).toMatchObject([{ id }]);
    });

    it('is one that had not ended', async () => {
      const next = await store.startRun(runPlan(), T0);
      await finish(next.id);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await store.cancelRun(other.id, T0);
      const before = await store.listRuns(10);
      for (const { id } of before) expect(await store.cancelRun(id, T0 + 9)).toBe(false);
      expect(await store.listRuns(10)).toEqual(before);
    });
  });

  describe('a paused job', () => {
    it('is sent nothing more for, by any run of its, until it is resumed', async () => {
      await add('ada');
      expect(await store.pausedSince('nightly')).toBeNull();
      expect(await store.pauseJob('nightly', T0 + 5)).toBe(true);
      expect(await store.pauseJob('nightly', T0 + 9)).toBe(false);
      expect(await store.pausedSince('nightly')).toBe(T0 + 5);
      expect(await store.claim(run.id, 10, T0)).toEqual([]);
      const next = await store.startRun(runPlan(), T0);
      await add('ada', next.id);
      expect(await store.claim(next.id, 10, T0)).toEqual([]);
      expect(await store.findOpenRun('nightly')).toMatchObject({ id: next.id });
      expect(await store.resumeJob('nightly')).toBe(true);
      expect(await store.resumeJob('nightly')).toBe(false);
      expect(await store.claim(next.id, 10, T0)).toHaveLength(1);
    });

    it('still gets the answers to what was sent, and holds up no other job', async () => {
      const claimed = await sent();
      await store.pauseJob('nightly', T0);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await add('bob', other.id);
      expect(await store.claim(other.id, 10, T0)).toHaveLength(1);
      await store.recordSubmits([accepted(claimed)]);
      expect(await store.awaited(run.id, 10)).toHaveLength(1);
      expect(await store.settle([found(claimed.id)])).toEqual([claimed.id]);
    });

    it('is paused for whoever opens the store next', async () => {
      await store.pauseJob('nightly', T0);
      const second = await bench.openAgain();
      expect(await second.pausedSince('nightly')).toBe(T0);
      await second.close();
    });

    it('is known by the runs it had', async () => {
      expect(await store.hasRun('nightly')).toBe(true);
      expect(await store.hasRun('weekly')).toBe(false);
    });
  });

  describe('trying again', () => {
    it('asks anew for what failed, once for all leads that share it, on this run’s bill', async () => {
      await store.recordSubmits([refused(await sent('ada'))]);
      await inState('failed', 'bob');
      await add('bob');
      await finish();
      expect(await store.retry(run.id, ['failed'], ANEW)).toMatchObject({ queued: 2 });
      expect(await store.findOpenRun('nightly')).toMatchObject({ id: run.id, endedAt: null });
      expect(await store.findRun(run.id)).toMatchObject({ state: 'working' });
      const claimed = await store.claim(run.id, 10, T0);
      expect(claimed.map(({ request }) => request.inputs.firstName)).toEqual(['ada', 'bob']);
      await store.recordSubmits(claimed.map((one) => accepted(one)));
      await store.settle(claimed.map(({ id }) => found(id)));
      expect(await bill()).toEqual([
        ['found', 'api', 5],
        ['found', 'api', 5],
        ['found', 'cache', 0],
      ]);
      expect(await store.tally(run.id)).toMatchObject({ enrichments: 2, credits: 10 });
    });

    it('pays for what another run had failed to get, and leaves that run as it was', async () => {
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await inState('failed', 'ada', other.id);
      const before = await answers(other.id);
      await add('ada');
      await store.retry(run.id, ['failed'], ANEW);
      const claimed = await claimOne();
      await store.recordSubmits([accepted(claimed, 'enr_new')]);
      await store.settle([found(claimed.id)]);
      expect(await bill()).toEqual([['found', 'api', 5]]);
      await store.retry(other.id, ['timed_out'], LATER);
      expect(await answers(other.id)).toEqual(before);
    });

    it('shares what somebody else has asked for again meanwhile, and pays nothing', async () => {
      await store.recordSubmits([refused(await sent('ada'))]);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await inState('found', 'ada', other.id);
      expect(await store.retry(run.id, ['failed'], LATER)).toMatchObject({ queued: 0 });
      expect(await store.claim(run.id, 10, T0)).toEqual([]);
      expect(await bill()).toEqual([['found', 'cache', 0]]);
      expect(await bill(other.id)).toEqual([['found', 'api', 5]]);
    });

    it('asks anew where somebody else has failed as well', async () => {
      await store.recordSubmits([refused(await sent('ada'))]);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await store.recordSubmits([refused(await sent('ada', other.id))]);
      expect(await store.retry(run.id, ['failed'], LATER)).toMatchObject({ queued: 1 });
      expect(await statuses()).toEqual(['queued']);
      expect(await statuses(other.id)).toEqual(['failed']);
      // It is the one that counts now.
      expect(await add('ada', other.id)).toMatchObject({ queued: 1 });
      expect(await statuses()).toEqual(['queued']);
    });

    describe('reads the ticket of an answer once more, for nothing', () => {
      const missed = async () => {
        const { id } = await inState('awaiting');
        await store.settle([{ id, at: T0, outcome: 'not_found', result: {}, credits: 0 }]);
        await finish();
        return id;
      };
      const reread = async () => {
        const id = await missed();
        expect(await store.retry(run.id, ['not_found'], LATER)).toEqual({
          queued: 0,
          awaiting: 1,
          answered: 0,
        });
        expect(await store.claim(run.id, 9, T0)).toEqual([]);
        return id;
      };

      it('and takes what it says now, in every run that shares it', async () => {
        const id = await missed();
        const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
        await add('ada', other.id);
        await store.finishReading(other.id);
        await store.finishRun(other.id, T0);
        await store.retry(run.id, ['not_found'], LATER);
        await store.settle([{ ...found(id), at: T0 + 7 }]);
        expect(await bill()).toEqual([['found', 'api', 5]]);
        expect(await bill(other.id)).toEqual([['found', 'cache', 0]]);
        expect((await store.tally(other.id)).byStatus).toMatchObject({ found: 1, not_found: 0 });
        expect((await answers())[0]).toMatchObject({ enrichedAt: T0 + 7 });
      });

      it('and shows the old answer meanwhile', async () => {
        await reread();
        expect((await answers())[0]).toMatchObject({
          status: 'not_found',
          source: 'api',
          enrichedAt: T0,
          result: {},
        });
        expect((await store.tally(run.id)).askedAgain).toEqual({ awaiting: 1 });
      });

      it.each(['timed_out', 'failed'] as const)(
        'and keeps it where that is %s',
        async (outcome) => {
          const id = await reread();
          await store.settle([{ id, at: T0 + 7, outcome, reason: 'no answer' }]);
          expect((await answers())[0]).toMatchObject({ status: 'not_found', enrichedAt: T0 });
          expect((await store.tally(run.id)).byStatus).toMatchObject({ not_found: 1, failed: 0 });
        },
      );

      it.each(['not_found', 'failed'] as const)(
        'of a %s one in whose place another stands that was never sent',
        async (outcome) => {
          const { id } = await inState('awaiting');
          const end = { id, at: T0, reason: 'busy', result: {}, credits: 0 };
          await store.settle([{ ...end, outcome }]);
          await finish();
          const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
          await ingest([asked(1, 'ada')], other.id, { ...LATER, freshSince: T0 + 1 });
          await store.cancelRun(other.id, T0);
          expect(await store.retry(run.id, [outcome], LATER)).toMatchObject({
            queued: 0,
            awaiting: 1,
          });
          const third = await store.startRun(runPlan({ job: 'daily' }), T0);
          expect(await add('ada', third.id)).toMatchObject({ queued: 0, awaiting: 1 });
          expect(await store.claim(third.id, 9, T0)).toEqual([]);
          await store.settle([found(id)]);
          expect(await bill()).toEqual([['found', 'api', 5]]);
        },
      );

      it('of a failed one too, unless the user wants to ask anew', async () => {
        const { id } = await inState('failed');
        await finish();
        expect(await store.retry(run.id, ['failed'], LATER)).toMatchObject({ awaiting: 1 });
        await store.settle([found(id)]);
        expect(await bill()).toEqual([['found', 'api', 5]]);
      });
    });

    it('asks for the old ticket again until the new deadline, for nothing', async () => {
      const { id } = await inState('timed_out');
      await finish();
      const left = await store.retry(run.id, ['timed_out'], LATER);
      expect(left).toMatchObject({ queued: 0, awaiting: 1 });
      expect(await store.claim(run.id, 10, T0)).toEqual([]);
      expect(await store.awaited(run.id, 10)).toMatchObject([
        { id, ticket: `enr_${id}`, pollAt: LATER.at, deadlineAt: LATER.deadlineAt },
      ]);
      expect((await answers())[0]).toMatchObject({ reason: null, enrichedAt: null });
    });

    it('goes on with a ticket that somebody else asked for meanwhile, and gave up', async () => {
      await store.recordSubmits([refused(await sent('ada'))]);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      const { id } = await inState('timed_out', 'ada', other.id);
      const left = await store.retry(run.id, ['timed_out', 'failed'], LATER);
      expect(left).toMatchObject({ queued: 0, awaiting: 1 });
      expect(await store.awaited(run.id, 10)).toMatchObject([{ id }]);
    });

    it('sends an uncertain one again only where that is asked for', async () => {
      const { id } = await inState('uncertain');
      await finish();
      const left = await store.retry(run.id, ['failed', 'timed_out'], LATER);
      expect(left).toMatchObject({ queued: 0 });
      expect(await statuses()).toEqual(['uncertain']);
      expect(await store.retry(run.id, ['uncertain'], LATER)).toMatchObject({ queued: 1 });
      expect(await store.claim(run.id, 10, T0)).toMatchObject([{ id, send: 2 }]);
    });

    it('leaves alone what was not asked for, and every other run', async () => {
      await inState('found', 'ada');
      await inState('not_found', 'bob');
      await inState('uncertain', 'cyd');
      await inState('failed', 'dan');
      await ingest([skippedLead(5, 'no name')]);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await inState('timed_out', 'eve', other.id);
      await finish();
      const before = [await answers(), await answers(other.id)];
      await store.retry(run.id, ['timed_out'], LATER);
      expect([await answers(), await answers(other.id)]).toEqual(before);
    });
  });

  it('leaves a run finished in which there is nothing to try again', async () => {
    await inState('found', 'ada');
    await finish();
    const none = { queued: 0, awaiting: 0, answered: 0 };
    expect(await store.retry(run.id, ['failed', 'timed_out', 'uncertain'], LATER)).toEqual(none);
    expect(await store.findRun(run.id)).toMatchObject({ state: 'finished' });
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
        await store.requeueUncertain(run.id);
        expect((await store.commitment(run.id)).open).toMatchObject([{ count: sends }]);
        await store.recordSubmits([
          sends === 1 ? uncertain(await claimOne()) : accepted(await claimOne()),
        ]);
      }
      expect((await store.commitment(run.id)).open).toMatchObject([{ count: 3 }]);
      await store.settle([found(id)]);
      expect(await store.commitment(run.id)).toEqual({ ...twice, spent: 5 });
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
}
