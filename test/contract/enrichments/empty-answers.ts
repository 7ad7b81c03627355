// Empty answers: what second looks have shown, and the misses that were believed on it.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '../../../src/model/run.js';
import type { LookKind, Settlement } from '../../../src/ports/store/enrichments.js';
import type { Store } from '../../../src/ports/store/store.js';
import type { Believed } from '../../../src/run/collect/empty-answers.js';
import { runPlan } from '../../helpers/leads.js';
import { found, type StoreBench, T0, timedOut } from '../store-bench.js';

const LATER = T0 + 100_000;

interface Looking {
  readonly on?: Store;
  readonly dialect?: string;
  readonly kind?: LookKind;
}

export function describeEmptyAnswers(bench: StoreBench): void {
  const { inState, finish, answers, statuses } = bench;
  let store: Store;
  let run: Run;
  beforeEach(() => {
    ({ store, run } = bench);
  });

  const missed = (
    id: number,
    more: Pick<Settlement, 'secondLook'> & Believed = {},
  ): Settlement => ({
    id,
    at: T0,
    outcome: 'not_found',
    result: {},
    credits: 0,
    ...more,
  });
  /** A second look at one more lead, whose first look was of this kind. */
  const look = async (
    who: string,
    isSame: boolean,
    { on = store, dialect = 'd1', kind = 'early' }: Looking = {},
  ) => {
    const { id } = await inState('awaiting', who);
    const secondLook = { account: 'acc', dialect, kind, isSame };
    const settlement = isSame ? missed(id, { secondLook }) : { ...found(id), secondLook };
    await on.settle([settlement]);
    return () => on.settle([settlement]);
  };
  const trustOf = async (kind: LookKind, account = 'acc', dialect = 'd1') =>
    (await store.trusts(account, dialect))[kind];
  const countOf = async (...of: Parameters<typeof trustOf>) => (await trustOf(...of)).confirmed;
  /** One more miss of the run that was believed at its first look. */
  const believed = async (who: string, kind: LookKind, runId = run.id) => {
    const { id } = await inState('awaiting', who, runId);
    const { id: trust } = await trustOf(kind);
    await store.settle([missed(id, { believed: { kind, trust } })]);
    return id;
  };

  describe('second looks at empty answers', () => {
    it('are counted in a row, for each account, dialect and kind of the first look', async () => {
      expect(await trustOf('early')).toEqual({ id: 0, confirmed: 0 });
      const again = await look('ada', true);
      // Another process adds to it, and no look counts twice.
      const other = await bench.openAgain();
      await look('bob', true, { on: other });
      await other.close();
      await again();
      expect(await countOf('early')).toBe(2);
      expect([await countOf('early', 'other'), await countOf('early', 'acc', 'd2')]).toEqual([
        0, 0,
      ]);
      await look('cleo', false, { dialect: 'd2' });
      await look('dora', true, { dialect: 'd2' });
      await look('dan', true, { kind: 'late' });
      expect([await countOf('early'), await countOf('late')]).toEqual([2, 1]);
      expect(await countOf('early', 'acc', 'd2')).toBe(1);
      await look('eve', false);
      expect([await countOf('early'), await countOf('late')]).toEqual([0, 1]);
      await look('fay', true);
      expect(await countOf('early')).toBe(1);
    });

    it('begin another trust where one has brought something, also among others of one step', async () => {
      await look('ada', true);
      await look('bob', true, { kind: 'late' });
      const [early, late] = [await trustOf('early'), await trustOf('late')];
      expect(early.id).not.toBe(late.id);
      const [cyd, dan] = [await inState('awaiting', 'cyd'), await inState('awaiting', 'dan')];
      const secondLook = { account: 'acc', dialect: 'd1', kind: 'early' } as const;
      await store.settle([
        { ...found(cyd.id), secondLook: { ...secondLook, isSame: false } },
        missed(dan.id, { secondLook: { ...secondLook, isSame: true } }),
      ]);
      const after = await trustOf('early');
      expect(after.confirmed).toBe(1);
      expect([early.id, late.id]).not.toContain(after.id);
      expect(await trustOf('late')).toEqual(late);
    });
  });

  describe('misses that were believed', () => {
    it('stand while their trust does', async () => {
      await look('ada', true);
      await believed('bob', 'early');
      await look('cyd', true);
      expect(await store.doubtMisses(run.id, LATER)).toEqual({ awaited: 0, endedRuns: [] });
      expect((await answers())[1]).toMatchObject({ status: 'not_found', isBelieved: true });
    });

    it('are awaited again once it has ended, for their second look, and stand meanwhile', async () => {
      await look('ada', true);
      await look('bob', true, { kind: 'late' });
      const early = await believed('cyd', 'early');
      const late = await believed('dan', 'late');
      await look('eve', false, { kind: 'late' });
      const before = await store.tally(run.id);
      expect(await store.doubtMisses(run.id, LATER)).toEqual({ awaited: 1, endedRuns: [] });
      expect(await store.awaited(run.id, 10)).toMatchObject([
        { id: late, pollAt: LATER, wasEmpty: true, wasLate: true, wasBlank: false },
      ]);
      expect((await store.tally(run.id)).byStatus).toEqual(before.byStatus);
      expect((await answers())[3]).toMatchObject({ status: 'not_found', enrichedAt: T0 });
      // Once is enough, also where the look brings no answer: then the miss stands.
      expect(await store.doubtMisses(run.id, LATER)).toMatchObject({ awaited: 0 });
      await store.settle([timedOut(late)]);
      expect(await store.doubtMisses(run.id, LATER)).toMatchObject({ awaited: 0 });
      expect((await answers())[3]).toMatchObject({ status: 'not_found', reason: null });

      await look('fay', false);
      expect(await store.doubtMisses(run.id, LATER)).toMatchObject({ awaited: 1 });
      await store.settle([found(early)]);
      expect(await statuses()).toEqual([
        'not_found',
        'not_found',
        'found',
        'not_found',
        'found',
        'found',
      ]);
      expect(await store.tally(run.id)).toMatchObject({ credits: 15 });
    });

    it('are known by the mark of their row, by whichever process', async () => {
      await look('ada', true);
      const id = await believed('bob', 'early');
      await look('cyd', false);
      const other = await bench.openAgain();
      expect(await other.doubtMisses(run.id, LATER)).toMatchObject({ awaited: 1 });
      expect(await other.awaited(run.id, 10)).toMatchObject([{ id, wasEmpty: true }]);
      await other.close();
    });

    it('are believed no more where they were read again by the user', async () => {
      await look('ada', true);
      await believed('bob', 'early');
      await finish();
      await store.retry(run.id, ['not_found'], { at: LATER, deadlineAt: LATER });
      const again = await store.awaited(run.id, 10);
      expect(again.map(({ wasEmpty }) => wasEmpty)).toEqual([false, false]);
      await store.settle(again.map(({ id }) => missed(id)));
      await look('cyd', false);
      expect(await store.doubtMisses(run.id, LATER)).toMatchObject({ awaited: 0 });
    });

    it('of runs of the account that have ended are named, and left as they are', async () => {
      const ended = await store.startRun(runPlan({ job: 'weekly' }), T0);
      const working = await store.startRun(runPlan({ job: 'hourly' }), T0);
      const other = await store.startRun(runPlan({ job: 'other', account: 'acc 2' }), T0);
      await look('ada', true);
      for (const [i, { id }] of [ended, working, other].entries()) {
        await believed(`bob${i}`, 'early', id);
      }
      await finish(ended.id);
      await finish(other.id);
      await look('cyd', false);
      const before = await answers(ended.id);
      expect(await store.doubtMisses(run.id, LATER)).toEqual({ awaited: 0, endedRuns: [ended.id] });
      expect(await answers(ended.id)).toEqual(before);
      expect(await store.doubtMisses(working.id, LATER)).toMatchObject({ awaited: 1 });
    });
  });
}
