// Answers that were bought elsewhere: known from then on, for nothing, by their own dates.
import { describe, expect, it } from 'vitest';
import type { Ask, Inputs } from '../../../src/model/ask.js';
import { NEVER } from '../../../src/model/enrichment/locked.js';
import { createPersonMatch } from '../../../src/model/person-match.js';
import type { Result } from '../../../src/model/result.js';
import { identifiersOf } from '../../../src/model/suppression.js';
import type { AskedLead } from '../../../src/ports/store/enrichments.js';
import { asked, fingerprintOf, runPlan } from '../../helpers/leads.js';
import { accepted, missed, type StoreBench, T0 } from '../store-bench.js';

const EMAIL: readonly Ask[] = ['find_email'];
const ADA = { firstName: 'Ada', lastName: 'Byron', companyDomain: 'acme.com' };
const FOUND: Result = { find_email: { email: 'ada@acme.com' } };
const TIMES = { at: T0, freshSince: NEVER, deadlineAt: T0 };

function lead(position: number, ask: readonly Ask[] = EMAIL, inputs: Inputs = ADA): AskedLead {
  const fingerprint = fingerprintOf(JSON.stringify([ask, inputs]));
  return { ...asked(position, 'x'), fingerprint, request: { ask, inputs } };
}

export function describeBought(bench: StoreBench): void {
  describe('an answer that was bought elsewhere', () => {
    const { answers, claimOne, finish, ingest, peek, run, statuses, store } = bench;
    const importNow = async (at: number, result: Result = FOUND, ask = EMAIL) => {
      const { id } = await store.startRun(runPlan({ job: 'import' }), T0);
      const count = await ingest([{ ...lead(1, ask), bought: { at, result } }], id, TIMES);
      await finish(id);
      return { id, count };
    };

    it('is known under every key while it is fresh, and costs nothing', async () => {
      const { count, id } = await importNow(T0 - 50);
      expect(count).toMatchObject({ queued: 1 });
      const [own] = await answers(id);
      expect(own).toMatchObject({
        status: 'found',
        source: 'import',
        result: FOUND,
        enrichedAt: T0 - 50,
        credits: 0,
        paidBy: null,
        ticket: null,
      });
      const others = [
        lead(1),
        lead(2, EMAIL, { ...ADA, socialUrl: 'https://linkedin.com/in/ada' }),
        lead(3, [...EMAIL, 'find_phone']),
      ];
      expect(await peek(others, T0 - 60)).toEqual(['fresh', 'fresh', 'new']);
      expect(await peek(others, T0 - 40)).toEqual(['new', 'new', 'new']);
      expect(await ingest(others, run.id, { ...TIMES, freshSince: T0 - 60 })).toMatchObject({
        cached: 2,
        queued: 1,
      });
      const shown = await answers();
      expect(shown.map(({ source }) => source)).toEqual(['import', 'import', 'import']);
      expect((await claimOne()).request.ask).toEqual(['find_phone']);
      const { leads } = await store.lineHistory(run.id, 2, null);
      expect(leads[0]?.enrichment).toMatchObject({ isImported: true, credits: 0, known: [] });
      const [beside] = (await store.lineHistory(run.id, 3, null)).leads;
      expect(beside?.enrichment?.known).toMatchObject([{ isImported: true, runId: id }]);
      expect(await store.tally(id)).toMatchObject({ credits: 0, byStatus: { found: 1 } });
    });

    it('replaces an older answer, and leaves one that is newer', async () => {
      await ingest([lead(1)]);
      const one = await claimOne();
      await store.recordSubmits([accepted(one)]);
      await store.settle([missed(one.id)]);
      await finish();
      expect((await importNow(T0 - 1)).count).toMatchObject({ queued: 0, cached: 1 });
      expect(await statuses()).toEqual(['not_found']);
      const newer = await importNow(T0 + 1);
      expect(newer.count).toMatchObject({ queued: 1 });
      expect((await importNow(T0 + 1)).count).toMatchObject({ queued: 0, cached: 1 });
      expect(await peek([lead(1)], T0 + 1)).toEqual(['fresh']);
      expect(await answers(newer.id)).toMatchObject([{ status: 'found', result: FOUND }]);
    });

    it('is the newest of those in one batch', async () => {
      const { id } = await store.startRun(runPlan({ job: 'import' }), T0);
      const other: Result = { find_email: { email: 'ada@acme.org' } };
      const count = await ingest(
        [
          { ...lead(1), bought: { at: T0 - 9, result: FOUND } },
          { ...lead(2), bought: { at: T0, result: other } },
        ],
        id,
        TIMES,
      );
      expect(count).toMatchObject({ queued: 2 });
      expect(await answers(id)).toMatchObject([{ result: FOUND }, { result: other }]);
      await ingest([lead(1)]);
      expect(await answers()).toMatchObject([{ result: other }]);
    });

    it('ends what waits to be sent, and leaves what is on its way', async () => {
      await ingest([lead(1), lead(2, ['find_phone'])]);
      const one = await claimOne();
      expect((await importNow(T0)).count).toMatchObject({ queued: 0, shared: 1 });
      const phone: Result = { find_phone: { phone: '+33612345678' } };
      expect((await importNow(T0, phone, ['find_phone'])).count).toMatchObject({ queued: 1 });
      expect((await store.claim(run.id, 9, T0)).claimed).toEqual([]);
      expect(await answers()).toMatchObject([
        { status: 'submitting', source: 'api' },
        { status: 'found', source: 'import', result: phone },
      ]);
      await store.recordSubmits([accepted(one)]);
      await store.settle([missed(one.id)]);
      expect(await statuses()).toEqual(['not_found', 'found']);
    });

    it('is sent for no more once another one that is queued is claimed', async () => {
      await ingest([lead(1, EMAIL, { ...ADA, companyName: 'Acme' })]);
      await importNow(T0);
      const claim = await store.claim(run.id, 9, T0, { look: { ...TIMES, freshSince: 0 } });
      expect(claim).toMatchObject({ claimed: [], known: [{ outcome: 'found' }] });
      expect(await answers()).toMatchObject([{ source: 'import', result: FOUND }]);
    });

    it('is forgotten and suppressed as others are', async () => {
      const { id } = await importNow(T0);
      await store.suppress([identifiersOf({ email: 'ada@acme.com' })], 'gone', T0);
      await store.linkSuppressed(0, 9);
      expect(await answers(id)).toMatchObject([{ status: 'skipped', source: null, result: null }]);
      expect((await importNow(T0 + 9)).count).toMatchObject({ skipped: 1 });
      const match = createPersonMatch([{ kind: 'email', spellings: ['ada@acme.com'] }]);
      expect(await store.forget(match, T0, true)).toMatchObject({ enrichments: 1, results: 1 });
      expect(await statuses(id)).toEqual(['failed']);
    });
  });
}
