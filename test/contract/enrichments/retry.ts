// Enrichments that a user has tried again: read once more for nothing, or asked anew.
import { describe, expect, it } from 'vitest';
import { asked, runPlan, skippedLead } from '../../helpers/leads.js';
import { accepted, found, missed, refused, type StoreBench, T0 } from '../store-bench.js';

const LATER = { at: T0 + 100_000, deadlineAt: T0 + 200_000 };
const ANEW = { ...LATER, askAnew: true };

export function describeRetry(bench: StoreBench): void {
  const { ingest, add, claimOne, sent, inState, finish, answers, statuses, store, run } = bench;

  const bill = async (runId = run.id) =>
    (await answers(runId)).map(({ status, source, credits }) => [status, source, credits]);

  describe('trying again', () => {
    it('asks anew for what failed, once for all leads that share it, on this run’s bill', async () => {
      await store.recordSubmits([refused(await sent('ada'))]);
      await inState('failed', 'bob');
      await add('bob');
      await finish();
      expect(await store.retry(run.id, ['failed'], ANEW)).toMatchObject({ queued: 2 });
      expect((await store.jobNow('nightly')).openRun).toMatchObject({ id: run.id, endedAt: null });
      expect(await store.findRun(run.id)).toMatchObject({ state: 'working' });
      const claimed = (await store.claim(run.id, 10, T0)).claimed;
      expect(claimed.map(({ request }) => request.inputs.firstName)).toEqual(['ada', 'bob']);
      await store.recordSubmits(claimed.map((one) => accepted(one)));
      await store.settle(claimed.map(({ id }) => found(id)));
      expect(await bill()).toEqual([
        ['found', 'api', 5],
        ['found', 'api', 5],
        ['found', 'cache', 0],
      ]);
      await finish();
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

    it('shares what another run has asked for again meanwhile, and pays nothing', async () => {
      await store.recordSubmits([refused(await sent('ada'))]);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await inState('found', 'ada', other.id);
      expect(await store.retry(run.id, ['failed'], LATER)).toMatchObject({ queued: 0 });
      expect((await store.claim(run.id, 10, T0)).claimed).toEqual([]);
      expect(await bill()).toEqual([['found', 'cache', 0]]);
      expect(await bill(other.id)).toEqual([['found', 'api', 5]]);
    });

    it('asks anew where another run has failed as well', async () => {
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

    it('asks anew once for a person that was refused to it twice, and to another between', async () => {
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      for (const id of [run.id, other.id, run.id]) {
        await store.recordSubmits([refused(await sent('ada', id))]);
      }
      await store.retry(run.id, ['failed'], LATER);
      expect(await statuses()).toEqual(['queued', 'queued']);
      const claimed = await claimOne();
      await store.recordSubmits([accepted(claimed)]);
      await store.settle([found(claimed.id)]);
      expect(await bill()).toEqual([
        ['found', 'api', 5],
        ['found', 'cache', 0],
      ]);
    });

    describe('reads the ticket of an answer once more, for nothing', () => {
      const endInMiss = async () => {
        const { id } = await inState('awaiting');
        await store.settle([missed(id)]);
        await finish();
        return id;
      };
      const reread = async () => {
        const id = await endInMiss();
        expect(await store.retry(run.id, ['not_found'], LATER)).toEqual({
          queued: 0,
          awaiting: 1,
          answered: 0,
        });
        expect((await store.claim(run.id, 9, T0)).claimed).toEqual([]);
        return id;
      };

      it('and takes what it says now, in every run that shares it', async () => {
        const id = await endInMiss();
        const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
        await add('ada', other.id);
        await store.finishReading(other.id);
        await store.endRun(other.id, 'finished', T0);
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
          await store.endRun(other.id, 'cancelled', T0);
          expect(await store.retry(run.id, [outcome], LATER)).toMatchObject({
            queued: 0,
            awaiting: 1,
          });
          const third = await store.startRun(runPlan({ job: 'daily' }), T0);
          expect(await add('ada', third.id)).toMatchObject({ queued: 0, awaiting: 1 });
          expect((await store.claim(third.id, 9, T0)).claimed).toEqual([]);
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

    it('shows a miss that came while a new request was queued, until that has its answer', async () => {
      const { id } = await inState('failed');
      await finish();
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await ingest([asked(1, 'ada')], other.id, { ...LATER, freshSince: T0 + 1 });
      expect(await store.retry(run.id, ['failed'], LATER)).toMatchObject({ awaiting: 1 });
      await store.settle([missed(id)]);
      await finish();
      expect(await store.retry(run.id, ['not_found'], ANEW)).toMatchObject({ queued: 1 });
      expect(await statuses()).toEqual(['not_found']);
    });

    it('asks for the old ticket again until the new deadline, for nothing', async () => {
      const { id } = await inState('timed_out');
      await finish();
      const left = await store.retry(run.id, ['timed_out'], LATER);
      expect(left).toMatchObject({ queued: 0, awaiting: 1 });
      expect((await store.claim(run.id, 10, T0)).claimed).toEqual([]);
      expect(await store.awaited(run.id, 10)).toMatchObject([
        { id, ticket: `enr_${id}`, pollAt: LATER.at, deadlineAt: LATER.deadlineAt },
      ]);
      expect((await answers())[0]).toMatchObject({ reason: null, enrichedAt: null });
    });

    it('goes on with a ticket that another run asked for meanwhile, and gave up', async () => {
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
      expect((await store.claim(run.id, 10, T0)).claimed).toMatchObject([{ id, send: 2 }]);
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
}
