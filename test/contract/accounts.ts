// Accounts: the slots of the rate limit, dealt out among those who send, and the fields of the people database.
import { describe, expect, it } from 'vitest';
import type { RunPlan } from '../../src/model/run.js';
import type { SlotRequest } from '../../src/model/schedule/limit-shares.js';
import type { LimitSender } from '../../src/ports/store/accounts.js';
import type { Store } from '../../src/ports/store/store.js';
import { runPlan } from '../helpers/leads.js';
import { type StoreBench, T0 } from './store-bench.js';

const LIMIT = { requests: 3, perMs: 2_000 };

export function describeAccounts(bench: StoreBench): void {
  const { store } = bench;

  describe('the limit of an account', () => {
    const NOW = { at: T0, steady: null };
    const NOTHING = { seen: 1, returnedMs: [], pauseMs: 0 };
    const join = (on = store, account = 'acc') => on.joinLimit(account, LIMIT, NOW);
    const ask = (sender: LimitSender, changes: Partial<SlotRequest> = {}, on = store) => {
      const first = { seq: 1, seen: 0, limit: LIMIT, keeps: 0, returnedMs: [], wants: 3 };
      return on.exchangeSlots(sender, { ...first, pauseMs: 0, ...changes }, NOW);
    };

    it('is held whole by a sender alone, with its first question', async () => {
      const sender = await join();
      expect(await ask(sender)).toMatchObject({ slots: 3, takenMs: [], owes: 0, isShared: false });
      const other = await join(store, 'other');
      expect(await ask(other)).toMatchObject({ slots: 3, isShared: false });
      for (const one of [sender, other]) await store.leaveLimit(one, NOTHING, NOW);
    });

    it('is dealt out among all handles, and what one gives back another gets', async () => {
      const elsewhere = await bench.openAgain();
      const limit = { ...LIMIT, requests: 2 };
      const [one, two] = [await join(), await join(elsewhere)];
      expect(await ask(one, { limit })).toMatchObject({ slots: 2, isShared: true });
      expect(await ask(two, { limit }, elsewhere)).toMatchObject({ slots: 0, share: 1 });
      expect(await ask(one, { limit, seq: 2, seen: 1, keeps: 2 })).toMatchObject({ owes: 1 });
      const returned = { limit, seq: 3, seen: 2, keeps: 1, returnedMs: [60_000] };
      expect(await ask(one, returned)).toMatchObject({ slots: 0, owes: 0 });
      const granted = await ask(two, { limit, seq: 2, seen: 1 }, elsewhere);
      expect(granted).toMatchObject({ slots: 1 });
      expect(granted?.takenMs).toHaveLength(1);
      expect(granted?.takenMs[0]).toBeGreaterThan(30_000);
      expect(granted?.takenMs[0]).toBeLessThanOrEqual(60_000);
      await store.leaveLimit(one, NOTHING, NOW);
      await elsewhere.leaveLimit(two, { ...NOTHING, seen: 2 }, NOW);
      await elsewhere.close();
    });

    it('answers no question that was answered before', async () => {
      const sender = await join();
      expect(await ask(sender)).toMatchObject({ slots: 3 });
      expect(await ask(sender)).toBeNull();
      await store.leaveLimit(sender, NOTHING, NOW);
    });

    it('outlives its senders: what they have left, and a pause, are known to the next one', async () => {
      const sender = await join();
      await ask(sender);
      await store.leaveLimit(sender, { ...NOTHING, returnedMs: [60_000], pauseMs: 90_000 }, NOW);
      const elsewhere = await bench.openAgain();
      const next = await join(elsewhere);
      const granted = await ask(next, {}, elsewhere);
      expect(granted).toMatchObject({ slots: 3 });
      expect(granted?.takenMs).toHaveLength(1);
      expect(granted?.pauseMs).toBeGreaterThan(60_000);
      expect(granted?.pauseMs).toBeLessThanOrEqual(90_000);
      await elsewhere.leaveLimit(next, NOTHING, NOW);
      await elsewhere.close();
    });

    it('is never dealt out twice, however many ask at once', async () => {
      const handles = await Promise.all(Array.from({ length: 4 }, () => bench.openAgain()));
      const senders = await Promise.all(handles.map((handle) => join(handle)));
      const grants = await Promise.all(
        senders.map((sender, i) => ask(sender, {}, handles[i] as Store)),
      );
      expect(grants.reduce((sum, grant) => sum + (grant?.slots ?? 0), 0)).toBe(3);
      for (const [i, handle] of handles.entries()) {
        await handle.leaveLimit(senders[i] as LimitSender, NOTHING, NOW);
        await handle.close();
      }
    });
  });

  describe('the schema of the people database', () => {
    const OLD = { version: null, fields: [{ name: 'title', type: 'string' }] } as const;
    const NEW = { version: 20_260_101, fields: [{ name: 'title', type: 'integer' }] } as const;

    it('is exchanged for the one that was seen last', async () => {
      expect(await store.exchangePeopleSchema('acc', OLD, T0)).toBeNull();
      expect(await store.exchangePeopleSchema('acc', NEW, T0 + 1)).toEqual(OLD);
      const later = await bench.openAgain();
      expect(await later.exchangePeopleSchema('acc', OLD, T0 + 2)).toEqual(NEW);
      await later.close();
    });

    it('of another account is another', async () => {
      await store.exchangePeopleSchema('acc', OLD, T0);
      expect(await store.exchangePeopleSchema('acc2', NEW, T0)).toBeNull();
      expect(await store.exchangePeopleSchema('acc', OLD, T0)).toEqual(OLD);
    });
  });

  it('names the account of every run, newest first, with the address that its newest run kept', async () => {
    const start = (account: string, changes: Partial<RunPlan> = {}) =>
      store.startRun(runPlan({ account, ...changes }), T0);
    await start('acc2', { address: 'there' });
    await start('acc', { address: 'there' });
    await start('acc3');
    await start('acc2');
    expect(await store.accounts()).toEqual([
      { account: 'acc2', address: 'here', run: 5, caps: null },
      { account: 'acc3', address: 'here', run: 4, caps: null },
      { account: 'acc', address: 'there', run: 3, caps: null },
    ]);
  });

  it('remembers for which asks a dialect has read a value, of each account', async () => {
    await store.noteReadings('acc', 'd1', ['find_email']);
    await store.noteReadings('acc', 'd1', ['find_email', 'find_phone']);
    expect((await store.readings('acc', 'd1')).sort()).toEqual(['find_email', 'find_phone']);
    expect(await store.readings('acc', 'd2')).toEqual([]);
    expect(await store.readings('other', 'd1')).toEqual([]);
  });
}
