// Waterfalls: leads that leave a step without being asked for there.
import { describe, expect, it } from 'vitest';
import { type EnrichmentState, STATES } from '../../src/model/enrichment/arrows.js';
import { ENDS_OR_UNKNOWN, SET_ASIDE } from '../../src/model/waterfall/waterfall.js';
import { asked, notAskedLead } from '../helpers/leads.js';
import { found, type StoreBench, T0, TIMES, uncertain, unsent } from './store-bench.js';
import { heldLead, startWaterfall, waterfallBench } from './waterfalls.js';

const RETRY = { at: T0 + 60, deadlineAt: T0 + 90_000 };

export function describeSetAside(bench: StoreBench): void {
  describe('leads that are set aside', () => {
    const { claimOne, ingest, store } = bench;
    const {
      bring,
      hold,
      passing,
      statuses,
      held,
      steps: [first, second, check],
    } = waterfallBench(bench);

    it('go on to the next step, and their step sends none of them', async () => {
      await hold(3);
      await ingest([asked(1, 'ada'), asked(2, 'bob'), asked(3, 'ada')], first.id);
      expect(await passing(second, first)).toEqual({ positions: [], waiting: 3 });
      expect(await store.setAside(first.id)).toBe(3);
      expect(await passing(second, first)).toEqual({ positions: [1, 2, 3], waiting: 0 });
      expect((await store.claim(first.id, 10, T0)).claimed).toEqual([]);
      expect(await store.work(first.id)).toMatchObject({ queued: 0 });
      // Nor when the work that other runs have left is taken back.
      expect(await store.adopt(first.id, T0)).toMatchObject({ queued: 0, elsewhere: 0 });
      await store.recover(held.id);
      for (const { id } of [held, first])
        expect((await store.claim(id, 10, T0)).claimed).toEqual([]);
      expect(await store.setAside(first.id)).toBe(0);
    });

    it('say so in the row, and are no misses', async () => {
      await hold(2);
      await ingest([asked(1, 'ada'), asked(2, 'bob')], first.id);
      await store.setAside(first.id);
      expect(
        (await store.answers(held.id, { after: 0, limit: 9 })).map(({ status }) => status),
      ).toEqual(['queued', 'queued']);
      await bring('not_found', 1, 'ada of second', second.id);
      await bring('found', 2, 'bob of second', second.id);
      await ingest([notAskedLead(1, 'x'), notAskedLead(2, 'x')], check.id);
      const [miss, hit] = await store.answers(held.id, { after: 0, limit: 9 });
      expect(miss).toMatchObject({ status: 'failed', reason: `first: ${SET_ASIDE}` });
      expect(hit).toMatchObject({ status: 'found', credits: 5 });
      const tried = [miss, hit].map((row) =>
        row?.provenance?.tried.map(({ outcome, step }) => `${step}:${outcome}`).join(' '),
      );
      expect(tried).toEqual([
        'first:unavailable second:not_found',
        'first:unavailable second:found',
      ]);
      const { byStatus, steps } = await store.tally(held.id);
      expect(byStatus).toMatchObject({ failed: 1, found: 1 });
      expect(steps?.[0]).toMatchObject({ reached: 0, waiting: 0 });
    });

    it('are none that may have been sent', async () => {
      const states = STATES.filter((state) => state !== 'queued');
      await hold(states.length);
      for (const [i, state] of states.entries()) await bring(state, i + 1, state);
      expect(await store.setAside(first.id)).toBe(0);
      expect(await statuses(first.id)).toEqual(states);
    });

    it('are none of which an earlier send is lost', async () => {
      await hold(1);
      await bring('uncertain', 1, 'ada');
      expect(await store.retry(first.id, ['uncertain'], RETRY)).toMatchObject({ queued: 1 });
      expect(await store.setAside(first.id)).toBe(0);
      expect(await statuses(first.id)).toEqual(['queued']);
      expect((await store.claim(first.id, 10, T0)).claimed).toHaveLength(1);
    });

    it('are those also that were certainly not accepted', async () => {
      await hold(1);
      await ingest([asked(1, 'ada')], first.id);
      await store.recordSubmits([unsent(await claimOne(first.id))]);
      expect(await store.setAside(first.id)).toBe(1);
      expect(await store.commitment(first.id)).toEqual({ spent: 0, open: [] });
    });

    it('leave an enrichment to the run that has taken it over', async () => {
      await hold(1);
      await ingest([asked(1, 'ada')], first.id);
      await ingest([asked(1, 'ada')]);
      expect(await store.setAside(first.id)).toBe(1);
      const claimed = await claimOne();
      // Its answer comes to nobody twice: the lead has gone on.
      await store.recordSubmits([uncertain(claimed)]);
      expect(await passing(second, first)).toEqual({ positions: [1], waiting: 0 });
      expect(await statuses(first.id)).toEqual(['not_asked']);
    });

    it('are either claimed or set aside, whatever comes first', async () => {
      await hold(40);
      await ingest(
        Array.from({ length: 40 }, (_, i) => asked(i + 1, `who ${i + 1}`)),
        first.id,
      );
      const other = await bench.openAgain();
      const [aside, ...claims] = await Promise.all([
        store.setAside(first.id),
        other.claim(first.id, 10, T0),
        other.claim(first.id, 10, T0),
      ]);
      await other.close();
      const claimed = claims.flatMap((one) => one.claimed);
      expect(aside + claimed.length).toBe(40);
      const now = await statuses(first.id);
      expect(now.filter((status) => status === 'submitting')).toHaveLength(claimed.length);
      expect(now.filter((status) => status === 'not_asked')).toHaveLength(aside);
    });

    it('keep their older answer in view', async () => {
      await hold(1);
      await bring('found', 1, 'ada');
      const next = await startWaterfall(store);
      const [own, after] = next.steps;
      await ingest([heldLead(1, 'ada')], next.held.id);
      await ingest([asked(1, 'ada')], own.id, { ...TIMES, freshSince: T0 + 10 });
      const before = (await store.answers(next.held.id, { after: 0, limit: 9 }))[0];
      expect(before).toMatchObject({ status: 'found', askedAgain: 'queued' });
      expect(await store.setAside(own.id)).toBe(1);
      const [row] = await store.answers(next.held.id, { after: 0, limit: 9 });
      expect(row?.result).toEqual(before?.result);
      expect(row).toMatchObject({
        credits: 0,
        provenance: { tried: [{ outcome: 'unavailable' }] },
      });
      expect(row?.askedAgain).toBeUndefined();
      const to = { held: next.held.id, from: own.id, to: after.id };
      const ends: readonly EnrichmentState[] = ['found'];
      expect(await store.passing(to, { after: 0, until: 9 }, ends)).toMatchObject({
        positions: [1],
      });
      expect((await store.claim(own.id, 10, T0)).claimed).toEqual([]);
    });

    it('stay aside in a later run, as long as an answer would be fresh, until they are retried', async () => {
      await hold(2);
      await ingest([asked(1, 'ada'), asked(2, 'bob')], first.id);
      await store.setAside(first.id);
      const next = await startWaterfall(store, { job: 'other' });
      const [own, after] = next.steps;
      await ingest([heldLead(1, 'ada'), heldLead(2, 'eve')], next.held.id);
      const leads = [asked(1, 'ada'), asked(2, 'eve')];
      const aside = { ...TIMES, asideSince: T0 };
      expect(await ingest(leads, own.id, aside)).toMatchObject({ notAsked: 1, queued: 1 });
      expect((await store.claim(own.id, 10, T0)).claimed).toHaveLength(1);
      const [row] = await store.answers(own.id, { after: 0, limit: 9 });
      expect(row).toMatchObject({ position: 1, status: 'not_asked', reason: SET_ASIDE });
      const to = { held: next.held.id, from: own.id, to: after.id };
      const range = { after: 0, until: 1 };
      expect(await store.passing(to, range, ENDS_OR_UNKNOWN)).toMatchObject({ positions: [1] });
      // An older run asks for what a later one has set aside: it was opened again for that.
      await ingest([heldLead(3, 'bob')], next.held.id);
      await ingest([asked(3, 'bob')], own.id);
      expect(await store.setAside(own.id)).toBe(1);
      await ingest([heldLead(3, 'bob')], held.id);
      expect(await ingest([asked(3, 'bob')], first.id, aside)).toMatchObject({ notAsked: 0 });
      // Without the wish, and once an answer would be old, it is asked for.
      const third = await startWaterfall(store, { job: 'third' });
      const again = third.steps[0].id;
      const late = { ...TIMES, asideSince: T0 + 1 };
      expect(await ingest([asked(1, 'ada')], again, late)).toMatchObject({ queued: 1 });
      expect((await store.claim(again, 10, T0)).claimed).toHaveLength(1);
    });

    it('are not those of unknown fate: these go on where the walk says so, and a late answer counts', async () => {
      await hold(2);
      const late = await bring('timed_out', 1, 'ada');
      await bring('uncertain', 2, 'bob');
      const runs = { held: held.id, from: first.id, to: second.id };
      const range = { after: 0, until: 9 };
      expect(await passing(second, first)).toEqual({ positions: [], waiting: 2 });
      expect(await store.passing(runs, range, ENDS_OR_UNKNOWN)).toEqual({
        positions: [1, 2],
        waiting: 0,
      });
      await bring('found', 1, 'ada of second', second.id);
      await bring('not_found', 2, 'bob of second', second.id);
      await ingest([notAskedLead(1, 'x'), notAskedLead(2, 'x')], check.id);
      const rows = () => store.answers(held.id, { after: 0, limit: 9 });
      expect((await rows()).map(({ status }) => status)).toEqual(['found', 'uncertain']);
      expect((await rows())[0]).toMatchObject({ provenance: { email: { step: 'second' } } });
      await store.settle([found(late)]);
      const [row] = await rows();
      expect(row).toMatchObject({
        status: 'found',
        credits: 10,
        provenance: { email: { step: 'first' } },
      });
      expect(row?.provenance?.tried.map(({ outcome }) => outcome)).toEqual(['found', 'found']);
    });

    it('come back by retry, and are then sent once', async () => {
      await hold(3);
      await ingest([asked(1, 'ada'), asked(2, 'bob'), asked(3, 'eve')], first.id);
      await store.setAside(first.id);
      await ingest([notAskedLead(1, 'x'), notAskedLead(2, 'x')], second.id);
      for (const { id } of [held, first, second, check]) await bench.finish(id);
      const times = { ...RETRY, positions: [1, 3] };
      expect(await store.retry(first.id, ['failed'], times)).toMatchObject({ queued: 2 });
      expect(await store.findRun(held.id)).toMatchObject({ state: 'working' });
      expect(await passing(first, held)).toEqual({ positions: [1, 3], waiting: 0 });
      // What the next step had not asked may be open now.
      await store.retry(second.id, ['failed'], times);
      expect(await passing(second, first)).toEqual({ positions: [], waiting: 2 });
      // Nor has it ended for a step that comes later, though the one before that has its answer.
      await bring('not_found', 1, 'ada of second', second.id);
      const runs = { held: held.id, earlier: [first.id], from: second.id, to: check.id };
      const range = { after: 0, until: 9 };
      expect(await store.passing(runs, range, ['not_found'])).toEqual({
        positions: [2],
        waiting: 2,
      });
      expect(await ingest([asked(1, 'ada'), asked(3, 'eve')], first.id)).toMatchObject({
        queued: 2,
      });
      expect((await store.claim(first.id, 10, T0)).claimed).toHaveLength(2);
      expect((await store.claim(held.id, 10, T0)).claimed).toEqual([]);
      const [ada, bob] = await store.answers(first.id, { after: 0, limit: 9 });
      expect(ada).toMatchObject({ status: 'submitting' });
      expect(bob).toMatchObject({ status: 'not_asked', reason: SET_ASIDE });
    });
  });
}
