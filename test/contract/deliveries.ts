// The delivery journal: what webhooks bring is kept, taken once, and waits for tickets not known yet.
import { describe, expect, it } from 'vitest';
import type { EnrichmentState } from '../../src/model/enrichment/arrows.js';
import { createPersonMatch } from '../../src/model/person-match.js';
import type { Delivery, DeliveryStep } from '../../src/ports/store/deliveries.js';
import type { ClaimedEnrichment, Settlement } from '../../src/ports/store/enrichments.js';
import type { Store } from '../../src/ports/store/store.js';
import { runPlan } from '../helpers/leads.js';
import { inBrief } from '../helpers/long.js';
import {
  accepted,
  arrival,
  failed,
  found,
  missed,
  refused,
  type StoreBench,
  T0,
  unsent,
} from './store-bench.js';

const AT = T0 + 1_000;

const settle = (settlement: Settlement, ticket: string | null): DeliveryStep => ({
  kind: 'settle',
  ticket,
  settlement,
});

const postpone = (id: number, ticket = `enr_${id}`): DeliveryStep => ({
  kind: 'postpone',
  ticket,
  postponement: { id, pollAt: T0 + 7_000, wasEmpty: true },
  deadlineAt: T0 + 90_000,
});

const unknown = (ticket: string, enrichmentId: number | null = null): DeliveryStep => ({
  kind: 'unknown',
  ticket,
  enrichmentId,
});

