// Answers that came and cannot be read: awaited, due at no time by themselves, and kept until they are read.
import { describe, expect, it } from 'vitest';
import { createPersonMatch } from '../../../src/model/person-match.js';
import { runPlan } from '../../helpers/leads.js';
import { found, type StoreBench, T0, timedOut } from '../store-bench.js';

export function describeUnreadAnswers(bench: StoreBench): void {
  const { add, answers, finish, inState, store, run } = bench;

  const BODY = '{"mail":"ada@example.com"}';
  const unread = (id: number) => ({ id, body: BODY, reason: 'it cannot be read' });
  const kept = async (who = 'ada') => {
    const { id } = await inState('awaiting', who);
    expect(await store.settle([unread(id)])).toEqual([{ id, state: 'awaiting' }]);
    return id;
  };

  describe('an answer that cannot be read', () => {
    it('stays awaited, with the reason in its row, and is not due', async () => {
      await kept();
      expect(await store.awaited(run.id, 9)).toEqual([]);
      expect(await store.work(run.id)).toMatchObject({ awaiting: 0, unread: 1 });
      expect(await answers()).toMatchObject([{ status: 'awaiting', reason: 'it cannot be read' }]);
      expect((await store.tally(run.id)).reasons).toEqual([
        { status: 'awaiting', reason: 'it cannot be read', leads: 1 },
      ]);
    });

    it('is not made due by a run that polls sooner', async () => {
      await kept();
      await store.pollSooner(run.id, T0, { later: T0 });
      expect(await store.awaited(run.id, 9)).toEqual([]);
    });

    it('is due with its body once it can be read', async () => {
      const id = await kept();
      expect(await store.pollSooner(run.id, T0 + 5, 'unread')).toBe(1);
      expect(await store.awaited(run.id, 9)).toMatchObject([{ id, pollAt: T0 + 5, unread: BODY }]);
      expect(await store.pollSooner(run.id, T0 + 6, 'unread')).toBe(0);
    });

    it('is due for the process that takes the run up, which may know another dialect', async () => {
      const id = await kept();
      await store.recover(run.id);
      expect(await store.awaited(run.id, 9)).toEqual([]);
      await store.recover(run.id, { at: T0 + 5, scope: 'acc' });
      expect(await store.awaited(run.id, 9)).toMatchObject([{ id, pollAt: T0 + 5, unread: BODY }]);
    });

    it('is due with its body for another job that meets its lead', async () => {
      const id = await kept();
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await add('ada', other.id);
      expect(await store.awaited(other.id, 9)).toMatchObject([{ id, unread: BODY }]);
    });

    it('goes with the answer that is read', async () => {
      const id = await kept();
      await store.settle([found(id)]);
      await store.pollSooner(run.id, T0, 'unread');
      expect(await answers()).toMatchObject([{ status: 'found', reason: null }]);
      // What is awaited again later has nothing unread.
      const bob = await inState('awaiting', 'bob');
      expect(await store.awaited(run.id, 9)).toMatchObject([{ id: bob.id, unread: null }]);
    });

    it('outlives a deadline', async () => {
      const id = await kept();
      await store.pollSooner(run.id, T0, 'unread');
      await store.settle([timedOut(id)]);
      await finish();
      await store.retry(run.id, ['timed_out'], { at: T0, deadlineAt: T0 + 9 });
      expect(await store.awaited(run.id, 9)).toMatchObject([{ id, unread: BODY }]);
    });

    it('is kept for nothing that is not awaited', async () => {
      const { id } = await inState('found');
      expect(await store.settle([unread(id)])).toEqual([]);
      expect(await answers()).toMatchObject([{ status: 'found', reason: null }]);
    });

    it('is forgotten with its person', async () => {
      await kept();
      await store.endRun(run.id, 'cancelled', T0);
      const match = createPersonMatch([{ kind: 'email', spellings: ['ada@example.com'] }]);
      expect(await store.forget(match, T0, true)).toMatchObject({ enrichments: 1, results: 1 });
      expect(await answers()).toMatchObject([{ status: 'failed' }]);
    });
  });
}
