// Keeping the store in order: copies of it.
import { beforeEach, describe, expect, it } from 'vitest';
import { createPersonMatch } from '../../src/domain/person-match.js';
import type { Store } from '../../src/domain/ports/store.js';
import type { Run } from '../../src/domain/run.js';
import { asked, COLUMNS, runPlan } from '../helpers/leads.js';
import { found, type StoreBench, T0, TIMES, unsent } from './store-bench.js';

const ADA = createPersonMatch([{ kind: 'email', spellings: ['ada@example.com'] }]);

export function describeKeeping(bench: StoreBench): void {
  const { add, claimOne, finish, ingest, inState, answers } = bench;
  let store: Store;
  let run: Run;
  beforeEach(() => {
    ({ store, run } = bench);
  });

  describe('a backup', () => {
    it('holds everything up to its moment, and nothing behind it', async () => {
      await inState('found');
      await inState('awaiting', 'bob');
      const before = await answers();
      const path = bench.newPath();
      expect(await store.backup(path)).toBeGreaterThan(0);
      await add('cyd');
      const copy = await bench.openCopy(path);
      expect(await copy.answers(run.id, 0, 100)).toEqual(before);
      expect(await copy.work(run.id)).toMatchObject({ awaiting: 1 });
      expect(await copy.signingKey()).not.toEqual(new Uint8Array(32));
      await copy.close();
      expect(await answers()).toHaveLength(3);
    });

    it('never takes the place of anything', async () => {
      const path = bench.newPath();
      await store.backup(path);
      await add('ada');
      await expect(store.backup(path)).rejects.toMatchObject({ code: 'usage' });
      const copy = await bench.openCopy(path);
      expect(await copy.answers(run.id, 0, 100)).toEqual([]);
      await copy.close();
    });

    it('that cannot be written says so', async () => {
      const path = `${bench.newPath()}/nowhere/copy.db`;
      await expect(store.backup(path)).rejects.toMatchObject({ code: 'output' });
    });
  });

  const forget = (isForReal = true) => store.forget(ADA, T0 + 50, isForReal);

  describe('whoever is forgotten', () => {
    /** Bob is found under another address. */
    const twoFound = async (runId = run.id) => {
      for (const who of ['ada', 'bob']) {
        const { id } = await inState('awaiting', who, runId);
        const result = { find_email: { email: `${who}@example.com` } };
        await store.settle([{ id, at: T0, outcome: 'found', result, credits: 5 }]);
      }
    };

    it('leaves a line without cells, its cost, and nothing else', async () => {
      await twoFound();
      await finish();
      const [, bob] = await answers();
      const bill = await store.tally(run.id);
      expect(await forget()).toMatchObject({
        leads: 1,
        enrichments: 1,
        results: 1,
        runs: [run.id],
        isErased: true,
      });
      const [ada, stillBob] = await answers();
      expect(ada).toMatchObject({ position: 1, cells: [], inputs: {}, result: null, credits: 5 });
      expect(ada).toMatchObject({ status: 'failed', reason: expect.stringContaining('forgotten') });
      expect(ada?.ticket).not.toBe('enr_1');
      expect(stillBob).toEqual(bob);
      expect((await store.tally(run.id)).credits).toBe(bill.credits);
      expect(await forget()).toMatchObject({
        leads: 0,
        enrichments: 0,
        results: 0,
        isErased: true,
      });
    });

    it('is only counted where it is not for real', async () => {
      await twoFound();
      await finish();
      const before = await answers();
      expect(await forget(false)).toMatchObject({ leads: 1, results: 1, isErased: false });
      expect(await answers()).toEqual(before);
    });

    it('is not paid for again while the answer would be fresh, and is once it would not', async () => {
      await twoFound();
      await finish();
      await forget();
      const next = await store.startRun(runPlan(), T0);
      expect(await ingest([asked(1, 'ada')], next.id)).toMatchObject({ cached: 1, queued: 0 });
      const later = await store.startRun(runPlan(), T0);
      const times = { ...TIMES, freshSince: T0 + 100 };
      expect(await ingest([asked(1, 'ada')], later.id, times)).toMatchObject({ queued: 1 });
    });

    it.each(['awaiting', 'timed_out', 'uncertain', 'submitting'] as const)(
      'was perhaps paid for, and %s: is not asked for again, and no answer comes back',
      async (state) => {
        await ingest([{ ...asked(1, 'ada'), cells: ['ada@example.com'] }]);
        const claimed = await claimOne();
        const { id, send } = claimed;
        const sentAt = { id, send, at: T0 };
        if (state === 'uncertain') {
          await store.recordSubmits([{ ...sentAt, kind: 'uncertain', reason: 'reset' }]);
        } else if (state !== 'submitting') {
          const times = { pollAt: T0, deadlineAt: T0 + 9 };
          await store.recordSubmits([{ ...sentAt, kind: 'accepted', ticket: 'enr_9', ...times }]);
        }
        if (state === 'timed_out') {
          await store.settle([{ id, at: T0, outcome: 'timed_out', reason: 'late' }]);
        }
        await store.cancelRun(run.id, T0);
        expect(await forget()).toMatchObject({ leads: 1, enrichments: 1 });
        expect(await store.settle([found(id)])).toEqual([]);
        expect(await store.addressed('acc', [{ enrichmentId: id, ticket: null }])).toEqual([null]);
        const next = await store.startRun(runPlan(), T0);
        const times = { ...TIMES, resendUncertain: true };
        expect(await ingest([asked(1, 'ada')], next.id, times)).toMatchObject({ cached: 1 });
        expect(await store.claim(next.id, 9, T0)).toEqual([]);
      },
    );

    it('was certainly not accepted: may be asked for at once', async () => {
      await ingest([{ ...asked(1, 'ada'), cells: ['ada@example.com'] }]);
      await store.recordSubmits([unsent(await claimOne())]);
      await store.cancelRun(run.id, T0);
      await forget();
      const next = await store.startRun(runPlan(), T0);
      expect(await ingest([asked(1, 'ada')], next.id)).toMatchObject({ queued: 1 });
    });

    it('is not sent by a retry', async () => {
      await twoFound();
      await finish();
      await forget();
      const again = { at: T0, deadlineAt: T0 + 9 };
      expect(await store.retry(run.id, ['failed', 'uncertain'], again)).toMatchObject({
        queued: 0,
      });
      expect(await store.claim(run.id, 9, T0)).toEqual([]);
    });

    it('is not while a run works on it, or a delivery is pending: then nothing is removed', async () => {
      await twoFound();
      expect(await forget()).toMatchObject({ openRuns: [run.id], leads: 0, isErased: false });
      expect((await answers())[0]?.cells).toEqual(['ada']);
      await finish();
      const body = JSON.stringify({ data: [{ id: 'enr_1' }] });
      await store.keepArrivals([{ scope: 'acc', enrichmentId: null, receivedAt: T0, body }]);
      expect(await forget()).toMatchObject({ openRuns: [], pendingDeliveries: 1, leads: 0 });
      expect((await answers())[0]?.cells).toEqual(['ada']);
      await store.handleDeliveries('acc', [{ id: 1, at: T0, steps: [{ kind: 'nothing' }] }]);
      expect(await forget()).toMatchObject({ leads: 1, deliveries: 1 });
    });

    it('takes the leads along that share its enrichment, in every run', async () => {
      await twoFound();
      await finish();
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await ingest([asked(1, 'ada'), asked(2, 'ada'), asked(3, 'bob')], other.id);
      await finish(other.id);
      expect(await forget()).toMatchObject({ leads: 3, enrichments: 1, runs: [run.id, other.id] });
    });

    it('goes from deliveries, and leaves what those tell of others', async () => {
      await twoFound();
      await finish();
      const entry = (id: string, email: string) => ({ id, find_email: { email } });
      const both = [entry('enr_1', 'ada@example.com'), entry('enr_2', 'bob@example.com')];
      const delivery = { scope: 'acc', enrichmentId: null, receivedAt: T0 };
      await store.keepArrivals([
        { ...delivery, body: JSON.stringify({ type: 'done', data: both }) },
        { ...delivery, body: JSON.stringify({ type: 'done', data: both.slice(0, 1) }) },
        { ...delivery, enrichmentId: 1, body: '{"profile":"hers"}' },
        { ...delivery, body: JSON.stringify({ data: both.slice(1) }) },
      ]);
      const steps = (count: number) =>
        Array.from({ length: count }, () => ({ kind: 'nothing' }) as const);
      const handled = [2, 1, 1, 1].map((count, i) => ({ id: i + 1, at: T0, steps: steps(count) }));
      await store.handleDeliveries('acc', handled);
      expect(await forget()).toMatchObject({ deliveries: 3 });
      await store.replayDeliveries('acc');
      const bodies = (await store.pendingDeliveries('acc', 9)).map(({ body }) => JSON.parse(body));
      expect(bodies).toEqual([
        { type: 'done', data: [null, both[1]] },
        {},
        {},
        { data: both.slice(1) },
      ]);
    });

    it('goes from events, and from those that name it by the lead’s id; none of them comes back', async () => {
      const event = (n: number, record: object, scope = 'acc') => ({
        scope,
        receivedAt: T0,
        event: { id: `act_${n}`, type: 'emailsSent', at: T0 },
        body: JSON.stringify({ _id: `act_${n}`, type: 'emailsSent', ...record }),
      });
      const events = [
        event(1, { leadId: 'lea_1', leadEmail: 'ADA@example.com' }),
        event(2, { leadId: 'lea_1', leadFirstName: 'Ada' }),
        event(3, { leadId: 'lea_1', leadFirstName: 'Bob' }, 'other'),
        event(4, { leadId: 'lea_2', text: 'said ada@example.com' }),
        event(5, { leadId: 'lea_3' }),
      ];
      await store.keepArrivals(events);
      expect(await forget()).toMatchObject({ events: 3 });
      await store.keepArrivals(events);
      const kept = (await store.lastEvents({}, 9)).map(({ record }) => record['leadId'] ?? null);
      expect(kept).toEqual([null, null, 'lea_1', null, 'lea_3']);
      expect(await forget()).toMatchObject({ events: 0 });
    });

    it('goes from rejects, which keep their line and reason', async () => {
      const rejects = ['"ada@example.com', '"bob@example.com'].map((raw, i) => ({
        source: 0,
        line: i + 2,
        reason: 'unclosed_quote',
        raw,
      }));
      await store.ingest(run.id, { columns: COLUMNS, leads: [], rejects }, TIMES);
      await finish();
      expect(await forget()).toMatchObject({ rejects: 1, leads: 0 });
      expect(await store.rejects(run.id, 0, 9)).toMatchObject([
        { line: 2, reason: 'unclosed_quote', raw: '' },
        { raw: '"bob@example.com' },
      ]);
    });
  });
}
