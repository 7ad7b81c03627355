// The story of one line: what it became, with whom it shares, and what was delivered about it.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '../../src/model/run.js';
import type { Store } from '../../src/ports/store/store.js';
import { asked, COLUMNS, fingerprintOf, runPlan, skippedLead } from '../helpers/leads.js';
import { accepted, found, type StoreBench, T0, TIMES, uncertain } from './store-bench.js';

export function describeStory(bench: StoreBench): void {
  const { ingest, sent, inState, claimOne } = bench;
  let store: Store;
  let run: Run;
  beforeEach(() => {
    ({ store, run } = bench);
  });

  const story = async (line: number, source: number | null = null) =>
    store.lineHistory(run.id, line, source);

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
      await store.keepUnread([{ id: claimed.id, body: '{}', reason: 'it cannot be read' }]);
      expect((await store.lineHistory(other.id, 2, null)).leads).toMatchObject([
        { enrichment: { state: 'awaiting', standsSince: T0, pollAt: null } },
      ]);
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
      await store.requeueUncertain(run.id);
      await claimOne();
      expect((await story(2)).leads[0]?.enrichment).toMatchObject({ sendCount: 2, lostSends: 1 });
    });

    it('tells why a line was skipped, or became no lead', async () => {
      const reject = { source: 0, line: 9, reason: 'unclosed_quote', raw: '"x' };
      const mapping = [
        { input: 'firstName', column: { key: 'name', name: 'name' }, index: 0, isGuessed: true },
      ] as const;
      await store.ingest(
        run.id,
        { columns: COLUMNS, leads: [skippedLead(1, 'no name')], rejects: [reject], mapping },
        TIMES,
      );
      expect(await story(2)).toMatchObject({
        leads: [{ note: 'no name', enrichment: null }],
        mapping,
      });
      expect(await story(9)).toMatchObject({ leads: [], rejects: [reject] });
    });

    it('tells lines of several files apart, and where the lead before a line begins', async () => {
      await ingest([asked(1, 'ada'), { ...asked(2, 'bob'), source: 1, line: 2 }]);
      expect((await story(2)).leads).toHaveLength(2);
      expect((await story(2, 1)).leads).toMatchObject([{ position: 2 }]);
      expect(await story(5)).toMatchObject({ leads: [], rejects: [], lineBefore: 2 });
      expect(await story(1)).toMatchObject({ leads: [], lineBefore: null });
    });
  });

  describe('the deliveries about an enrichment', () => {
    it('are those with its key in the path or a mark in the body, as a whole value', async () => {
      const body = (id: string) => JSON.stringify({ data: [{ id }] });
      const delivery = { scope: 'acc', enrichmentId: null, callId: null, receivedAt: T0 };
      await store.keepArrivals([
        { ...delivery, body: body('enr_1') },
        { ...delivery, body: body('enr_10') },
        { ...delivery, enrichmentId: 7, body: '{}' },
        { ...delivery, body: JSON.stringify({ metadata: { k: 'e7.key' } }) },
      ]);
      const about = await store.deliveriesAbout(7, ['enr_1', 'e7.key'], 10);
      expect(about.map(({ id }) => id)).toEqual([1, 3, 4]);
      expect(about[0]).toMatchObject({ receivedAt: T0, handledAt: null });
      expect(await store.deliveriesAbout(7, ['enr_1'], 1)).toHaveLength(1);
    });
  });
}
