// Waterfalls: the row of a lead that several steps were asked about, and work that a crash has left.
import { describe, expect, it } from 'vitest';
import { namedBy } from '../../src/model/suppression.js';
import { asked, notAskedLead, runPlan, skippedLead } from '../helpers/leads.js';
import { found, type StoreBench, T0 } from './store-bench.js';
import { heldLead, startWaterfall, waterfallBench } from './waterfalls.js';

export function describeWaterfallRows(bench: StoreBench): void {
  describe('waterfall rows', () => {
    const { ingest, store } = bench;
    const {
      bring,
      hold,
      statuses,
      held,
      steps: [first, second, check],
    } = waterfallBench(bench);

    describe('a held lead', () => {
      it('comes with the answer of each step, in the order of the steps', async () => {
        await hold(3);
        await bring('not_found', 2, 'who 2');
        await ingest([notAskedLead(2, 'not needed')], check.id);
        await bring('awaiting', 3, 'who 3', second.id);
        const [one, two, three] = await store.answers(held.id, [3, 1, 2]);
        expect(one).toMatchObject({ position: 1, cells: ['who 1'] });
        expect(one?.steps).toEqual([undefined, undefined, undefined]);
        expect(two?.steps?.map((answer) => answer?.status)).toEqual([
          'not_found',
          undefined,
          'not_asked',
        ]);
        expect(three?.steps?.map((answer) => answer?.status)).toEqual([
          undefined,
          'awaiting',
          undefined,
        ]);
        expect(await store.answers(held.id, [])).toEqual([]);
        expect(await store.answers(held.id, [4])).toEqual([]);
      });

      it('is one row: the same by its place, in order, and in the numbers', async () => {
        await ingest([heldLead(1, 'a'), skippedLead(2, 'x'), heldLead(3, 'c')], held.id);
        await bring('not_found', 1, 'a');
        await bring('found', 1, 'a of second', second.id);
        await ingest([notAskedLead(1, 'not needed')], check.id);
        const rows = await store.answers(held.id, { after: 0, limit: 9 });
        expect(rows.map(({ status }) => status)).toEqual(['found', 'skipped', 'queued']);
        expect(await store.answers(held.id, [1, 2, 3])).toEqual(rows);
        expect(rows[0]).toMatchObject({
          cells: ['a'],
          credits: 5,
          result: { find_email: { email: 'ada@example.com' } },
          provenance: { email: { step: 'second', at: T0 } },
        });
        const { byStatus, credits, leads, steps } = await store.tally(held.id);
        expect({ leads, credits }).toEqual({ leads: 3, credits: 5 });
        expect(byStatus).toMatchObject({ found: 1, skipped: 1, queued: 1 });
        expect(steps?.map(({ accepted: n, reached }) => [reached, n])).toEqual([
          [1, 0],
          [1, 1],
          [0, 0],
        ]);
      });

      it.each(['not chosen', 'skipped'])('that is %s is no matter of the steps', async (how) => {
        const make = how === 'skipped' ? skippedLead : notAskedLead;
        await ingest([make(1, 'because')], held.id);
        const [row] = await store.answers(held.id, { after: 0, limit: 9 });
        expect(row).toMatchObject({ reason: 'because', provenance: { tried: [] } });
      });

      it('of someone suppressed says so as any other does', async () => {
        await hold(1);
        await store.suppress([namedBy({ companyDomain: 'example.com' })], 'asked us to', T0);
        for (const { id } of [first, second]) await ingest([asked(1, 'ada')], id);
        await ingest([notAskedLead(1, 'no address to verify')], check.id);
        const [row] = await store.answers(held.id, { after: 0, limit: 9 });
        expect(row).toMatchObject({ status: 'skipped', reason: 'suppressed: asked us to' });
      });
    });

    describe('a step that is recovered', () => {
      it('leaves what other steps are sending, and the waterfall makes all of it uncertain', async () => {
        await hold(2);
        await bring('submitting', 1, 'ada');
        await bring('submitting', 2, 'bob', second.id);
        for (const { id } of [first, second, check]) expect(await store.recover(id)).toBe(0);
        expect(await statuses(first.id)).toEqual(['submitting']);
        expect(await statuses(second.id)).toEqual(['submitting']);
        expect(await store.recover(held.id)).toBe(2);
        expect(await statuses(first.id)).toEqual(['uncertain']);
        expect(await statuses(second.id)).toEqual(['uncertain']);
      });

      it('keeps what it awaits, and takes what the same step awaits in an earlier run', async () => {
        await hold(1);
        await bring('awaiting', 1, 'ada');
        await bring('awaiting', 1, 'ada of second', second.id);
        const next = await startWaterfall(store);
        await ingest([heldLead(1, 'ada')], next.held.id);
        for (const { id } of [next.held, ...next.steps]) await store.recover(id);
        for (const [n, { id }] of next.steps.entries()) {
          expect(await store.work(id)).toMatchObject({ awaiting: n < 2 ? 1 : 0 });
        }
        expect(await store.work(next.held.id)).toMatchObject({ awaiting: 0 });
      });

      it('leaves what another step of its account awaits', async () => {
        await hold(2);
        const plan = runPlan({
          job: 'chain',
          account: 'of first',
          step: { of: held.id, name: 'b' },
        });
        const other = await store.startRun(plan, T0);
        await bring('awaiting', 1, 'ada');
        await bring('awaiting', 2, 'bob', other.id);
        await store.recover(first.id);
        expect(await store.work(first.id)).toMatchObject({ awaiting: 1 });
        expect(await store.work(other.id)).toMatchObject({ awaiting: 1 });
      });

      it('takes back what the run that holds the leads has taken, as it has the account of the first', async () => {
        const { held: own, steps } = await startWaterfall(store, { job: 'alike' });
        const plan = runPlan({ job: 'alike', account: 'acc', step: { of: own.id, name: 'same' } });
        const same = await store.startRun(plan, T0);
        await ingest([heldLead(1, 'ada')], own.id);
        const id = await bring('awaiting', 1, 'ada', same.id);
        await store.recover(own.id);
        for (const step of [...steps, same]) await store.recover(step.id);
        expect(await store.work(own.id)).toMatchObject({ awaiting: 0 });
        expect(await store.work(same.id)).toMatchObject({ awaiting: 1 });
        await store.settle([found(id)]);
        expect(await store.commitment(same.id)).toMatchObject({ spent: 5 });
      });
    });
  });
}
