// Runs: how they begin, end and are counted, and the history of each line.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ask } from '../../src/model/ask.js';
import type { RunPlan } from '../../src/model/run.js';
import type { LeadEntry } from '../../src/ports/store/enrichments.js';
import {
  asked,
  COLUMNS,
  fingerprintOf,
  notAskedLead,
  runPlan,
  skippedLead,
} from '../helpers/leads.js';
import { tries } from '../helpers/long.js';
import {
  accepted,
  arrival,
  found,
  type StoreBench,
  T0,
  TIMES,
  timedOut,
  uncertain,
} from './store-bench.js';

const LATER = { at: T0 + 100_000, deadlineAt: T0 + 200_000 };

export function describeRuns(bench: StoreBench): void {
  const { ingest, add, claimOne, sent, inState, finish, answers, store, run } = bench;

  const story = async (line: number, source: number | null = null) =>
    store.lineHistory(run.id, line, source);

  describe('runs', () => {
    it('starts reading, goes on working, and finishes', async () => {
      expect(run).toMatchObject({ id: 1, job: 'nightly', state: 'reading', leadCount: 0 });
      await store.finishReading(run.id);
      expect((await store.findRun(run.id))?.state).toBe('working');
      await store.endRun(run.id, 'finished', T0 + 5);
      expect(await store.findRun(run.id)).toMatchObject({ state: 'finished', endedAt: T0 + 5 });
      expect((await store.jobNow('nightly')).openRun).toBeNull();
    });

    it('a new run of a job replaces its open one, and no other job’s', async () => {
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      const next = await store.startRun(runPlan(), T0);
      expect((await store.findRun(run.id))?.state).toBe('replaced');
      expect((await store.jobNow('nightly')).openRun?.id).toBe(next.id);
      expect((await store.jobNow('weekly')).openRun?.id).toBe(other.id);
      expect((await store.listRuns(2)).map(({ id }) => id)).toEqual([next.id, other.id]);
    });

    it('remembers where the table of a continued run goes, and what it may spend', async () => {
      const output = { ...run.output, out: 'elsewhere.csv' };
      const prices = { find_email: 5, verify_email: 1, social_enrichment: 1, find_phone: 20 };
      await store.changeRun(run.id, { output, budget: 100, prices });
      expect(await store.findRun(run.id)).toEqual({ ...run, output, budget: 100, prices });
      await store.changeRun(run.id, { output, budget: undefined });
      expect(await store.findRun(run.id)).toEqual({ ...run, output, prices });
    });

    it('tells how one was left, until it goes on', async () => {
      const tally = await store.tally(run.id);
      const left = { at: T0, by: 'budget', said: 'The budget is used up.', tally } as const;
      await store.changeRun(run.id, { left });
      expect(await store.findRun(run.id)).toEqual({ ...run, left });
      await store.changeRun(run.id, { output: run.output, budget: undefined });
      expect(await store.findRun(run.id)).toEqual(run);
      await store.changeRun(run.id, { left });
      await store.changeRun(run.id, { left: null });
      expect(await store.findRun(run.id)).toEqual(run);
      await store.changeRun(run.id + 1, { left });
    });

    it('tells one that was opened again, until it goes on', async () => {
      await inState('failed', 'bob');
      const before = await store.findRun(run.id);
      await store.retry(run.id, ['failed'], LATER);
      expect(await store.findRun(run.id)).toEqual(before);
      await inState('failed', 'ada');
      await store.finishReading(run.id);
      await store.endRun(run.id, 'finished', T0 + 5);
      await store.retry(run.id, ['failed'], LATER);
      const reopened = await store.findRun(run.id);
      expect(reopened).toMatchObject({
        state: 'working',
        endedAt: null,
        reopenedAt: LATER.at,
        endedBefore: T0 + 5,
      });
      await store.changeRun(run.id, { output: run.output, budget: undefined, idleMs: 7 });
      const going = await store.findRun(run.id);
      expect(going).toMatchObject({ idleMs: 7 });
      expect(going).not.toHaveProperty('reopenedAt');
      expect(going).not.toHaveProperty('endedBefore');
      await store.changeRun(run.id, { output: run.output, budget: undefined });
      expect(await store.findRun(run.id)).toMatchObject({ idleMs: 7 });
    });

    it('puts its number into the name of its table', async () => {
      const output = {
        ...run.output,
        out: 'out-{run}-{run}.csv',
        template: 'out-{run}-{run}.csv',
      };
      const next = await store.startRun(runPlan({ output }), T0);
      expect(next.output).toEqual({ ...output, out: 'out-2-2.csv' });
      expect(await store.findRun(2)).toEqual(next);
    });

    it('tells how runs that asked the same, and asked for a lead, took their columns', async () => {
      const mapping = [
        { input: 'email', column: { key: 'mail', name: 'mail' }, index: 0, isGuessed: true },
      ] as const;
      const read = async (leads: LeadEntry[], changes: Partial<RunPlan> = {}) => {
        const { id } = await store.startRun(runPlan(changes), T0);
        await store.ingest(id, { columns: COLUMNS, leads, rejects: [], mapping }, TIMES);
      };
      const both: Ask[] = ['find_phone', 'find_email'];
      const guesses = (ask: readonly Ask[], job = 'nightly') => store.formerGuesses(job, ask, 9);
      expect(await guesses(both)).toEqual([]);
      await read([skippedLead(1, 'no name')], { ask: both });
      await read([asked(1, 'ada')], { ask: ['find_email'] });
      await read([asked(1, 'ada')], { ask: both, job: 'weekly' });
      const guess = { columns: COLUMNS, mapping, isSame: true };
      const theirs = { ...guess, isOwn: false, map: {} };
      const ofSome = { ...guess, isOwn: true, isSame: false, map: {} };
      expect(await guesses(both)).toEqual([theirs, ofSome]);
      await read([asked(1, 'ada')], { ask: both, map: { email: 'mail' } });
      await read([asked(1, 'ada')], { ask: both, job: 'weekly' });
      const own = { ...guess, isOwn: true, map: { email: 'mail' } };
      expect(await guesses(both)).toEqual([own, theirs, ofSome]);
      expect(await guesses(both.toReversed())).toEqual([own, theirs, ofSome]);
      expect(await store.formerGuesses('nightly', both, 1)).toEqual([own]);
      expect(await guesses(['find_phone'])).toEqual([{ ...own, isSame: false }]);
      expect(await guesses(['verify_email'])).toEqual([]);
    });

    it('knows nothing of a run that never was', async () => {
      expect(await store.findRun(99)).toBeNull();
    });
  });

  describe('telling', () => {
    it('every lead is in the tally and in the answers, in input order', async () => {
      await ingest([asked(1, 'ada'), skippedLead(2, 'no name'), asked(3, 'ada')]);
      expect(await store.tally(run.id)).toMatchObject({
        leads: 3,
        byStatus: { queued: 2, skipped: 1, found: 0 },
        reasons: [{ status: 'skipped', reason: 'no name', leads: 1 }],
      });
      const told = await answers();
      expect(told.map(({ position, status }) => [position, status])).toEqual([
        [1, 'queued'],
        [2, 'skipped'],
        [3, 'queued'],
      ]);
      expect(told[0]).toMatchObject({ source: null, credits: 0 });
      expect(told[1]).toMatchObject({ source: null, reason: 'no name', ticket: null });
      expect(
        (await store.answers(run.id, { after: 2, limit: 10 })).map(({ position }) => position),
      ).toEqual([3]);
    });

    it('a lead that was not chosen is told apart from one that was skipped', async () => {
      await ingest([
        asked(1, 'ada'),
        skippedLead(2, 'no name'),
        notAskedLead(3, 'not in the sample'),
      ]);
      const tally = await store.tally(run.id);
      expect(tally).toMatchObject({
        leads: 3,
        byStatus: { queued: 1, skipped: 1, not_asked: 1 },
        inPart: { leads: 0 },
      });
      expect(tally.reasons).toContainEqual({
        status: 'not_asked',
        reason: 'not in the sample',
        leads: 1,
      });
      const left = { status: 'not_asked', reason: 'not in the sample', source: null, credits: 0 };
      expect((await answers())[2]).toMatchObject({ ...left, inputs: {}, result: null });
      const { leads } = await store.lineHistory(run.id, 4, null);
      expect(leads).toMatchObject([{ isNotAsked: true, enrichment: null }]);
      expect((await store.lineHistory(run.id, 3, null)).leads).toMatchObject([
        { isNotAsked: false },
      ]);
    });

    it('cells come back as they went in', async () => {
      const cells = ['é\u0000"\n', 1.5, null, true, { a: ['x'] }, ''];
      await ingest([{ ...skippedLead(1, 'x'), cells }]);
      expect((await store.answers(run.id, { after: 0, limit: 1 }))[0]?.cells).toEqual(cells);
    });
  });

  describe('the numbers of a run that ended', () => {
    const ended = async () => {
      await store.finishReading(run.id);
      await store.endRun(run.id, 'finished', T0 + 9);
      return store.tally(run.id);
    };

    it('are what they were', async () => {
      await store.settle([found((await inState('awaiting', 'ada')).id)]);
      await add('ada');
      const before = await store.tally(run.id);
      expect(before).toMatchObject({ leads: 2, enrichments: null, credits: 5, fromCache: 1 });
      expect(await ended()).toEqual({ ...before, enrichments: 1 });
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
      expect(await store.endRun(run.id, 'cancelled', T0 + 5)).toBe(true);
      expect((await store.claim(run.id, 10, T0)).claimed).toEqual([]);
      expect(await store.findRun(run.id)).toMatchObject({ state: 'cancelled', endedAt: T0 + 5 });
      expect((await store.jobNow('nightly')).openRun).toBeNull();
    });

    it('still learns what became of a request that was under way', async () => {
      const claimed = await sent();
      await store.endRun(run.id, 'cancelled', T0);
      expect(await store.recordSubmits([accepted(claimed)])).toMatchObject([{ id: claimed.id }]);
    });

    it('hands its tickets on to the next run of the job', async () => {
      const { id } = await inState('awaiting');
      await store.finishReading(run.id);
      expect(await store.endRun(run.id, 'cancelled', T0)).toBe(true);
      const next = await store.startRun(runPlan(), T0);
      expect(await store.recover(next.id)).toBe(0);
      expect(await store.awaited(next.id, 10)).toMatchObject([{ id, ticket: `enr_${id}` }]);
    });

    it('does not hand the tickets of one account on to a run that asks another', async () => {
      const { id } = await inState('awaiting');
      await store.endRun(run.id, 'cancelled', T0);
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
      await store.endRun(other.id, 'cancelled', T0);
      const before = await store.listRuns(10);
      for (const { id } of before) expect(await store.endRun(id, 'cancelled', T0 + 9)).toBe(false);
      expect(await store.listRuns(10)).toEqual(before);
    });
  });

  describe('the story of a line', () => {
    it('tells what was asked, sent, paid and answered, and for whom', async () => {
      const { id } = await inState('found');
      await store.settle([found(id)]);
      const { leads, rejects } = await story(2);
      expect(rejects).toEqual([]);
      expect(leads).toMatchObject([
        {
          position: 1,
          cells: ['ada'],
          isPayer: true,
          enrichment: {
            id,
            isCurrent: true,
            state: 'found',
            request: { ask: ['find_email'], inputs: { firstName: 'ada' } },
            ticket: `enr_${id}`,
            credits: 5,
            paidBy: run.id,
            sendCount: 1,
            lostSends: 0,
            submittedAt: T0,
            settledAt: T0,
            standsSince: null,
            result: { find_email: { email: 'ada@example.com' } },
            sharedWith: [],
            sharedCount: 0,
          },
        },
      ]);
      expect(Array.from(leads[0]?.enrichment?.fingerprint ?? [])).toEqual(
        Array.from(fingerprintOf('ada')),
      );
    });

    it('tells of an older answer that the row shows, and of no time for what is due at none', async () => {
      await store.settle([found((await inState('awaiting')).id)]);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await ingest([asked(1, 'ada')], other.id, { ...TIMES, freshSince: T0 + 9 });
      const claimed = await claimOne(other.id);
      await store.recordSubmits([accepted(claimed)]);
      await store.settle([{ id: claimed.id, body: '{}', reason: 'it cannot be read' }]);
      expect((await store.lineHistory(other.id, 2, null)).leads).toMatchObject([
        { enrichment: { state: 'awaiting', standsSince: T0, pollAt: null } },
      ]);
    });

    it('is found in every file, as a look at every lead finds it', async () => {
      const steps = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.integer({ min: 1, max: 4 })), {
        maxLength: 40,
      });
      await fc.assert(
        fc.asyncProperty(steps, fc.nat({ max: 3 }), async (all, headerLines) => {
          const { id } = await store.startRun(runPlan({ job: 'other' }), T0);
          let place = { source: 0, line: headerLines };
          const leads = all.map(([files, lines], n) => {
            const isSame = n === 0 || files < 2;
            const { line, source } = place;
            place = isSame
              ? { source, line: line + lines }
              : { source: source + lines, line: headerLines + lines };
            return { ...skippedLead(n + 1, 'no name'), ...place };
          });
          await ingest(leads, id);
          for (const file of [null, 0, 1, 2, place.source, place.source + 1]) {
            const inFile = leads.filter(({ source }) => file === null || source === file);
            for (let line = 0; line < 12; line += 1) {
              const history = await store.lineHistory(id, line, file);
              const there = inFile.filter((lead) => lead.line === line);
              const before = inFile.filter((lead) => lead.line < line).map((lead) => lead.line);
              expect(history.leads.map(({ position }) => position)).toEqual(
                there.map(({ position }) => position),
              );
              expect(history.lineBefore).toBe(
                there.length > 0 || before.length === 0 ? null : Math.max(...before),
              );
            }
          }
        }),
        { numRuns: tries(15) },
      );
    });

    it('names the lines that share it, in this run and in others', async () => {
      await ingest([asked(1, 'ada'), asked(2, 'bob'), asked(3, 'ada')]);
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await ingest([asked(1, 'ada')], other.id);
      const { leads } = await story(4);
      expect(leads[0]?.isPayer).toBe(false);
      expect(leads[0]?.enrichment).toMatchObject({
        sharedCount: 2,
        sharedWith: [
          { runId: run.id, source: 0, line: 2 },
          { runId: other.id, source: 0, line: 2 },
        ],
      });
    });

    it('counts sends of unknown fate', async () => {
      await store.recordSubmits([uncertain(await sent())]);
      await store.retry(run.id, ['uncertain'], LATER);
      await claimOne();
      expect((await story(2)).leads[0]?.enrichment).toMatchObject({ sendCount: 2, lostSends: 1 });
      expect((await store.tally(run.id)).hasLostSends).toBe(true);
    });

    it('tells why a line was skipped, or became no lead', async () => {
      const reject = { source: 0, line: 9, reason: 'unclosed_quote', raw: '"x' };
      const leads = [skippedLead(1, 'no name')];
      await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [reject] }, TIMES);
      expect(await story(2)).toMatchObject({ leads: [{ note: 'no name', enrichment: null }] });
      expect(await story(9)).toMatchObject({ leads: [], rejects: [reject] });
    });
  });

  describe('the deliveries about an enrichment', () => {
    it('are those with its key in the path or a mark in the body, as a whole value', async () => {
      const body = (id: string) => JSON.stringify({ data: [{ id }] });
      const delivery = arrival();
      await store.keepArrivals([
        { ...delivery, body: body('enr_1') },
        { ...delivery, body: body('enr_10') },
        { ...delivery, enrichmentId: 7, body: '{}' },
        { ...delivery, body: JSON.stringify({ metadata: { k: 'e7.key' } }) },
      ]);
      const about = await store.listDeliveries(10, { id: 7, marks: ['enr_1', 'e7.key'] });
      expect(about.map(({ id }) => id)).toEqual([1, 3, 4]);
      expect(about[0]).toMatchObject({ receivedAt: T0, handledAt: null });
      expect(await store.listDeliveries(1, { id: 7, marks: ['enr_1'] })).toHaveLength(1);
    });
  });
}
