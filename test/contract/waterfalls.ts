// Waterfalls: one run that holds the leads, and the runs of its steps beside it.
import { beforeEach, describe, expect, it } from 'vitest';
import type { LeadStatus } from '../../src/model/answer.js';
import type { Ask } from '../../src/model/ask.js';
import { type EnrichmentState, hasEnded, STATES } from '../../src/model/enrichment/arrows.js';
import type { Run, RunPlan } from '../../src/model/run.js';
import { namedBy } from '../../src/model/suppression.js';
import { ENDS_OR_UNKNOWN, type Waterfall } from '../../src/model/waterfall/waterfall.js';
import type { LeadEntry } from '../../src/ports/store/enrichments.js';
import type { Store } from '../../src/ports/store/store.js';
import { asked, notAskedLead, runPlan, skippedLead } from '../helpers/leads.js';
import {
  accepted,
  found,
  missed,
  NO_LEADS,
  ofTest,
  type StoreBench,
  T0,
  TIMES,
  timedOut,
  uncertain,
} from './store-bench.js';

const ENDS: readonly EnrichmentState[] = STATES.filter(hasEnded);
const NAMES = ['first', 'second', 'check'];
const STEPS: Waterfall = {
  steps: [
    { name: 'first', ask: ['find_email', 'find_phone'], verifies: false },
    { name: 'second', ask: ['find_email'], verifies: false },
    { name: 'check', ask: ['verify_email'], verifies: true },
  ],
  accept: ['deliverable'],
  verify: 'open',
};

/** A lead that the steps ask for. */
export function heldLead(position: number, ...cells: string[]): LeadEntry {
  return { kind: 'held', position, source: 0, line: position + 1, cells, note: null };
}

/** A waterfall of three steps with accounts of their own, of a job of its own. */
export async function startWaterfall(
  store: Store,
  changes: Partial<RunPlan> = {},
): Promise<{ held: Run; steps: readonly [Run, Run, Run] }> {
  const plan = runPlan({ job: 'chain', ask: ['find_email', 'find_phone'], ...changes });
  const held = await store.startRun({ ...plan, waterfall: STEPS }, T0);
  const steps: Run[] = [];
  for (const name of NAMES) {
    const step = { of: held.id, name };
    steps.push(await store.startRun({ ...plan, account: `of ${name}`, step }, T0));
  }
  return { held, steps: steps as [Run, Run, Run] };
}

/** Registers the hook: to be called once in a `describe`. */
export function waterfallBench(bench: StoreBench) {
  const { claimOne, ingest, store } = bench;
  let held: Run;
  let steps: readonly [Run, Run, Run];
  beforeEach(async () => {
    ({ held, steps } = await startWaterfall(store));
  });

  const hold = (count: number, runId = held.id) =>
    ingest(
      Array.from({ length: count }, (_, i) => heldLead(i + 1, `who ${i + 1}`)),
      runId,
    );

  /** Feeds a lead to a step, whose enrichment is then in this state. */
  const bring = async (
    state: EnrichmentState,
    position: number,
    who: string,
    runId = steps[0].id,
  ) => {
    await ingest([asked(position, who)], runId);
    if (state === 'queued') return 0;
    const claimed = await claimOne(runId);
    const { id } = claimed;
    if (state === 'submitting') return id;
    await store.recordSubmits([state === 'uncertain' ? uncertain(claimed) : accepted(claimed)]);
    if (state === 'found') await store.settle([found(id)]);
    if (state === 'not_found') {
      await store.settle([missed(id)]);
    }
    if (state === 'failed') await store.settle([{ id, at: T0, outcome: 'failed', reason: 'no' }]);
    if (state === 'timed_out') await store.settle([timedOut(id)]);
    return id;
  };

  const passing = (to: Run, from: Run, after = 0, until = 100) =>
    store.passing({ held: held.id, from: from.id, to: to.id }, { after, until }, ENDS);
  const statuses = async (runId: number): Promise<LeadStatus[]> =>
    (await store.answers(runId, { after: 0, limit: 100 })).map(({ status }) => status);

  return {
    held: ofTest(() => held),
    steps: ([0, 1, 2] as const).map((nth) => ofTest(() => steps[nth])) as [Run, Run, Run],
    hold,
    bring,
    passing,
    statuses,
  };
}

