// Keeping the store in order: whether it can be written, copies of it, people to forget, runs to prune.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPersonMatch } from '../../src/model/person-match.js';
import type { Run, RunPlan } from '../../src/model/run.js';
import { asked, COLUMNS, runPlan } from '../helpers/leads.js';
import {
  accepted,
  arrival,
  found,
  refused,
  type StoreBench,
  T0,
  TIMES,
  timedOut,
  uncertain,
  unsent,
} from './store-bench.js';

const ADA = createPersonMatch([{ kind: 'email', spellings: ['ada@example.com'] }]);

export function describeMaintenance(bench: StoreBench): void {
  const { add, claimOne, finish, ingest, inState, sent, answers, store, run } = bench;

  it('tells whether it can be written by writing, and changes nothing', async () => {
    await inState('found');
    await store.keepArrivals([arrival()]);
    const before = [await answers(), await store.listDeliveries(10), await store.countPending()];
    await store.checkWriting();
    expect([await answers(), await store.listDeliveries(10), await store.countPending()]).toEqual(
      before,
    );
  });

  describe('its size', () => {
    const DAY = 86_400_000;
    /** Some hundred kilobytes more. */
    const grow = async () => {
      const { leadCount } = (await store.findRun(run.id)) as Run;
      const cells = Array.from({ length: 400 }, (_, i) => `${leadCount * i} ${Math.cos(i)}`);
      await ingest(
        Array.from({ length: 100 }, (_, i) => ({
          ...asked(leadCount + i + 1, `who ${leadCount + i}`),
          cells,
        })),
      );
    };

    it('is what it takes on the disk', async () => {
      const { bytes } = await store.size(T0);
      await grow();
      const now = await store.size(T0);
      expect(now.bytes).toBeGreaterThan(bytes);
      expect(now.unusedBytes).toBeGreaterThanOrEqual(0);
      expect(now.unusedBytes).toBeLessThan(now.bytes);
      expect(now.logBytes).toBeGreaterThanOrEqual(0);
    });

    it('grows by what came since a day, or the last weeks, and is not known before', async () => {
      const growth = async (days: number) => (await store.size(T0 + days * DAY)).bytesADay;
      const note = (days: number) => store.noteSize(T0 + days * DAY);
      expect(await growth(10)).toBeNull();
      await note(0);
      await grow();
      expect(await growth(0.9)).toBeNull();
      const once = (await growth(1)) ?? 0;
      expect(once).toBeGreaterThan(10_000);
      expect(await growth(2)).toBe(Math.round(once / 2));
      // Not within a day.
      await note(0.5);
      expect(await growth(1)).toBe(once);
      for (let day = 1; day <= 20; day += 1) await note(day);
      expect(await growth(20)).toBe(Math.round(once / 20));
      for (let day = 21; day <= 40; day += 1) await note(day);
      // What came first is longer ago than four weeks.
      expect(await growth(40)).toBe(0);
    });
  });

  describe('a backup', () => {
    /** Where the store makes none, its own test says what does. */
    const copies = (skip: () => never) => bench.copies ?? skip();

    it('holds everything up to its moment, and nothing behind it', async ({ skip }) => {
      const { newPath, openCopy } = copies(skip);
      await inState('found');
      await inState('awaiting', 'bob');
      const before = await answers();
      const series = await store.series(run.id);
      const path = newPath();
      expect(await store.backup(path)).toBeGreaterThan(0);
      await add('cyd');
      const copy = await openCopy(path);
      expect(await copy.answers(run.id, { after: 0, limit: 100 })).toEqual(before);
      expect(await copy.work(run.id)).toMatchObject({ awaiting: 1 });
      expect(await copy.series(run.id)).toEqual(series);
      expect(await copy.signingKey()).not.toEqual(new Uint8Array(32));
      await copy.close();
      expect(await answers()).toHaveLength(3);
    });

    it('never takes the place of anything', async ({ skip }) => {
      const { newPath, openCopy } = copies(skip);
      const path = newPath();
      await store.backup(path);
      await add('ada');
      await expect(store.backup(path)).rejects.toMatchObject({ code: 'usage' });
      const copy = await openCopy(path);
      expect(await copy.answers(run.id, { after: 0, limit: 100 })).toEqual([]);
      await copy.close();
    });

    it('that cannot be written says so', async ({ skip }) => {
      const path = `${copies(skip).newPath()}/nowhere/copy.db`;
      await expect(store.backup(path)).rejects.toMatchObject({ code: 'output' });
    });
  });

  const forget = (isForReal = true) => store.forget(ADA, T0 + 50, isForReal);

  describe('whoever is forgotten', () => {
    /** Bob is found under another address. */
    const twoFound = async (runId = run.id) => {
      for (const who of ['ada', 'bob']) {
        const { id } = await inState('awaiting', who, runId);
        await store.settle([found(id, { find_email: { email: `${who}@example.com` } })]);
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
      expect(ada?.ticket).toBeNull();
      const { leads } = await store.lineHistory(run.id, 2, null);
      expect(leads[0]?.enrichment?.ticket).toBeNull();
      expect(stillBob).toEqual(bob);
      expect(await store.tally(run.id)).toMatchObject({
        credits: bill.credits,
        byStatus: { found: 1, failed: 1 },
      });
      expect(await forget()).toMatchObject({
        leads: 0,
        enrichments: 0,
        results: 0,
        isErased: true,
      });
    });

    it('is found in a long result by nothing but an address there, and not by one of an earlier company', async () => {
      const texts = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ');
      const profiles = {
        ada: { summary: `${texts}, ada@example.com`, positionGroups: [] },
        bob: {
          summary: texts,
          positionGroups: [
            {
              company: { website: 'https://www.example.com', description: texts },
              date: { start: {}, end: {} },
              profilePositions: [],
            },
          ],
        },
      };
      for (const who of ['ada', 'bob'] as const) {
        const { id } = await inState('awaiting', who);
        await store.settle([found(id, { social_enrichment: profiles[who] })]);
      }
      await finish();
      expect(await forget()).toMatchObject({ leads: 1, results: 1 });
      expect(await answers()).toMatchObject([
        { status: 'failed', result: null },
        { status: 'found', result: { social_enrichment: profiles.bob } },
      ]);
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
        const { id } = claimed;
        if (state === 'uncertain') await store.recordSubmits([uncertain(claimed)]);
        else if (state !== 'submitting') await store.recordSubmits([accepted(claimed)]);
        if (state === 'timed_out') await store.settle([timedOut(id)]);
        await store.endRun(run.id, 'cancelled', T0);
        expect(await forget()).toMatchObject({ leads: 1, enrichments: 1 });
        expect(await store.settle([found(id)])).toEqual([]);
        expect(
          await store.addressed('acc', [{ enrichmentId: id, ticket: null, callId: null }]),
        ).toEqual([null]);
        const late = arrival({ enrichmentId: id, body: '{"who":"ada"}' });
        expect(await store.keepArrivals([late])).toMatchObject({ kept: 0, alreadyAnswered: 1 });
        expect(await store.pendingDeliveries('acc', 9)).toEqual([]);
        const next = await store.startRun(runPlan(), T0);
        const times = { ...TIMES, resendUncertain: true };
        expect(await ingest([asked(1, 'ada')], next.id, times)).toMatchObject({ cached: 1 });
        expect((await store.claim(next.id, 9, T0)).claimed).toEqual([]);
      },
    );

    it('was certainly not accepted: may be asked for at once', async () => {
      await ingest([{ ...asked(1, 'ada'), cells: ['ada@example.com'] }]);
      await store.recordSubmits([unsent(await claimOne())]);
      await store.endRun(run.id, 'cancelled', T0);
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
      expect((await store.claim(run.id, 9, T0)).claimed).toEqual([]);
    });

    it('leaves an unfinished run that has not sent it, which never sends it then', async () => {
      await ingest([{ ...asked(1, 'ada'), cells: ['ada@example.com'] }, asked(2, 'bob')]);
      await store.finishReading(run.id);
      expect(await forget()).toMatchObject({ openRuns: [], leads: 1, enrichments: 1 });
      expect((await store.claim(run.id, 9, T0)).claimed).toHaveLength(1);
      expect(await ingest([asked(3, 'ada')])).toMatchObject({ shared: 1, queued: 0 });
      expect(await store.work(run.id)).toMatchObject({ queued: 0, submitting: 1 });
    });

    it.each(['submitting', 'awaiting', 'uncertain'])(
      'stays in an unfinished run where it is %s: then nothing is removed',
      async (state) => {
        await ingest([{ ...asked(1, 'ada'), cells: ['ada@example.com'] }]);
        await store.finishReading(run.id);
        const one = await claimOne();
        if (state === 'awaiting') await store.recordSubmits([accepted(one)]);
        if (state === 'uncertain') await store.recordSubmits([uncertain(one)]);
        expect(await forget()).toMatchObject({ openRuns: [run.id], leads: 0 });
      },
    );

    it('is not while a run reads, or a delivery is pending: then nothing is removed', async () => {
      await twoFound();
      expect(await forget()).toMatchObject({ openRuns: [run.id], leads: 0, isErased: false });
      expect((await answers())[0]?.cells).toEqual(['ada']);
      await finish();
      const body = JSON.stringify({ data: [{ id: 'enr_1' }] });
      await store.keepArrivals([arrival({ body })]);
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
      const delivery = arrival();
      // Under the key of a lead nothing is kept once it has its answer.
      await store.keepArrivals([{ ...delivery, enrichmentId: 1, body: '{"profile":"hers"}' }]);
      await twoFound();
      await finish();
      const entry = (id: string, email: string) => ({ id, find_email: { email } });
      const both = [entry('enr_1', 'ada@example.com'), entry('enr_2', 'bob@example.com')];
      await store.keepArrivals([
        { ...delivery, body: JSON.stringify({ type: 'done', data: both }) },
        { ...delivery, body: JSON.stringify({ type: 'done', data: both.slice(0, 1) }) },
        { ...delivery, body: JSON.stringify({ data: both.slice(1) }) },
      ]);
      const steps = (count: number) =>
        Array.from({ length: count }, () => ({ kind: 'nothing' }) as const);
      const handled = [1, 2, 1, 1].map((count, i) => ({ id: i + 1, at: T0, steps: steps(count) }));
      await store.handleDeliveries('acc', handled);
      expect(await forget()).toMatchObject({ deliveries: 3 });
      await store.replayDeliveries('acc');
      const bodies = (await store.pendingDeliveries('acc', 9)).map(({ body }) => JSON.parse(body));
      expect(bodies).toEqual([
        {},
        { type: 'done', data: [null, both[1]] },
        {},
        { data: both.slice(1) },
      ]);
    });

    it('leaves of a delivery whose body has left nothing to know that body by', async () => {
      const { id } = await inState('awaiting', 'ada');
      const delivery = arrival({ enrichmentId: id, body: '[1]' });
      await store.keepArrivals([delivery, { ...delivery, enrichmentId: id + 1 }]);
      const steps = [{ kind: 'settle', ticket: null, settlement: found(id) } as const];
      await store.handleDeliveries('acc', [
        { id: 1, at: T0, steps },
        { id: 2, at: T0, steps: [{ kind: 'nothing' }] },
      ]);
      await finish();
      expect(await forget()).toMatchObject({ leads: 1, results: 1, deliveries: 0 });
      expect(await store.listDeliveries(9)).toMatchObject([{ bytes: 3 }, { bytes: null }]);
      expect(await store.keepArrivals([{ ...delivery, enrichmentId: id + 1 }])).toMatchObject({
        repeated: 1,
      });
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
      const kept = (await store.events({}, { last: 9 })).map(
        ({ record }) => record['leadId'] ?? null,
      );
      expect(kept).toEqual([null, null, 'lea_1', null, 'lea_3']);
      expect(await forget()).toMatchObject({ events: 0 });
    });

    it('goes, whatever stands in cells and bodies, their own or those of others', async () => {
      const long = `@${'a.'.repeat(7_000_000)}`;
      const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
      await ingest([
        { ...asked(1, 'ada'), cells: [`${long} ada@example.com`] },
        { ...asked(2, 'eve'), cells: [long] },
      ]);
      await store.endRun(run.id, 'cancelled', T0);
      await finish();
      const event = { id: 'act_1', type: 'emailsSent', at: T0 };
      const body = `{"_id":"act_1","leadEmail":"ada@example.com","x":${deep}}`;
      const both = `{"data":[{"to":"ada@example.com"},{"x":${deep}}]}`;
      await store.keepArrivals([
        { scope: 'acc', receivedAt: T0, event, body },
        arrival({ body: both }),
      ]);
      const steps = [{ kind: 'nothing' }, { kind: 'nothing' }] as const;
      await store.handleDeliveries('acc', [{ id: 1, at: T0, steps }]);
      const everybody = createPersonMatch([{ kind: 'domain', spellings: ['example.com'] }]);
      expect(await store.forget(everybody, T0 + 50, true)).toMatchObject({
        leads: 2,
        deliveries: 1,
        events: 1,
      });
    });

    it('goes from cells and rejects that hold JSON, and from a page', async () => {
      const texts = [
        String.raw`{"to":"ada\u0040example.com"}`,
        String.raw`{"note":"Hi\nada@example.com"}`,
        'ada&#64;example.com',
        'a\u200dda＠example.com',
      ];
      const leads = texts.map((text, i) => ({ ...asked(i + 1, `who ${i}`), cells: [text] }));
      const rejects = texts.map((raw, i) => ({ source: 0, line: i + 9, reason: 'broken', raw }));
      await store.ingest(run.id, { columns: COLUMNS, leads, rejects }, TIMES);
      await store.endRun(run.id, 'cancelled', T0);
      await finish();
      expect(await forget()).toMatchObject({ leads: 4, rejects: 4, names: 0 });
    });

    it('is told to stay in names of columns and files', async () => {
      const sources = ['ada@example.com.csv', 'leads.csv'];
      const other = await store.startRun(runPlan({ job: 'weekly', sources }), T0);
      const columns = [{ key: 'ada@example.com', name: 'ada@example.com' }];
      await store.ingest(run.id, { columns, leads: [], rejects: [] }, TIMES);
      const path = '/inbox/ada@example.com.csv';
      await store.noteHashed('drop', [{ path, look: '1', digest: 'a' }], [], T0);
      await finish();
      await finish(other.id);
      expect(await forget()).toMatchObject({ leads: 0, names: 3, isErased: true });
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

  describe('pruning', () => {
    const DAY = 86_400_000;
    const NOW = T0 + 100 * DAY;
    /** Everything of T0 is old and stale, unless a test says otherwise. */
    const OLD = { at: NOW, before: NOW - 90 * DAY, freshSince: NOW - 30 * DAY };
    const FRESH = { ...OLD, freshSince: T0 };
    const prune = (times = OLD, isForReal = true) => store.prune(times, isForReal);

    /** A run that is newer: the newest one always stays. */
    const another = () => store.startRun(runPlan({ job: 'weekly' }), NOW);

    it('takes old runs with all that only they needed, and gives the space back', async () => {
      const leads = Array.from({ length: 200 }, (_, i) => {
        // No store can keep it in less.
        const cells = [randomBytes(1_500).toString('base64')];
        return { ...asked(i + 1, `who ${i}`), cells };
      });
      await ingest(leads);
      const claimed = (await store.claim(run.id, 200, T0)).claimed;
      const at = { at: T0, pollAt: T0, deadlineAt: T0 + 9 };
      await store.recordSubmits(
        claimed.map(({ id, send }) => ({ ...at, id, send, kind: 'accepted', ticket: `enr_${id}` })),
      );
      await store.settle(claimed.map(({ id }) => found(id)));
      await finish();
      const next = await another();
      const report = await prune();
      // The last enrichment keeps its number.
      expect(report).toMatchObject({ runs: 1, leads: 200, enrichments: 199, results: 199 });
      expect(report.bytesAfter ?? 0).toBeLessThan(report.bytesBefore - 100_000);
      expect((await store.listRuns(9)).map(({ id }) => id)).toEqual([next.id]);
      expect(await store.findRun(run.id)).toBeNull();
      expect(await ingest([asked(1, 'who 0'), asked(2, 'late')], next.id)).toMatchObject({
        queued: 2,
      });
      const ids = (await store.claim(next.id, 2, NOW)).claimed.map(({ id }) => id);
      expect(ids).toEqual([201, 202]);
    });

    it('that only counts removes nothing', async () => {
      await inState('found');
      await finish();
      await another();
      const before = await answers();
      expect(await prune(OLD, false)).toMatchObject({ runs: 1, leads: 1, bytesAfter: null });
      expect(await answers()).toEqual(before);
      expect(await store.findRun(run.id)).not.toBeNull();
    });

    /** In pieces, until nothing is left that can go. */
    const pruneAll = async (times = OLD, rowsMax = 3) => {
      for (let pieces = 1; pieces < 1_000; pieces += 1) {
        if ((await store.pruneSome(times, rowsMax)).isDone) return pieces;
      }
      throw new Error('it never ends');
    };

    describe.each([
      ['at once', (times?: typeof OLD): Promise<unknown> => prune(times)],
      ['a little at a time', pruneAll],
    ])('%s', (_, remove) => {
      it('keeps what is fresh, so that it is not paid for again', async () => {
        await inState('found');
        await inState('not_found', 'bob');
        await inState('failed', 'cyd');
        await finish();
        const next = await another();
        const dry = await prune(FRESH, false);
        expect(dry).toMatchObject({ runs: 1, leads: 3, enrichments: 0, keptFresh: 3 });
        await remove(FRESH);
        const leads = [asked(1, 'ada'), asked(2, 'bob'), asked(3, 'cyd')];
        const times = { ...TIMES, freshSince: T0 };
        expect(await ingest(leads, next.id, times)).toMatchObject({ cached: 3, queued: 0 });
        expect((await answers(next.id))[0]).toMatchObject({ status: 'found', source: 'cache' });
        // Once it is stale, it goes; but not while leads refer to it.
        await finish(next.id);
        expect(await prune()).toMatchObject({ runs: 0, enrichments: 0 });
      });

      it.each(['awaiting', 'timed_out', 'uncertain', 'submitting'] as const)(
        'keeps what may have been paid for, however old: %s',
        async (state) => {
          await inState(state);
          await inState('found', 'bob');
          await store.endRun(run.id, 'cancelled', T0);
          const next = await another();
          expect(await prune(OLD, false)).toMatchObject({ runs: 1, keptUnsettled: 1 });
          await remove();
          expect(await ingest([asked(1, 'ada')], next.id)).toMatchObject({ queued: 0, cached: 0 });
          expect((await store.claim(next.id, 9, NOW)).claimed).toEqual([]);
        },
      );
    });

    it('hands tickets of pruned runs on to the next run of the job', async () => {
      const { id } = await inState('awaiting');
      await store.endRun(run.id, 'cancelled', T0);
      await another();
      await prune();
      const next = await store.startRun(runPlan(), NOW);
      await store.recover(next.id);
      expect(await store.awaited(next.id, 9)).toMatchObject([{ id }]);
      const [addressed] = await store.addressed('acc', [
        { enrichmentId: id, ticket: null, callId: null },
      ]);
      expect(addressed).toMatchObject({ id });
    });

    it('takes what certainly was not accepted', async () => {
      await store.recordSubmits([refused(await sent('bob'))]);
      await inState('found', 'cyd');
      await inState('queued');
      await store.endRun(run.id, 'cancelled', T0);
      await add('last', (await another()).id);
      expect(await prune(FRESH)).toMatchObject({ enrichments: 2, keptFresh: 1, keptUnsettled: 0 });
    });

    it('leaves open runs, young runs and the newest one alone, and what their leads refer to', async () => {
      await inState('found');
      await finish();
      const open = await another();
      await ingest([asked(1, 'ada')], open.id, { ...TIMES, freshSince: T0 });
      const young = await store.startRun(runPlan({ job: 'daily' }), NOW);
      await store.finishReading(young.id);
      await store.endRun(young.id, 'finished', NOW);
      await store.startRun(runPlan({ job: 'last' }), T0);
      const before = await answers(open.id);
      expect(await prune()).toMatchObject({ runs: 1, leads: 1, enrichments: 0 });
      expect(await answers(open.id)).toEqual(before);
      expect(before).toMatchObject([{ status: 'found' }]);
      expect(await store.listRuns(9)).toHaveLength(3);
    });

    it('takes old deliveries and events, but none that is pending, and no number twice', async () => {
      const delivery = { scope: 'acc', enrichmentId: null, callId: null };
      const event = (n: number, receivedAt: number) => ({
        scope: 'acc',
        receivedAt,
        event: { id: `act_${n}`, type: 'emailsSent', at: T0 },
        body: '{}',
      });
      await store.keepArrivals([
        ...[T0, T0, NOW, T0].map((receivedAt, n) => ({ ...delivery, receivedAt, body: `[${n}]` })),
        event(1, T0),
        event(2, NOW),
        event(3, T0),
      ]);
      const steps = [{ kind: 'unknown', ticket: 'enr_x', enrichmentId: null }] as const;
      const handled = [1, 3, 4].map((id) => ({ id, at: T0, steps }));
      await store.handleDeliveries('acc', handled);
      const refused = { scope: 'acc', reason: 'not_json', encoding: '', count: 1, firstAt: T0 };
      const young = { ...refused, encoding: 'gzip', lastAt: NOW };
      await store.addRefused([{ ...refused, lastAt: T0 }, young]);
      expect(await prune()).toMatchObject({ deliveries: 1, events: 1 });
      expect(await store.refusedDeliveries()).toEqual([young]);
      expect((await store.listDeliveries(9)).map(({ id }) => id)).toEqual([4, 3, 2]);
      expect((await store.events({}, { last: 9 })).map(({ number }) => number)).toEqual([2, 3]);
    });

    it('knows the longest time that any run of any job ever counted as fresh, also of pruned ones', async () => {
      const ended = async (plan: Partial<RunPlan>) => {
        const { id } = await store.startRun(runPlan(plan), T0);
        await store.finishReading(id);
        await store.endRun(id, 'finished', T0);
      };
      await ended({ freshForMs: 90 });
      await ended({ freshForMs: 30 });
      await ended({ job: 'weekly', freshForMs: 60 });
      const known = { freshForMs: 90, job: 'nightly' };
      expect(await store.longestFreshFor()).toEqual(known);
      await another();
      await prune();
      expect(await store.findRun(2)).toBeNull();
      expect(await store.longestFreshFor()).toEqual(known);
    });

    describe('a little at a time', () => {
      const NOTHING = {
        runs: 0,
        leads: 0,
        rejects: 0,
        enrichments: 0,
        results: 0,
        deliveries: 0,
        events: 0,
      };

      it('takes what would have gone at once', async () => {
        const delivery = arrival();
        const event = { id: 'act', type: 'emailsSent', at: T0 };
        await store.keepArrivals(
          ['1', '2', '3'].flatMap((body) => [
            { ...delivery, body },
            { scope: 'acc', receivedAt: T0, event: { ...event, id: `act_${body}` }, body },
          ]),
        );
        const steps = [{ kind: 'nothing' }] as const;
        await store.handleDeliveries(
          'acc',
          [1, 2, 3].map((id) => ({ id, at: T0, steps })),
        );
        for (const who of ['ada', 'bob', 'cyd', 'dan']) await inState('found', who);
        await inState('failed', 'eve');
        const rejects = [{ source: 0, line: 9, reason: 'broken', raw: 'x' }];
        await store.ingest(run.id, { columns: COLUMNS, leads: [], rejects }, TIMES);
        await finish();
        await add('last', (await another()).id);
        const dry = await prune(OLD, false);
        expect(dry).toMatchObject({ runs: 1, leads: 5, rejects: 1, enrichments: 5, results: 4 });
        expect(dry).toMatchObject({ deliveries: 2, events: 2 });
        expect(await pruneAll()).toBeGreaterThan(5);
        expect(await store.findRun(run.id)).toBeNull();
        expect(await prune()).toMatchObject(NOTHING);
      });

      it('does no more than it was told', async () => {
        await ingest(Array.from({ length: 60 }, (_, i) => asked(i + 1, `who ${i}`)));
        await store.endRun(run.id, 'cancelled', T0);
        await another();
        for (let pieces = 1; pieces <= 3; pieces += 1) {
          expect(await store.pruneSome(OLD, 10)).toEqual({ isDone: false });
        }
        const { leads } = await prune(OLD, false);
        expect(leads).toBeLessThan(60);
        expect(leads).toBeGreaterThanOrEqual(30);
      });

      it('keeps what a run shows until that run has gone', async () => {
        await inState('found');
        await inState('found', 'bob');
        await finish();
        const open = await another();
        await ingest([asked(1, 'ada')], open.id, { ...TIMES, freshSince: T0 });
        await add('last', (await store.startRun(runPlan({ job: 'last' }), T0)).id);
        const before = await answers(open.id);
        await pruneAll();
        expect(await answers(open.id)).toEqual(before);
        expect(before).toMatchObject([{ status: 'found' }]);
        expect(await prune(OLD, false)).toMatchObject({ runs: 0, leads: 0 });
        await store.endRun(open.id, 'cancelled', T0);
        await pruneAll();
        expect(await prune(OLD, false)).toMatchObject(NOTHING);
      });

      it.each([1, 2, 3, 4, 5, 6, 7, 8])(
        'keeps what a run comes to show after a piece of %i rows',
        async (rowsMax) => {
          await inState('found');
          await inState('found', 'bob');
          await finish();
          const open = await another();
          await store.startRun(runPlan({ job: 'last' }), T0);
          await store.pruneSome(OLD, rowsMax);
          const times = { ...TIMES, freshSince: T0 };
          const { cached } = await ingest([asked(1, 'ada')], open.id, times);
          await pruneAll();
          const status = cached === 1 ? 'found' : 'queued';
          expect(await answers(open.id)).toMatchObject([{ status }]);
        },
      );

      it('keeps the answer that stands in the place of one that has not come', async () => {
        await inState('found');
        await finish();
        const stale = { ...TIMES, freshSince: T0 + 1 };
        const second = await store.startRun(runPlan({ job: 'weekly' }), T0);
        await ingest([asked(1, 'ada')], second.id, stale);
        await store.recordSubmits([accepted(await claimOne(second.id))]);
        await store.settle([timedOut(2)]);
        await finish(second.id);
        await add('last', (await another()).id);
        await pruneAll();
        const next = await store.startRun(runPlan(), NOW);
        await ingest([asked(1, 'ada')], next.id, stale);
        expect(await answers(next.id)).toMatchObject([{ status: 'found' }]);
      });
    });
  });
}