export function describeDeliveries(bench: StoreBench): void {
  const { add, claimOne, sent, inState, answers, store, run } = bench;

  let bodies = 0;
  /** Keeps a delivery of its own body, and returns its id. */
  const keep = async (changes: Partial<Delivery> = {}): Promise<number> => {
    await store.keepArrivals([arrival({ body: `{"n":${(bodies += 1)}}`, ...changes })]);
    return (await store.listDeliveries(1))[0]?.id ?? -1;
  };

  /** Returns the ids of those that changed. */
  const handle = async (id: number, ...steps: DeliveryStep[]): Promise<number[]> => {
    const changed = await store.handleDeliveries('acc', [{ id, at: AT, steps }]);
    return changed.map((one) => one.id);
  };

  const pending = async (scope = 'acc') =>
    (await store.pendingDeliveries(scope, 100)).map(({ id }) => id);

  const byId = async (enrichmentId: number) =>
    (await store.addressed('acc', [{ enrichmentId, ticket: null, callId: null }]))[0];

  const byTicket = async (ticket: string) =>
    (await store.addressed('acc', [{ enrichmentId: null, ticket, callId: null }]))[0];

  describe('the signing key', () => {
    it('is made once, and is the same for whoever opens the store', async () => {
      const second = await bench.openAgain();
      const key = await second.signingKey();
      await second.close();
      expect(key).toHaveLength(32);
      expect(await store.signingKey()).toEqual(key);
    });
  });

  describe('deliveries that no run has come to', () => {
    it('are kept as they came, in order, each for its account', async () => {
      const deliveries = [
        arrival({ enrichmentId: 7, body: '{"n":1}' }),
        { scope: 'other', enrichmentId: null, callId: null, receivedAt: T0, body: '{"n":2}' },
        arrival({ receivedAt: T0 + 1, body: '{"n":3}' }),
      ];
      await store.keepArrivals(deliveries);
      const own = await store.pendingDeliveries('acc', 10);
      expect(own).toMatchObject([deliveries[0], deliveries[2]] as object[]);
      expect(await store.pendingDeliveries('acc', 1)).toEqual(own.slice(0, 1));
      expect(await store.pendingDeliveries('other', 10)).toMatchObject([deliveries[1]] as object[]);
      expect(await store.countPending()).toBe(3);
    });
  });

  describe('counts of refused deliveries', () => {
    const HOUR_MS = 3_600_000;
    const packed = {
      scope: 'acc',
      reason: 'not_json',
      encoding: 'gzip',
      count: 2,
      firstAt: T0,
      lastAt: T0 + 5,
    };
    const plain = { ...packed, encoding: '' };

    it('are added up by account, reason and encoding', async () => {
      await store.addRefused([packed, plain]);
      const more = { ...packed, count: 3, firstAt: T0 + 6, lastAt: T0 + 9 };
      const others = { ...packed, scope: 'other' };
      await store.addRefused([others, more]);
      const both = { ...packed, count: 5, lastAt: T0 + 9 };
      expect(await store.refusedDeliveries()).toEqual([plain, both, others]);
    });

    it('begin anew after an hour without one', async () => {
      await store.addRefused([packed, plain]);
      const within = T0 + 5 + HOUR_MS;
      const later = { count: 1, firstAt: within + 1, lastAt: within + 1 };
      await store.addRefused([
        { ...plain, count: 1, firstAt: within, lastAt: within },
        { ...packed, ...later },
      ]);
      expect(await store.refusedDeliveries()).toEqual([
        { ...plain, count: 3, lastAt: within },
        { ...packed, ...later },
      ]);
    });
  });

  it('hands out a few at a time where they are large, and at least one', async () => {
    const large = 'x'.repeat(5_000_000);
    for (const n of [0, 1, 2]) {
      await keep({ body: JSON.stringify([n, large]), receivedAt: T0 + n });
    }
    const times = (await store.pendingDeliveries('acc', 100)).map(({ receivedAt }) => receivedAt);
    expect(times).toEqual([T0, T0 + 1]);
  });

  describe('what comes under one key', () => {
    it('is kept beside a run whose leads are opened again', async () => {
      const { id } = await sent('eve');
      await store.recordSubmits([{ id, send: 1, at: AT, kind: 'refused', reason: 'no' }]);
      await store.retry(run.id, ['failed'], { at: AT, deadlineAt: AT + 9 });
      expect(await store.keepArrivals([arrival()])).toMatchObject({ kept: 1 });
    });

    it.each([
      ['a lead', { enrichmentId: 7 }],
      ['a bulk call', { callId: 7 }],
      ['a hook', {}],
    ])('of %s is kept once for each body, with a count', async (_, key) => {
      const same = arrival({ ...key, body: '{"n":1}' });
      const other = arrival({ ...key, body: '{"n":2}' });
      expect(await store.keepArrivals([same, other, same])).toMatchObject({ kept: 2, repeated: 1 });
      await handle(1);
      expect(await pending()).toEqual([2]);
      const day = 24 * 60 * 60_000;
      const again = { ...same, receivedAt: T0 + day - 1 };
      expect(await store.keepArrivals([again])).toMatchObject({ repeated: 1 });
      expect(await pending()).toEqual([2]);
      // The same words may answer another request by then.
      const later = { ...same, receivedAt: T0 + day };
      expect(await store.keepArrivals([later])).toMatchObject({ kept: 1 });
      expect(await pending()).toEqual([2, 3]);
      const times = (await store.listDeliveries(9)).map((entry) => entry.times);
      expect(times).toEqual([1, 1, 3]);
    });

    it('is another delivery where the key is another one', async () => {
      const keys = [
        { enrichmentId: 7 },
        { callId: 7 },
        {},
        { scope: 'other' },
        { enrichmentId: 8 },
      ];
      const count = await store.keepArrivals(keys.map((key) => arrival(key)));
      expect(count).toEqual({ kept: 5, repeated: 0, alreadyAnswered: 0, overLimit: 0 });
    });

    it('is kept once where several listeners keep it at the same moment', async () => {
      const keys = [{ enrichmentId: 7 }, { callId: 8 }, {}, { enrichmentId: 9, scope: 'other' }];
      const arrivals = Array.from({ length: 200 }, (_, n) =>
        arrival({ ...keys[n % keys.length], body: `{"n":${n}}` }),
      );
      const other = await bench.openAgain();
      const listen = (on: Store, from: readonly Delivery[]) =>
        Array.from({ length: 10 }, (_, n) => on.keepArrivals(from.slice(20 * n, 20 * (n + 1))));
      const counts = await Promise.all([
        ...listen(store, arrivals),
        ...listen(other, arrivals),
        ...listen(other, arrivals.toReversed()),
      ]);
      await other.close();
      const sum = (name: 'kept' | 'repeated') => counts.reduce((all, one) => all + one[name], 0);
      expect([sum('kept'), sum('repeated')]).toEqual([200, 400]);
      const bodies = await Promise.all(
        ['acc', 'other'].map((scope) => store.pendingDeliveries(scope, 1_000)),
      );
      expect(new Set(bodies.flat().map(({ body }) => body)).size).toBe(200);
      const times = (await store.listDeliveries(1_000)).map((entry) => entry.times);
      expect(times).toEqual(Array.from({ length: 200 }, () => 3));
    });

    it.each<EnrichmentState>(['found', 'not_found', 'failed'])(
      'is counted and not kept once its lead has an answer: %s',
      async (state) => {
        const { id } = await inState(state);
        const bodies = ['{}', '{}', '[]'].map((body) => arrival({ enrichmentId: id, body }));
        expect(await store.keepArrivals(bodies)).toMatchObject({ kept: 0, alreadyAnswered: 3 });
        expect(await store.listDeliveries(9)).toEqual([]);
        expect(await store.countUnkept()).toBe(3);
      },
    );

    it.each<EnrichmentState>(['queued', 'submitting', 'uncertain', 'awaiting', 'timed_out'])(
      'is kept while its lead has none: %s',
      async (state) => {
        const { id } = await inState(state);
        expect(await store.keepArrivals([arrival({ enrichmentId: id })])).toMatchObject({
          kept: 1,
        });
      },
    );

    it('is kept where its lead was refused', async () => {
      const claimed = await sent('ada');
      await store.recordSubmits([refused(claimed)]);
      const late = arrival({ enrichmentId: claimed.id });
      expect(await store.keepArrivals([late])).toMatchObject({ kept: 1 });
    });

    it.each(inBrief([['lead', 'enrichmentId', 4]], [['bulk call', 'callId', 40]]))(
      'fills no disk under the key of a %s',
      async (_, key, count) => {
        const large = key === 'callId' ? 2 ** 23 : 2 ** 20;
        const bodyOf = (n: number): string => JSON.stringify(`${n}${'x'.repeat(large)}`);
        let kept = 0;
        for (let n = 0; n < count; n += 1) {
          kept += (await store.keepArrivals([arrival({ [key]: 7, body: bodyOf(n) })])).kept;
        }
        expect(kept).toBe(key === 'callId' ? 8 : 1);
        expect(await store.countUnkept()).toBe(count - kept);
        // What is there is known again, and others have their own.
        expect(await store.keepArrivals([arrival({ [key]: 7, body: bodyOf(0) })])).toMatchObject({
          repeated: 1,
        });
        expect(await store.keepArrivals([arrival({ [key]: 8 }), arrival()])).toMatchObject({
          kept: 2,
        });
      },
    );
  });

  it('asks for a lead at once whose key may keep no more', async () => {
    const { id } = await inState('awaiting');
    const delivery = arrival({ enrichmentId: id, receivedAt: T0 + 9 });
    await store.keepArrivals([{ ...delivery, body: JSON.stringify('x'.repeat(2 ** 20)) }]);
    expect(await store.awaited(run.id, 1)).toMatchObject([{ pollAt: T0 + 500 }]);
    expect(await store.keepArrivals([{ ...delivery, body: '{}' }])).toMatchObject({ overLimit: 1 });
    expect(await store.awaited(run.id, 1)).toMatchObject([{ pollAt: T0 + 9 }]);
  });

  describe('an enrichment that was accepted in a bulk call', () => {
    const at = async (callId: number | null, enrichmentId: number | null, ticket: string | null) =>
      (await store.addressed('acc', [{ enrichmentId, ticket, callId }]))[0];

    it('is named at the address of that call, or of a hook, and of no other call', async () => {
      const ada = await sent('ada');
      await store.recordSubmits([{ ...accepted(ada, 'enr_a'), callId: ada.id }]);
      const bob = await sent('bob');
      await store.recordSubmits([accepted(bob, 'enr_b')]);
      for (const callId of [ada.id, null]) {
        expect(await at(callId, null, 'enr_a')).toMatchObject({ id: ada.id });
        expect(await at(callId, ada.id, 'enr_a')).toMatchObject({ id: ada.id });
      }
      expect(await at(bob.id, null, 'enr_a')).toBe('stray');
      expect(await at(bob.id, ada.id, null)).toBe('stray');
      // One that was asked for alone was in none.
      expect(await at(bob.id, null, 'enr_b')).toBe('stray');
    });

    it('may be told by its key at the address of an earlier one, whose answer was lost', async () => {
      const first = await inState('uncertain');
      await store.retry(run.id, ['uncertain'], { at: T0, deadlineAt: T0 });
      const again = await claimOne(run.id);
      await store.recordSubmits([{ ...accepted(again, 'enr_2'), callId: 99 }]);
      expect(await at(first.id, first.id, 'enr_1')).toMatchObject({ id: first.id });
      expect(await at(first.id, null, 'enr_2')).toBe('stray');
    });
  });

  it('is handled at the address of a lead, whoever else has the ticket that it tells', async () => {
    const [ada, bob] = [await inState('uncertain'), await inState('awaiting', 'bob')];
    const id = await keep({ enrichmentId: ada.id });
    await handle(id, unknown(`enr_${bob.id}`, ada.id));
    expect(await pending()).toEqual([]);
    // Its own, learnt since the caller looked, is another matter.
    const own = await keep({ enrichmentId: bob.id });
    await handle(own, unknown(`enr_${bob.id}`, bob.id));
    expect(await pending()).toEqual([own]);
  });

  it('keeps the call of a lead that a delivery at its address claimed', async () => {
    const ada = await inState('uncertain');
    const id = await keep({ callId: ada.id });
    await handle(id, postpone(ada.id, 'enr_a'));
    const at = (callId: number) =>
      store.addressed('acc', [{ enrichmentId: null, ticket: 'enr_a', callId }]);
    expect(await at(ada.id)).toMatchObject([{ id: ada.id }]);
    expect(await at(ada.id + 1)).toEqual(['stray']);
  });

  describe('an enrichment is addressed', () => {
    it.each<EnrichmentState>(['queued', 'submitting', 'uncertain'])(
      'by its id alone, while no ticket is known: %s',
      async (state) => {
        const { id, request } = await inState(state);
        expect(await byId(id)).toMatchObject({ id, request, state, ticket: null });
      },
    );

    it.each<EnrichmentState>(['awaiting', 'timed_out'])(
      'by its id or its ticket: %s',
      async (state) => {
        const { id } = await inState(state);
        const ticket = `enr_${id}`;
        expect(await byId(id)).toMatchObject({ id, state, ticket, deadlineAt: T0 + 60_000 });
        expect(await byTicket(ticket)).toEqual(await byId(id));
      },
    );

    it.each<EnrichmentState>(['found', 'not_found', 'failed'])(
      'never once it has its answer: %s',
      async (state) => {
        const { id } = await inState(state);
        expect(await byId(id)).toBeNull();
        expect(await byTicket(`enr_${id}`)).toBeNull();
      },
    );

    it('by its whole ticket, where a store keeps digests that collide (FNV-1a, 32 bits)', async () => {
      const claims = [];
      for (const ticket of ['costarring', 'liquid']) {
        await add(ticket);
        const claimed = await claimOne();
        await store.recordSubmits([accepted(claimed, ticket)]);
        claims.push({ id: claimed.id, ticket });
      }
      const references = claims.map(({ ticket }) => ({ enrichmentId: null, ticket, callId: null }));
      expect(await store.addressed('acc', references)).toMatchObject(claims);
    });

    it('never before it was sent', async () => {
      const { id } = await sent('ada');
      await add('bob');
      expect(await byId(id)).not.toBeNull();
      expect(await byId(id + 1)).toBeNull();
    });

    it('each reference in its place, with the run that works on it', async () => {
      const { id } = await inState('awaiting');
      const other = await store.startRun(runPlan({ job: 'weekly' }), T0);
      await add('ada', other.id);
      const nowhere = { enrichmentId: null, ticket: null, callId: null };
      const references = [
        nowhere,
        { enrichmentId: id, ticket: null, callId: null },
        { ...nowhere, ticket: 'x' },
      ];
      const theirs = { runId: other.id };
      expect(await store.addressed('acc', references)).toMatchObject([null, theirs, null]);
    });

    it('by its own account alone, though another has the same ticket', async () => {
      const { id } = await inState('awaiting');
      const ticket = `enr_${id}`;
      const other = await store.startRun(runPlan({ job: 'weekly', account: 'acc2' }), T0);
      await add('bob', other.id);
      const bob = await claimOne(other.id);
      await store.recordSubmits([accepted(bob, ticket)]);
      const reference = { enrichmentId: null, ticket, callId: null };
      expect(await store.addressed('acc', [reference])).toMatchObject([{ id }]);
      expect(await store.addressed('acc2', [reference])).toMatchObject([{ id: bob.id }]);
      expect(await store.addressed('acc2', [{ enrichmentId: id, ticket, callId: null }])).toEqual([
        null,
      ]);
    });
  });

  describe('an enrichment that is named by its id and by a ticket', () => {
    const named = async (enrichmentId: number, ticket: string) =>
      (await store.addressed('acc', [{ enrichmentId, ticket, callId: null }]))[0];

    it.each<EnrichmentState>(['awaiting', 'timed_out', 'found', 'not_found', 'failed'])(
      'is neither, where the ticket is that of another: %s',
      async (state) => {
        const other = await inState(state, 'bob');
        const cyd = await inState('awaiting', 'cyd');
        const ended = await inState('found', 'dan');
        const ada = await inState('uncertain', 'ada');
        const ticket = `enr_${other.id}`;
        for (const { id } of [ada, cyd, ended]) expect(await named(id, ticket)).toBe('stray');
        expect(await named(ada.id, 'enr_new')).toMatchObject({ id: ada.id });
      },
    );

    it('is that one where the ticket is of the same question, asked before', async () => {
      const { id } = await inState('failed');
      await store.endRun(run.id, 'finished', T0);
      await store.retry(run.id, ['failed'], { at: T0, deadlineAt: T0, askAnew: true });
      const again = await claimOne();
      expect(await named(again.id, `enr_${id}`)).toMatchObject({ id: again.id });
    });

    it('is none with a ticket that is not its own, unless it was sent more than once', async () => {
      const { id } = await inState('awaiting');
      expect(await named(id, 'enr_new')).toBe('stray');
      const bob = await inState('uncertain', 'bob');
      await store.retry(run.id, ['uncertain'], { at: T0, deadlineAt: T0 });
      await store.recordSubmits([accepted(await claimOne(), 'enr_second')]);
      expect(await named(bob.id, 'enr_first')).toMatchObject({ id: bob.id, ticket: 'enr_second' });
    });

    it('is settled by no ticket that was saved for another a moment ago', async () => {
      const [ada, bob] = [await sent('ada'), await sent('bob')];
      const late = await keep();
      await store.recordSubmits([accepted(bob, 'enr_b')]);
      expect(await handle(late, settle(found(ada.id), 'enr_b'))).toEqual([]);
      expect(await pending()).toEqual([late]);
    });

    it('is asked for at once, and once, where a delivery speaks of another at its key', async () => {
      const { id } = await inState('awaiting');
      await store.settle([{ id, pollAt: AT + 9_000, wasEmpty: false }]);
      const cyd = await inState('awaiting', 'cyd');
      const stray = (enrichmentId: number): DeliveryStep => ({ kind: 'stray', enrichmentId });
      const steps = [stray(id), stray(cyd.id)];
      await store.handleDeliveries('acc', [{ id: await keep(), at: T0, steps }]);
      expect(await store.listDeliveries(1)).toMatchObject([{ settled: 0, unknown: 2 }]);
      const dueAt = (await store.awaited(run.id, 2)).map((one) => [one.id, one.pollAt]);
      expect(dueAt).toEqual([
        [cyd.id, T0],
        [id, AT + 9_000],
      ]);
    });
  });

  describe('an answer that a delivery brings', () => {
    it.each<EnrichmentState>(['queued', 'submitting', 'awaiting', 'timed_out', 'uncertain'])(
      'is taken once, with its ticket, whatever else is learnt later: %s',
      async (state) => {
        const claimed = await inState(state);
        const { id } = claimed;
        const delivery = await keep();
        const step = settle(found(id), `enr_${id}`);
        expect(await handle(delivery, step)).toEqual([id]);
        const after = await answers();
        expect(after).toMatchObject([
          { status: 'found', reason: null, source: 'api', credits: 5, ticket: `enr_${id}` },
        ]);
        expect(after[0]?.result).toEqual({
          find_email: { email: 'ada@example.com', status: 'deliverable' },
        });
        expect(await store.recordSubmits([accepted(claimed, 'enr_late'), unsent(claimed)])).toEqual(
          [],
        );
        expect(await handle(delivery, step)).toEqual([]);
        expect(await store.replayDeliveries('acc')).toEqual({ pending: 0, withoutBody: 1 });
        expect(await handle(delivery, step)).toEqual([]);
        expect(await answers()).toEqual(after);
        expect(await pending()).toEqual([]);
      },
    );

    it.each<EnrichmentState>(['queued', 'submitting', 'uncertain'])(
      'is taken without a ticket as well: %s',
      async (state) => {
        const { id } = await inState(state);
        expect(await handle(await keep(), settle(found(id), null))).toEqual([id]);
        expect(await answers()).toMatchObject([{ status: 'found', source: 'api', ticket: null }]);
      },
    );

    it('is on the bill of the run that had the enrichment queued again', async () => {
      const { id } = await inState('uncertain');
      const next = await store.startRun(runPlan(), T0);
      await add('ada', next.id);
      await store.retry(next.id, ['uncertain'], { at: T0, deadlineAt: T0 });
      await handle(await keep(), settle(found(id), `enr_${id}`));
      expect((await store.claim(next.id, 10, T0)).claimed).toEqual([]);
      expect(await answers(next.id)).toMatchObject([{ source: 'api', credits: 5 }]);
      expect(await store.tally(run.id)).toMatchObject({ credits: 0 });
    });

    it.each<[string, (again: ClaimedEnrichment) => Promise<unknown>]>([
      ['missed', (again) => store.settle([missed(again.id)])],
      ['failed', (again) => store.settle([failed(again.id)])],
      ['was refused', (again) => store.recordSubmits([refused(again)])],
    ])(
      'of a send that was lost counts after the one that followed %s, once',
      async (end, finish) => {
        const first = await inState('uncertain');
        await store.retry(run.id, ['uncertain'], { at: T0, deadlineAt: T0 });
        const again = await claimOne();
        expect(again).toMatchObject({ id: first.id, send: 2 });
        if (end !== 'was refused') await store.recordSubmits([accepted(again, 'enr_second')]);
        await finish(again);
        const steps = (ticket: string, credits = 5) =>
          settle({ ...found(first.id), credits }, ticket);
        // Another answer to the last send is no news.
        if (end !== 'was refused') {
          expect(await handle(await keep(), steps('enr_second'))).toEqual([]);
        }
        expect(await handle(await keep(), steps('enr_first'))).toEqual([first.id]);
        expect(await handle(await keep(), steps('enr_third', 9))).toEqual([]);
        expect(await answers()).toMatchObject([
          { status: 'found', ticket: 'enr_first', credits: 5, reason: null },
        ]);
        expect(await store.tally(run.id)).toMatchObject({ credits: 5 });
        await store.claim(run.id, 9, T0);
        expect(await store.commitment(run.id)).toMatchObject({ spent: 5, open: [] });
      },
    );

    it('of a lost send brings nobody back who was forgotten', async () => {
      const { id } = await inState('uncertain');
      await store.retry(run.id, ['uncertain'], { at: T0, deadlineAt: T0 });
      await store.recordSubmits([refused(await claimOne())]);
      await store.endRun(run.id, 'cancelled', T0);
      const match = createPersonMatch([{ kind: 'domain', spellings: ['example.com'] }]);
      expect(await store.forget(match, T0, true)).toMatchObject({ enrichments: 1 });
      expect(await handle(await keep(), settle(found(id), 'enr_first'))).toEqual([]);
    });

    it('changes nothing where there is an end already, or was never a request', async () => {
      const { id: ended } = await inState('found', 'ada');
      const refusal = await sent('bob');
      await store.recordSubmits([refused(refusal)]);
      await add('cyd');
      const before = await answers();
      const steps = [ended, refusal.id, refusal.id + 1].flatMap((id) => [
        settle({ ...found(id), at: AT }, 'enr_new'),
        postpone(id, 'enr_new'),
      ]);
      expect(await handle(await keep(), ...steps)).toEqual([]);
      expect(await answers()).toEqual(before);
      expect(await claimOne()).toMatchObject({ id: refusal.id + 1, send: 1 });
    });
  });

  describe('an empty success that a delivery brings', () => {
    it.each<EnrichmentState>(['queued', 'submitting', 'uncertain'])(
      'makes the ticket known, to be read once more: %s',
      async (state) => {
        const claimed = await inState(state);
        const { id } = claimed;
        const delivery = await keep();
        expect(await handle(delivery, postpone(id))).toEqual([id]);
        expect(await handle(delivery, postpone(id))).toEqual([]);
        const expected = [
          {
            id,
            ticket: `enr_${id}`,
            pollAt: T0 + 7_000,
            deadlineAt: T0 + 90_000,
            wasEmpty: true,
          },
        ];
        expect(await store.awaited(run.id, 10)).toMatchObject(expected);
        expect(await answers()).toMatchObject([{ reason: null, source: 'api' }]);
        expect(await store.recordSubmits([accepted(claimed, 'enr_late'), unsent(claimed)])).toEqual(
          [],
        );
        expect(await store.awaited(run.id, 10)).toMatchObject(expected);
      },
    );

    it('only puts off what is awaited already', async () => {
      const { id } = await inState('awaiting');
      expect(await handle(await keep(), postpone(id))).toEqual([]);
      expect(await store.awaited(run.id, 10)).toMatchObject([
        {
          ticket: `enr_${id}`,
          pollAt: T0 + 7_000,
          deadlineAt: T0 + 60_000,
          wasEmpty: true,
        },
      ]);
    });
  });

  describe('a delivery for a ticket that is not known', () => {
    it('waits aside until that ticket is saved', async () => {
      const [ada, bob] = [await sent('ada'), await sent('bob')];
      const delivery = await keep();
      expect(await handle(delivery, unknown('enr_x'))).toEqual([]);
      expect(await store.countPending()).toBe(0);
      await store.recordSubmits([accepted(bob, 'enr_y')]);
      expect(await pending()).toEqual([]);
      await store.recordSubmits([accepted(ada, 'enr_x')]);
      expect(await pending()).toEqual([delivery]);
      expect(await handle(delivery, settle(found(ada.id), 'enr_x'))).toEqual([ada.id]);
    });

    it('waits on where the record that names it changes nothing', async () => {
      const first = await sent();
      await store.recordSubmits([unsent(first)]);
      await claimOne();
      await handle(await keep(), unknown('enr_x'));
      await store.recordSubmits([accepted(first, 'enr_x')]);
      expect(await pending()).toEqual([]);
    });

    it('waits no longer where another delivery makes it known', async () => {
      const { id } = await inState('uncertain');
      const waiting = await keep();
      await handle(waiting, unknown('enr_x'));
      await handle(await keep(), postpone(id, 'enr_x'));
      expect(await pending()).toEqual([waiting]);
    });

    it('is not put aside while another process saves the ticket', async () => {
      const other = await bench.openAgain();
      const cases = [];
      for (let n = 0; n < 20; n += 1) {
        cases.push({ ticket: `enr_${n}`, send: await sent(`lead${n}`), id: await keep() });
      }
      await Promise.all(
        cases.flatMap(({ id, send, ticket }) => [
          handle(id, unknown(ticket)),
          other.recordSubmits([accepted(send, ticket)]),
        ]),
      );
      await other.close();
      expect(await pending()).toEqual(cases.map(({ id }) => id));
    });

    it('is not put aside where the ticket was saved a moment ago', async () => {
      const [ada, bob] = [await sent('ada'), await sent('bob')];
      const [late, other] = [await keep(), await keep()];
      expect(await byTicket('enr_x')).toBeNull();
      await store.recordSubmits([accepted(ada, 'enr_x')]);
      const changed = await store.handleDeliveries('acc', [
        { id: late, at: AT, steps: [unknown('enr_x')] },
        { id: other, at: AT, steps: [settle(found(bob.id), 'enr_y')] },
      ]);
      expect(changed).toMatchObject([{ id: bob.id }]);
      expect(await pending()).toEqual([late]);
    });
  });

  describe('the journal', () => {
    it('tells what each delivery came to, newest first', async () => {
      const [ada, bob] = [await sent('ada'), await inState('found', 'bob')];
      const first = await keep({ body: '{"name":"Zoë"}' });
      const second = await keep({ scope: 'other', receivedAt: T0 + 1, body: '{}' });
      await handle(
        first,
        settle(found(ada.id), 'enr_x'),
        settle(found(bob.id), null),
        { kind: 'nothing' },
        unknown('enr_y'),
      );
      const counts = { handledAt: AT, settled: 1, unchanged: 2, unknown: 1 };
      const none = { handledAt: null, settled: null, unchanged: null, unknown: null };
      const told = { id: first, scope: 'acc', receivedAt: T0, bytes: 15, times: 1 };
      const waiting = {
        id: second,
        scope: 'other',
        receivedAt: T0 + 1,
        bytes: 2,
        times: 1,
        ...none,
      };
      expect(await store.listDeliveries(10)).toEqual([waiting, { ...told, ...counts }]);
      expect(await store.listDeliveries(1)).toEqual([waiting]);
      await store.replayDeliveries('acc');
      expect(await store.listDeliveries(10)).toEqual([waiting, { ...told, ...none }]);
    });

    it('is replayed for one account, and every delivery of it is pending again', async () => {
      const [first, second] = [await keep(), await keep()];
      const other = await keep({ scope: 'other' });
      for (const id of [first, second, other]) await handle(id);
      expect(await store.countPending()).toBe(0);
      expect(await store.replayDeliveries('acc')).toEqual({ pending: 2, withoutBody: 0 });
      expect(await pending()).toEqual([first, second]);
      expect(await pending('other')).toEqual([]);
    });

    it.each([
      ['a delivery that is not there', { id: 99, steps: [] }],
      ['an answer that cannot be kept', { steps: [settle({ ...found(1), credits: -1 }, null)] }],
    ])('takes a whole batch or nothing of it: %s', async (_, bad) => {
      await sent('ada');
      const [bob, cyd] = [await sent('bob'), await inState('queued', 'cyd')];
      const [good, last] = [await keep(), await keep()];
      const before = [await answers(), await store.listDeliveries(10)];
      const steps = [settle(found(bob.id), 'enr_b'), postpone(cyd.id), unknown('enr_x')];
      const batch = [
        { id: good, at: AT, steps },
        { id: last, at: AT, ...bad },
      ];
      await expect(store.handleDeliveries('acc', batch)).rejects.toThrow(/constraint|no delivery/i);
      expect([await answers(), await store.listDeliveries(10)]).toEqual(before);
      expect(await pending()).toEqual([good, last]);
    });
  });

  describe('the body of a delivery', () => {
    const bytesOf = async (id: number) =>
      (await store.listDeliveries(100)).find((entry) => entry.id === id)?.bytes;

    it('leaves once it has settled its leads, and the same body is still known', async () => {
      const [ada, bob] = [await sent('ada'), await sent('bob')];
      const delivery = arrival({ callId: ada.id });
      const body = '{"both":"here"}';
      const id = await keep({ ...delivery, body });
      expect(await bytesOf(id)).toBe(body.length);
      await handle(id, settle(found(ada.id), 'enr_a'), settle(found(bob.id), 'enr_b'));
      expect(await bytesOf(id)).toBeNull();
      const again = { ...delivery, receivedAt: T0 + 9 };
      const others = [
        { ...again, body },
        { ...again, body: '{"both":"hers"}' },
      ];
      expect(await store.keepArrivals(others)).toMatchObject({ repeated: 1, kept: 1 });
      expect(await pending()).toEqual([id + 1]);
      expect(await store.listDeliveries(2)).toMatchObject([
        { id: id + 1, handledAt: null, bytes: body.length },
        { id, handledAt: AT, settled: 2, bytes: null, times: 2 },
      ]);
      for (const lead of [ada, bob]) {
        expect(await store.listDeliveries(9, { id: lead.id, marks: ['enr_x'] })).toMatchObject([
          { id },
        ]);
      }
      expect(await store.listDeliveries(9, { id: bob.id + 1, marks: ['enr_x'] })).toEqual([]);
      expect(await store.replayDeliveries('acc')).toEqual({ pending: 0, withoutBody: 1 });
      expect(await pending()).toEqual([id + 1]);
    });

    it('stays while an entry is unknown, and leaves when that is settled', async () => {
      const [ada, bob] = [await sent('ada'), await sent('bob')];
      const id = await keep();
      await handle(id, settle(found(ada.id), 'enr_a'), unknown('enr_b'));
      expect(await bytesOf(id)).toBeGreaterThan(0);
      await store.recordSubmits([accepted(bob, 'enr_b')]);
      expect(await pending()).toEqual([id]);
      await handle(id, settle(found(ada.id), 'enr_a'), settle(found(bob.id), 'enr_b'));
      expect(await bytesOf(id)).toBeNull();
      expect(await store.listDeliveries(9, { id: bob.id, marks: ['none'] })).toMatchObject([
        { id, settled: 1 },
      ]);
    });

    it('stays where it settled nothing, where it cannot be read, and where it shall be kept', async () => {
      const [ada, bob] = [await sent('ada'), await sent('bob')];
      const [nothing, unread, kept] = [await keep(), await keep(), await keep()];
      const at = { at: AT, steps: [settle(found(ada.id), 'enr_a')] };
      await handle(nothing, { kind: 'nothing' });
      await store.handleDeliveries('acc', [{ ...at, id: unread, isUnread: true }]);
      const steps = [settle(found(bob.id), 'enr_b')];
      await store.handleDeliveries('acc', [{ id: kept, at: AT, steps, keepsBody: true }]);
      expect(await store.replayDeliveries('acc')).toEqual({ pending: 3, withoutBody: 0 });
      for (const id of [nothing, unread, kept]) expect(await bytesOf(id)).toBeGreaterThan(0);
      expect(await store.dropBodies(AT + 1)).toBe(0);
      for (const id of [nothing, unread]) await handle(id, { kind: 'nothing' });
      await store.handleDeliveries('acc', [{ id: kept, at: AT, steps, keepsBody: true }]);
      expect(await store.dropBodies(AT)).toBe(0);
      expect(await store.dropBodies(AT + 1)).toBe(1);
      expect(await bytesOf(kept)).toBeNull();
    });
  });

  describe('a delivery that cannot be read', () => {
    it('is pending again when it can be read, and only then', async () => {
      await store.keepArrivals([arrival()]);
      const [delivery] = await store.pendingDeliveries('acc', 9);
      const handled = { id: delivery?.id ?? 0, at: T0, steps: [], isUnread: true };
      await store.handleDeliveries('acc', [handled]);
      expect(await store.pendingDeliveries('acc', 9)).toEqual([]);
      await store.recover(run.id);
      await store.recover(run.id, { at: T0, scope: 'other' });
      expect(await store.pendingDeliveries('acc', 9)).toEqual([]);
      await store.recover(run.id, { at: T0, scope: 'acc' });
      expect(await store.pendingDeliveries('acc', 9)).toEqual([delivery]);
      await store.handleDeliveries('acc', [{ ...handled, isUnread: false }]);
      await store.recover(run.id, { at: T0, scope: 'acc' });
      expect(await store.pendingDeliveries('acc', 9)).toEqual([]);
    });
  });
}