export function describeWaterfalls(bench: StoreBench): void {
  describe('waterfalls', () => {
    const { ingest, store } = bench;
    const {
      bring,
      hold,
      passing,
      statuses,
      held,
      steps: [first, second, check],
    } = waterfallBench(bench);

    describe('the runs of a waterfall', () => {
      it('are found by the run that holds the leads, in the order in which they began', async () => {
        const runs = await store.stepRuns(held.id);
        expect(runs.map(({ id, step }) => [id, step])).toEqual(
          [first, second, check].map(({ id }, n) => [id, { of: held.id, name: NAMES[n] }]),
        );
        expect(await store.stepRuns(first.id)).toEqual([]);
        expect(await store.stepRuns(bench.run.id)).toEqual([]);
      });

      it('are open beside one another, and are one run wherever runs are listed', async () => {
        for (const { id } of [held, first, second, check]) {
          expect(await store.findRun(id)).toMatchObject({ state: 'reading' });
        }
        expect((await store.jobNow('chain')).openRun).toMatchObject({ id: held.id });
        expect((await store.listRuns(10, { job: 'chain' })).map(({ id }) => id)).toEqual([held.id]);
        const jobs = await store.listJobs(10);
        expect(jobs.find(({ job }) => job === 'chain')).toMatchObject({ runs: 1, run: held.id });
      });

      it('are all replaced by the next run of the job, and never by a step of it', async () => {
        const next = await startWaterfall(store);
        for (const { id } of [held, first, second, check]) {
          expect(await store.findRun(id)).toMatchObject({ state: 'replaced' });
        }
        for (const { id } of [next.held, ...next.steps]) {
          expect(await store.findRun(id)).toMatchObject({ state: 'reading' });
        }
        const plain = await store.startRun(runPlan({ job: 'chain' }), T0);
        expect((await store.jobNow('chain')).openRun).toMatchObject({ id: plain.id });
        expect(await store.findRun(next.steps[1].id)).toMatchObject({ state: 'replaced' });
      });

      it('are cancelled together', async () => {
        await store.finishReading(second.id);
        expect(await store.endRun(held.id, 'cancelled', T0)).toBe(true);
        for (const { id } of [held, first, second, check]) {
          expect(await store.findRun(id)).toMatchObject({ state: 'cancelled' });
        }
        expect(await store.endRun(held.id, 'cancelled', T0)).toBe(false);
        expect((await store.jobNow('nightly')).openRun).toMatchObject({ id: bench.run.id });
      });
    });

    describe('leads that pass to a step', () => {
      it('wait while one thing that was asked for them is in doubt, whatever else was answered', async () => {
        const who = { firstName: 'Ada', lastName: 'Byron', companyDomain: 'acme.com' };
        const of = (position: number, ask: readonly Ask[], name: string): LeadEntry => ({
          ...asked(position, `${ask.join(',')} ${name}`),
          request: { ask, inputs: { ...who, firstName: name } },
        });
        const EMAIL = ['find_email'] as const;
        const other = await store.startRun(runPlan({ account: 'of first' }), T0);
        await hold(3);
        const NAMES = ['Ada', 'Bob', 'Cyd'];
        await ingest(
          NAMES.map((name, i) => of(i + 1, ['find_phone'], name)),
          other.id,
        );
        const { claimed: phones } = await store.claim(other.id, 9, T0);
        await store.recordSubmits(phones.map((one) => uncertain(one)));
        await ingest(
          NAMES.map((name, i) => of(i + 1, ['find_email', 'find_phone'], name)),
          first.id,
        );
        // Nor is one set aside that is not sent yet: a later step would pay for the number once more.
        expect(await store.setAside(first.id)).toBe(0);
        const { claimed } = await store.claim(first.id, 2, T0, { look: TIMES });
        expect(claimed.map(({ request }) => request.ask)).toEqual([EMAIL, EMAIL]);
        const [hit, miss] = claimed.map(({ id }) => id) as [number, number];
        await store.recordSubmits(claimed.map((one) => accepted(one)));
        await store.settle([found(hit), missed(miss)]);
        expect(await passing(second, first)).toEqual({ positions: [], waiting: 3 });
        const rows = await store.answers(held.id, { after: 0, limit: 2 });
        expect(rows).toMatchObject([
          { status: 'found', askedAgain: 'uncertain', reason: expect.stringMatching(/^first: /) },
          { status: 'uncertain', reason: 'first: reset' },
        ]);
        expect(rows.map(({ provenance }) => provenance?.tried)).toEqual(
          rows.map(() => [{ step: 'first', outcome: 'uncertain' }]),
        );
        const to = { held: held.id, from: first.id, to: second.id };
        const range = { after: 0, until: 9 };
        expect(await store.passing(to, range, ENDS_OR_UNKNOWN)).toMatchObject({
          positions: [1, 2],
        });
        await store.settle(
          phones.map(({ id }) => found(id, { find_phone: { phone: '+33612345678' } })),
        );
        expect(await passing(second, first)).toEqual({ positions: [1, 2], waiting: 1 });
      });

      it('are for the first one all that are held, in order, each once', async () => {
        await ingest(
          [
            heldLead(1, 'a'),
            skippedLead(2, 'x'),
            heldLead(3, 'c'),
            notAskedLead(4, 'y'),
            heldLead(5, 'e'),
          ],
          held.id,
        );
        expect(await passing(first, held)).toEqual({ positions: [1, 3, 5], waiting: 0 });
        expect(await passing(first, held, 1, 3)).toEqual({ positions: [3], waiting: 0 });
        await ingest([asked(5, 'e'), asked(1, 'a')], first.id);
        expect(await passing(first, held)).toEqual({ positions: [3], waiting: 0 });
        expect(await passing(first, held, 3)).toEqual({ positions: [], waiting: 0 });
      });

      it('wait for what the step before has not ended, and for what it has not begun', async () => {
        // A queued one would be claimed in place of the next.
        const states = [...STATES.filter((state) => state !== 'queued'), 'queued'] as const;
        await hold(states.length + 2);
        for (const [i, state] of states.entries()) await bring(state, i + 1, state);
        expect(await statuses(first.id)).toEqual(states);
        const ended = states.flatMap((state, i) => (hasEnded(state) ? [i + 1] : []));
        expect(ended).toHaveLength(3);
        expect(await passing(second, first)).toEqual({
          positions: ended,
          waiting: states.length + 2 - ended.length,
        });
        // The third step waits for all of them: the second has none yet.
        expect(await passing(check, second)).toEqual({ positions: [], waiting: states.length + 2 });
      });

      it('are those also of which the step before asked nothing', async () => {
        await hold(3);
        await ingest([notAskedLead(1, 'not needed'), skippedLead(3, 'no domain')], first.id);
        expect(await passing(second, first)).toEqual({ positions: [1, 3], waiting: 1 });
      });

      it('are those of suppressed people, of whom no step asks', async () => {
        await hold(1);
        await bring('queued', 1, 'ada');
        expect(await passing(second, first)).toEqual({ positions: [], waiting: 1 });
        await store.suppress([namedBy({ companyDomain: 'example.com' })], '', T0);
        await store.linkSuppressed(0, 100);
        expect(await passing(second, first)).toEqual({ positions: [1], waiting: 0 });
        expect((await store.claim(first.id, 10, T0)).claimed).toEqual([]);
      });

      it('wait while an answer of theirs is asked for again', async () => {
        await hold(1);
        await bring('found', 1, 'ada');
        const next = await startWaterfall(store);
        await ingest([heldLead(1, 'ada')], next.held.id);
        const later = { ...TIMES, freshSince: T0 + 10 };
        await ingest([asked(1, 'ada')], next.steps[0].id, later);
        const to = { held: next.held.id, from: next.steps[0].id, to: next.steps[1].id };
        const range = { after: 0, until: 9 };
        expect(await store.passing(to, range, ENDS)).toEqual({ positions: [], waiting: 1 });
        const [row] = await store.answers(next.held.id, { after: 0, limit: 9 });
        expect(row).toMatchObject({ status: 'found', askedAgain: 'queued' });
        expect(await store.tally(next.held.id)).toMatchObject({ askedAgain: { queued: 1 } });
      });
    });

    describe('leads that are fed to a step', () => {
      it('come in any order, each once, and leave their cells where they are held', async () => {
        await hold(5);
        const count = await ingest([asked(4, 'who 4'), asked(5, 'who 5')], first.id);
        expect(count).toMatchObject({ queued: 2 });
        expect(await ingest([asked(2, 'who 2')], first.id)).toMatchObject({ queued: 1 });
        const again = await ingest(
          [asked(5, 'who 5'), asked(2, 'who 2'), asked(3, 'who 3')],
          first.id,
        );
        expect(again).toEqual({ ...NO_LEADS, queued: 1 });
        const rows = await store.answers(first.id, { after: 0, limit: 9 });
        expect(rows.map(({ cells, position }) => [position, cells])).toEqual(
          [2, 3, 4, 5].map((position) => [position, []]),
        );
        expect(await store.findRun(first.id)).toMatchObject({ leadCount: 5 });
        expect(await store.work(first.id)).toMatchObject({ queued: 4 });
        const [row] = await store.answers(held.id, { after: 3, limit: 1 });
        expect(row).toMatchObject({ cells: ['who 4'], status: 'queued' });
      });

      it('cost nothing where another run of the account has paid', async () => {
        await hold(2);
        await bring('found', 1, 'ada', bench.run.id);
        expect(await ingest([asked(2, 'ada')], first.id)).toMatchObject({ cached: 1, queued: 0 });
        const [, row] = await store.answers(held.id, { after: 0, limit: 9 });
        expect(row).toMatchObject({ source: 'cache', credits: 0, status: 'found' });
      });
    });
  });
}
