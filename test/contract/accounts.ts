// Accounts: the rate limit, shared by those who send, and the fields of the people database.
import { describe, expect, it } from 'vitest';
import type { RunPlan } from '../../src/model/run.js';
import type { LimitAsk } from '../../src/model/schedule/limit-words.js';
import type { LimitSender } from '../../src/ports/store/accounts.js';
import type { Store } from '../../src/ports/store/store.js';
import { runPlan } from '../helpers/leads.js';
import { type StoreBench, T0 } from './store-bench.js';

const RATE = [{ requests: 3, perMs: 2_000 }];
const LONG = [{ requests: 3, perMs: 600_000 }];
const WORD = { endedAgoMs: [], keeps: 0, cleared: [] };

export function describeAccounts(bench: StoreBench): void {
  const { store } = bench;

  describe('the limit of an account', () => {
    const NOW = { at: T0, steady: null };
    const join = (on = store, account = 'acc') => on.joinLimit(account, RATE, NOW);
    const ask = (sender: LimitSender, changes: Partial<LimitAsk> = {}, on = store) => {
      const first = { ...WORD, seq: 1, rate: RATE, wants: 3, waits: [], aheadMs: 0 };
      return on.askLimit(sender, { ...first, ...changes }, NOW);
    };

    it('is a sender’s alone with its first question', async () => {
      const sender = await join();
      expect(await ask(sender, { wants: 1 })).toMatchObject({
        startsInMs: [0, 0, 0],
        isShared: false,
      });
      const other = await join(store, 'other');
      expect(await ask(other)).toMatchObject({ startsInMs: [0, 0, 0], isShared: false });
      for (const one of [sender, other]) await store.leaveLimit(one, WORD, NOW);
    });

    it('is shared by all handles, and what one has used another gets a window later', async () => {
      const elsewhere = await bench.openAgain();
      const [one, two] = [await join(), await join(elsewhere)];
      const rate = LONG;
      expect(await ask(one, { rate })).toMatchObject({ startsInMs: [0, 0, 0], isShared: true });
      expect(await ask(two, { rate }, elsewhere)).toMatchObject({ startsInMs: [], isShared: true });
      // It gives one back unused, and one has ended.
      await ask(one, { rate, seq: 2, keeps: 1, wants: 0, endedAgoMs: [545_000] });
      const granted = await ask(two, { rate, seq: 2, aheadMs: 60_000 }, elsewhere);
      expect(granted?.startsInMs).toHaveLength(2);
      expect(granted?.startsInMs[0]).toBe(0);
      expect(granted?.startsInMs[1]).toBeGreaterThan(30_000);
      expect(granted?.startsInMs[1]).toBeLessThanOrEqual(60_000);
      await store.leaveLimit(one, WORD, NOW);
      await elsewhere.leaveLimit(two, WORD, NOW);
      await elsewhere.close();
    });

    it('answers no question that was answered before', async () => {
      const sender = await join();
      expect(await ask(sender)).toMatchObject({ startsInMs: [0, 0, 0] });
      expect(await ask(sender)).toBeNull();
      await store.leaveLimit(sender, WORD, NOW);
    });

    it('outlives its senders: what they have left, and a pause, are known to the next one', async () => {
      const sender = await join();
      await ask(sender, { rate: LONG });
      const pause = { ms: 50_000, kind: 'submit', by: 'retry-after: 50' } as const;
      await store.leaveLimit(sender, { ...WORD, keeps: 2, endedAgoMs: [1_000], pause }, NOW);
      const elsewhere = await bench.openAgain();
      const next = await join(elsewhere);
      const granted = await ask(next, { rate: LONG }, elsewhere);
      expect(granted).toMatchObject({
        startsInMs: [],
        next: { window: LONG[0] },
        pause: { kinds: ['submit', 'poll'], tryInMs: null, by: 'retry-after: 50' },
      });
      expect(granted?.next?.ms).toBeGreaterThan(540_000);
      expect(granted?.pause?.ms).toBeGreaterThan(20_000);
      expect(granted?.pause?.ms).toBeLessThanOrEqual(50_000);
      await elsewhere.leaveLimit(next, WORD, NOW);
      await elsewhere.close();
    });

    it('has one request a minute try a long pause, whoever asks, and each kind goes on once it was answered', async () => {
      const elsewhere = await bench.openAgain();
      const [one, two] = [await join(), await join(elsewhere)];
      const pause = { ms: 999_999_000, kind: 'submit', by: 'retry-after: 999999' } as const;
      const waits = ['submit', 'poll'] as const;
      const told = await ask(one, { pause, waits });
      expect(told).toMatchObject({ trial: null, pause: { kinds: ['submit', 'poll'] } });
      expect(told?.pause?.tryInMs).toBeLessThanOrEqual(60_000);
      await ask(one, { seq: 2, cleared: ['poll'] });
      const left = await ask(two, { waits }, elsewhere);
      expect(left).toMatchObject({ trial: null, pause: { kinds: ['submit'], by: pause.by } });
      await ask(two, { seq: 2, cleared: ['submit'] }, elsewhere);
      expect(await ask(one, { seq: 3, waits })).toMatchObject({ pause: null });
      await store.leaveLimit(one, WORD, NOW);
      await elsewhere.leaveLimit(two, WORD, NOW);
      await elsewhere.close();
    });

    it('is never given away twice, however many ask at once', async () => {
      const handles = await Promise.all(Array.from({ length: 4 }, () => bench.openAgain()));
      const senders = await Promise.all(handles.map((handle) => join(handle)));
      const grants = await Promise.all(
        senders.map((sender, i) => ask(sender, { rate: LONG }, handles[i] as Store)),
      );
      const given = grants.map((grant) => grant?.startsInMs.length ?? 0);
      expect(given.reduce((sum, count) => sum + count, 0)).toBe(3);
      for (const [i, handle] of handles.entries()) {
        await handle.leaveLimit(senders[i] as LimitSender, WORD, NOW);
        await handle.close();
      }
    });
  });

  it('remembers that the last request of an account had no answer', async () => {
    expect(await store.isOut('acc')).toBe(false);
    for (const is of [true, true, false]) {
      await store.noteOutage('acc', is);
      expect([await store.isOut('acc'), await store.isOut('other')]).toEqual([is, false]);
    }
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
      { account: 'acc2', address: 'here', run: 5, caps: null, told: {} },
      { account: 'acc3', address: 'here', run: 4, caps: null, told: {} },
      { account: 'acc', address: 'there', run: 3, caps: null, told: {} },
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
