// The journal of events: each kept once for an account, and read in the order in which they came.
import { describe, expect, it } from 'vitest';
import type { EventFilter, ReceivedEvent } from '../../src/ports/store/events.js';
import type { Store } from '../../src/ports/store/store.js';
import { arrival, type StoreBench, T0 } from './store-bench.js';

function event(id: string, changes: Record<string, unknown> = {}, at = T0): ReceivedEvent {
  const record = { _id: id, type: 'emailsSent', ...changes };
  const { type } = record;
  const body = JSON.stringify(record);
  return { scope: 'acc', receivedAt: at + 5, event: { id, type, at }, body };
}

export function describeEvents(bench: StoreBench): void {
  const { store } = bench;

  const ids = async (after: number, filter: EventFilter, limit: number): Promise<unknown[]> =>
    (await store.events(filter, { after, limit })).map(({ record }) => record['_id']);

  describe('the journal of events', () => {
    it('keeps an event as it came', async () => {
      const came = event('act_1', { leadEmail: 'zoë@example.com', nested: { a: [1, null] } });
      await store.keepArrivals([came]);
      expect(await store.events({}, { after: 0, limit: 10 })).toEqual([
        {
          number: expect.any(Number),
          type: 'emailsSent',
          happenedAt: T0,
          receivedAt: T0 + 5,
          record: JSON.parse(came.body),
        },
      ]);
      expect(await store.countPending()).toBe(0);
    });

    it('keeps each once for an account, whoever sends it how often', async () => {
      await store.keepArrivals([event('act_1', { n: 1 }), event('act_1', { n: 2 })]);
      const other = await bench.openAgain();
      await other.keepArrivals([event('act_1', { n: 3 }), { ...event('act_1'), scope: 'other' }]);
      await other.close();
      expect(await store.events({}, { after: 0, limit: 10 })).toMatchObject([
        { record: { n: 1 } },
        {},
      ]);
    });

    it('takes results and events in one step, each for what it is', async () => {
      const delivery = arrival({ enrichmentId: 7 });
      await store.keepArrivals([event('act_1'), delivery, event('act_2')]);
      expect(await ids(0, {}, 10)).toEqual(['act_1', 'act_2']);
      expect(await store.pendingDeliveries('acc', 10)).toMatchObject([delivery]);
    });

    it('keeps each once where several listeners keep it at the same moment', async () => {
      const events = Array.from({ length: 60 }, (_, n) => event(`act_${n}`));
      const other = await bench.openAgain();
      const listen = (on: Store, from: readonly ReceivedEvent[]) =>
        Array.from({ length: 6 }, (_, n) => on.keepArrivals(from.slice(10 * n, 10 * (n + 1))));
      const counts = await Promise.all([
        ...listen(store, events),
        ...listen(other, events.toReversed()),
      ]);
      await other.close();
      expect(counts.reduce((all, { kept }) => all + kept, 0)).toBe(60);
      expect(new Set(await ids(0, {}, 100))).toEqual(
        new Set(events.map(({ event: { id } }) => id)),
      );
    });

    it('is found by what it tells, whatever else came that cannot be read', async () => {
      const odd = { a: 'nul \0', b: 'half \ud83d', campaignId: 'cam_1' };
      await store.keepArrivals([event('act_1', odd), event('act_2', { campaignId: 'cam_1' })]);
      expect(await ids(0, { campaignId: 'cam_1' }, 10)).toContain('act_2');
      expect(await store.events({}, { after: 0, limit: 1 })).toMatchObject([{ record: odd }]);
    });

    it('counts as happened when it was kept where it does not tell', async () => {
      const came = event('act_1');
      await store.keepArrivals([{ ...came, event: { ...came.event, at: undefined } }]);
      expect(await store.events({}, { after: 0, limit: 1 })).toMatchObject([
        { happenedAt: T0 + 5 },
      ]);
    });

    it('is read page by page, in the order of arrival', async () => {
      const times = [T0 + 2, T0, T0 + 1];
      await store.keepArrivals(times.map((at, i) => event(`act_${i}`, {}, at)));
      const [first] = await store.events({}, { after: 0, limit: 1 });
      expect(first).toMatchObject({ record: { _id: 'act_0' } });
      expect(await ids(first?.number ?? 0, {}, 10)).toEqual(['act_1', 'act_2']);
      const last = await store.events({}, { last: 2 });
      expect(last.map(({ record }) => record['_id'])).toEqual(['act_1', 'act_2']);
    });

    it('is filtered by type, campaign, lead and time, all at once', async () => {
      const all = { campaignId: 'cam_1', leadId: 'lea_1', leadEmail: 'Ada@Example.com' };
      await store.keepArrivals([
        event('act_all', all),
        event('act_type', { ...all, type: 'emailsOpened' }),
        event('act_campaign', { ...all, campaignId: 'cam_2' }),
        event('act_lead', { ...all, leadId: 'lea_2', leadEmail: 'bob@example.com' }),
        event('act_early', all, T0 - 1),
        event('act_late', all, T0 + 10),
        event('act_bare'),
      ]);
      const rest = (without: string) =>
        ['all', 'type', 'campaign', 'lead', 'early', 'late', 'bare']
          .filter((name) => !without.split(' ').includes(name))
          .map((name) => `act_${name}`);
      expect(await ids(0, { types: ['emailsSent'] }, 10)).toEqual(rest('type'));
      const two = { types: ['emailsOpened', 'emailsSent'] };
      expect(await ids(0, two, 10)).toEqual(rest(''));
      expect(await ids(0, { campaignId: 'cam_1' }, 10)).toEqual(rest('campaign bare'));
      expect(await ids(0, { lead: 'lea_1' }, 10)).toEqual(rest('lead bare'));
      expect(await ids(0, { lead: 'ADA@example.com' }, 10)).toEqual(rest('lead bare'));
      expect(await ids(0, { since: T0 }, 10)).toEqual(rest('early'));
      expect(await ids(0, { until: T0 + 10 }, 10)).toEqual(rest('late'));
      const every = { types: ['emailsSent'], campaignId: 'cam_1', lead: 'lea_1' };
      expect(await ids(0, { ...every, since: T0, until: T0 + 10 }, 10)).toEqual(['act_all']);
      expect(await store.events({ ...every, since: T0 }, { last: 1 })).toMatchObject([
        { record: { _id: 'act_late' } },
      ]);
    });

    it("is filtered by our name of a type, by the platform's, and by one that Sluice does not know", async () => {
      const named = event('act_1', { type: 'mail.out' });
      const ours = { ...named, event: { ...named.event, type: 'emailsSent' } };
      await store.keepArrivals([ours, event('act_2'), event('act_3', { type: 'mail.framed' })]);
      expect(await ids(0, { types: ['emailsSent'] }, 10)).toEqual(['act_1', 'act_2']);
      expect(await ids(0, { types: ['mail.out', 'mail.framed'] }, 10)).toEqual(['act_1', 'act_3']);
    });

    it('tells what disturbed each account in a time, both ends of it included', async () => {
      const limit = { type: 'sendLimitReached' };
      await store.keepArrivals([
        event('act_early', limit, T0 - 1),
        event('act_1', limit),
        event('act_2', limit, T0 + 10),
        event('act_late', limit, T0 + 11),
        event('act_3', { type: 'connectionIssue' }, T0 + 1),
        event('act_4', { type: 'warmupPaused' }, T0 + 1),
        { ...event('act_5', limit), scope: 'other' },
      ]);
      expect(await store.disturbances(T0, T0 + 10)).toEqual([
        { scope: 'acc', type: 'connectionIssue', count: 1, lastAt: T0 + 1 },
        { scope: 'acc', type: 'sendLimitReached', count: 2, lastAt: T0 + 10 },
        { scope: 'other', type: 'sendLimitReached', count: 1, lastAt: T0 },
      ]);
    });
  });
}
