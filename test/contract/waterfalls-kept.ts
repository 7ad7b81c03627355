// Waterfalls whose state is kept in order: people who are suppressed or forgotten, runs that are pruned, copies.
import { describe, expect, it } from 'vitest';
import { createPersonMatch } from '../../src/model/person-match.js';
import { namedBy } from '../../src/model/suppression.js';
import type { LeadEntry } from '../../src/ports/store/enrichments.js';
import type { Store } from '../../src/ports/store/store.js';
import { asked, fingerprintOf } from '../helpers/leads.js';
import { accepted, found, type StoreBench, T0, TIMES } from './store-bench.js';
import { heldLead, startWaterfall, waterfallBench } from './waterfalls.js';

const ADDRESS = 'ada@found.example';
const PHONE = '+33600000000';

export function describeKeptWaterfalls(bench: StoreBench): void {
  describe('a waterfall in its state', () => {
    const { claimOne, finish, ingest, store } = bench;
    const {
      held,
      steps: [first, second, check],
    } = waterfallBench(bench);

    const settle = async (runId: number, result: Parameters<Store['settle']>[0][number]) => {
      const claimed = await claimOne(runId);
      await store.recordSubmits([accepted(claimed)]);
      await store.settle([{ ...result, id: claimed.id }]);
    };

    const verifying = (position: number): LeadEntry => ({
      kind: 'asked',
      position,
      source: 0,
      line: position + 1,
      cells: [ADDRESS],
      note: null,
      fingerprint: fingerprintOf(`verify ${ADDRESS}`),
      request: { ask: ['verify_email'], inputs: { email: ADDRESS } },
    });

    const calling = (position: number, who: string): LeadEntry => {
      const lead = asked(position, who);
      if (lead.kind !== 'asked') throw new Error('it asks nothing');
      return { ...lead, request: { ...lead.request, ask: ['find_phone'] } };
    };

    /** Found by the first step, called by the second, verified by the third; beside another person. */
    const findAda = async () => {
      await ingest([heldLead(1, 'ada', 'ada@cell.example'), heldLead(2, 'bob', '')], held.id);
      await ingest([asked(1, 'ada')], first.id);
      const mail = { find_email: { email: ADDRESS, status: 'risky' } };
      await settle(first.id, { ...found(0), result: mail });
      await ingest([asked(2, 'bob')], first.id);
      const his = { find_email: { email: 'bob@found.example', status: 'deliverable' } };
      await settle(first.id, { ...found(0), result: his });
      await ingest([calling(1, 'ada of second')], second.id);
      const phone = { find_phone: { phone: PHONE } };
      await settle(second.id, { ...found(0), result: phone, credits: 20 });
      await ingest([verifying(1)], check.id);
      await settle(check.id, { ...found(0), result: mail, credits: 1 });
    };

    const finishAll = async () => {
      for (const { id } of [held, first, second, check]) await finish(id);
    };
    const rows = () => store.answers(held.id, { after: 0, limit: 9 });

    describe('of which a person is forgotten', () => {
      it.each<[string, Parameters<typeof createPersonMatch>[0][number]]>([
        ['an address that a step has found', { kind: 'email', spellings: [ADDRESS] }],
        ['a cell that no step sends', { kind: 'email', spellings: ['ada@cell.example'] }],
      ])('by %s, keeps nothing of them but the cost', async (_, identifier) => {
        await findAda();
        const ada = createPersonMatch([identifier]);
        // As any other run it has to end before.
        expect(await store.forget(ada, T0 + 50, true)).toMatchObject({ openRuns: [held.id] });
        await finishAll();
        const [, bob] = await rows();
        const before = await store.tally(held.id);
        expect(await store.forget(ada, T0 + 50, true)).toMatchObject({
          runs: [held.id],
          leads: 1,
          enrichments: 3,
          results: 3,
          isErased: true,
        });
        const [row, other] = await rows();
        expect(row).toMatchObject({
          cells: [],
          inputs: {},
          result: null,
          ticket: null,
          credits: 26,
        });
        expect(row).toMatchObject({
          status: 'failed',
          reason: expect.stringMatching(/^forgotten/),
        });
        expect(other).toEqual(bob);
        expect(await store.tally(held.id)).toMatchObject({ credits: before.credits, leads: 2 });
        for (const { id } of [first, second, check]) {
          expect(JSON.stringify(await store.answers(id, { after: 0, limit: 9 }))).not.toMatch(
            /ada|\+336/,
          );
        }
        expect(await store.forget(ada, T0 + 50, true)).toMatchObject({ leads: 0, enrichments: 0 });
      });
    });

    it('sends nothing for a person who was suppressed by a cell after they were queued', async () => {
      await ingest([heldLead(1, 'ada', 'ada@cell.example')], held.id);
      const lead = asked(1, 'ada');
      if (lead.kind !== 'asked') throw new Error('it asks nothing');
      const inputs = { firstName: 'Ada', lastName: 'Byron', companyDomain: 'example.com' };
      await ingest([{ ...lead, request: { ...lead.request, inputs } }], first.id);
      await store.suppress([namedBy({ email: 'ada@cell.example' })], '', T0);
      for (let after: number | null = 0; after !== null; ) {
        ({ last: after } = await store.linkSuppressed(after, 2));
      }
      expect((await store.claim(first.id, 10, T0)).claimed).toEqual([]);
      // Other steps are still to be asked, or to find the same.
      expect((await store.answers(first.id, { after: 0, limit: 9 }))[0]).toMatchObject({
        status: 'skipped',
      });
    });

    describe('that is old', () => {
      const OLD = { at: T0 + 200, before: T0 + 100, freshSince: T0 + 100 };
      const there = async () => {
        const runs = [held, first, second, check];
        const all = await Promise.all(runs.map(({ id }) => store.findRun(id)));
        return all.flatMap((run) => (run === undefined || run === null ? [] : [run.id]));
      };

      it('stays whole as the newest one, whatever its steps are', async () => {
        await findAda();
        await finishAll();
        await store.prune(OLD, true);
        expect(await there()).toHaveLength(4);
        expect((await rows())[0]).toMatchObject({ result: { find_phone: { phone: PHONE } } });
      });

      it('leaves with its steps, never without them', async () => {
        await findAda();
        await finishAll();
        await startWaterfall(store, { job: 'later' });
        // The steps leave once the run that holds their leads has left.
        await store.prune(OLD, true);
        await store.prune(OLD, true);
        expect(await there()).toEqual([]);
        expect(await store.answers(first.id, { after: 0, limit: 9 })).toEqual([]);
      });

      it('leaves a few rows at a time, and then all of it', async () => {
        await findAda();
        await finishAll();
        await startWaterfall(store, { job: 'later' });
        for (let n = 0; n < 100; n += 1) {
          const isHeld = (await store.findRun(held.id)) !== undefined;
          // As long as its leads are shown, their answers are.
          if (isHeld && (await rows()).length === 2) {
            expect((await rows())[0]?.provenance?.tried).toHaveLength(3);
          }
          await store.pruneSome(OLD, 2);
        }
        expect(await there()).toEqual([]);
      });

      it('leaves although a crash has left its steps open', async () => {
        await findAda();
        await finish(held.id);
        await startWaterfall(store, { job: 'later' });
        await store.prune(OLD, true);
        await store.prune(OLD, true);
        expect(await there()).toEqual([]);
      });
    });

    it('is in a copy, with its steps and their answers', async ({ skip }) => {
      const { newPath, openCopy } = bench.copies ?? skip();
      await findAda();
      const before = await rows();
      const path = newPath();
      await store.backup(path);
      const copy = await openCopy(path);
      expect(await copy.answers(held.id, { after: 0, limit: 9 })).toEqual(before);
      expect((await copy.stepRuns(held.id)).map(({ id }) => id)).toEqual([
        first.id,
        second.id,
        check.id,
      ]);
      await copy.close();
    });

    it('is known by what its steps have paid, after it has left', async () => {
      await findAda();
      await finishAll();
      await startWaterfall(store, { job: 'later' });
      await store.prune({ at: T0 + 200, before: T0 + 100, freshSince: T0 - 100 }, true);
      await store.prune({ at: T0 + 200, before: T0 + 100, freshSince: T0 - 100 }, true);
      const next = await startWaterfall(store);
      await ingest([heldLead(1, 'ada')], next.held.id);
      expect(await ingest([asked(1, 'ada')], next.steps[0].id, TIMES)).toMatchObject({ cached: 1 });
    });
  });
}
