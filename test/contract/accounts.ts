// Accounts: what each sender leaves of the rate limit, over the end of a process, and the fields of the people database.
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunPlan } from '../../src/model/run.js';
import type { HeldLimit } from '../../src/model/schedule/rate.js';
import type { Moment } from '../../src/ports/clock.js';
import type { Store } from '../../src/ports/store/store.js';
import { runPlan } from '../helpers/leads.js';
import { type StoreBench, T0 } from './store-bench.js';

const LIMIT = { requests: 3, perMs: 2_000 };
const NOTHING: HeldLimit = { slotsMs: [], pauseMs: 0 };
const WHOLE: HeldLimit = { slotsMs: [2_000, 2_000, 2_000], pauseMs: 0 };

/** So long after T0, by the clock on the wall alone. */
function after(ms: number): Moment {
  return { at: T0 + ms, steady: null };
}

function slots(...slotsMs: number[]): HeldLimit {
  return { slotsMs, pauseMs: 0 };
}

export function describeAccounts(bench: StoreBench): void {
  let store: Store;
  beforeEach(() => {
    ({ store } = bench);
  });

  const begin = (at: number | Moment = 0, on = store) =>
    on.beginSending('acc', LIMIT, typeof at === 'number' ? after(at) : at);

  /** What the next one is told, which sends nothing itself. */
  const told = async (at: number | Moment): Promise<HeldLimit> => {
    const begun = await begin(at);
    await store.endSending(begun.sender, NOTHING, typeof at === 'number' ? after(at) : at);
    return begun.held;
  };

  describe('the senders of an account', () => {
    it('the next one is told what is left of the slots and of the pause', async () => {
      const { sender, ...others } = await begin();
      expect(others).toEqual({ held: NOTHING, isSending: false });
      await store.endSending(sender, { slotsMs: [900, 1_500], pauseMs: 60_000 }, after(10));
      expect(await told(910)).toEqual({ slotsMs: [600], pauseMs: 59_100 });
      expect(await told(30_010)).toEqual({ slotsMs: [], pauseMs: 30_000 });
      expect(await told(60_010)).toEqual(NOTHING);
      const other = await store.beginSending('other', LIMIT, after(10));
      expect(other.held).toEqual(NOTHING);
      await store.endSending(other.sender, NOTHING, after(10));
    });

    it('the end of one that sent nothing frees nothing of what another one left', async () => {
      const idle = await begin();
      const busy = await begin();
      await store.endSending(busy.sender, slots(2_000, 2_000), after(100));
      await store.endSending(idle.sender, NOTHING, after(200));
      expect(await told(600)).toEqual(slots(1_500, 1_500));
    });

    it('all that several have left is held', async () => {
      const [one, two] = [await begin(), await begin()];
      await store.endSending(one.sender, slots(500), after(0));
      await store.endSending(two.sender, { slotsMs: [1_000], pauseMs: 700 }, after(0));
      const { slotsMs, pauseMs } = await told(100);
      expect(slotsMs.toSorted((a, b) => a - b)).toEqual([400, 900]);
      expect(pauseMs).toBe(600);
    });

    it('of one that sends, and of one that was killed, the whole window is taken', async () => {
      const elsewhere = await bench.openAgain();
      await begin(0, elsewhere);
      const meanwhile = await begin(5_000);
      expect(meanwhile).toMatchObject({ held: WHOLE, isSending: true });
      await store.endSending(meanwhile.sender, NOTHING, after(5_000));
      expect(await told(60_000)).toEqual(WHOLE);
      // It dies; that is noticed by the next one, from when on it counts.
      await elsewhere.close();
      expect(await told(90_000)).toEqual(WHOLE);
      expect(await told(90_500)).toEqual(slots(1_500, 1_500, 1_500));
      expect(await told(92_000)).toEqual(NOTHING);
    });

    it('a killed one is remembered by who keeps to no limit, or to a shorter one', async () => {
      const elsewhere = await bench.openAgain();
      await begin(0, elsewhere);
      await elsewhere.close();
      for (const limit of ['off', { requests: 1, perMs: 10 }] as const) {
        const { sender } = await store.beginSending('acc', limit, after(100));
        await store.endSending(sender, NOTHING, after(100));
      }
      expect(await told(600)).toEqual(slots(1_500, 1_500, 1_500));
    });

    it('a clock that was set back frees nothing, and holds nothing for longer either', async () => {
      const { sender } = await begin();
      await store.endSending(sender, { slotsMs: [2_000], pauseMs: 9_000 }, after(0));
      const back = -86_400_000;
      expect(await told(back)).toEqual({ slotsMs: [2_000], pauseMs: 9_000 });
      expect(await told(back + 1_500)).toEqual({ slotsMs: [500], pauseMs: 7_500 });
      expect(await told(back + 9_000)).toEqual(NOTHING);
    });

    it('a clock that was set far ahead frees nothing while the machine runs on', async () => {
      const moment = (ms: number, steadyMs: number, boot = 'a'): Moment => ({
        at: T0 + ms,
        steady: { boot, ms: steadyMs },
      });
      const leave = async () => {
        const { sender } = await begin(moment(0, 70_000));
        await store.endSending(sender, slots(2_000), moment(0, 70_000));
      };
      await leave();
      expect(await told(moment(86_400_000, 70_500))).toEqual(slots(1_500));
      expect(await told(moment(86_400_000, 72_000))).toEqual(NOTHING);
      // Of another start of the machine, or where nobody can tell, the clock on the wall has to do.
      await leave();
      expect(await told(moment(500, 90_000, 'b'))).toEqual(slots(1_500));
      expect(await told(after(1_000))).toEqual(slots(1_000));
      expect(await told(moment(1_500, 60_000))).toEqual(slots(500));
    });

    it('ending twice is as good as once', async () => {
      const { sender } = await begin();
      await store.endSending(sender, slots(2_000), after(0));
      await store.endSending(sender, slots(2_000), after(0));
      expect(await told(0)).toEqual(slots(2_000));
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
    await start('acc2');
    await start('acc', { address: 'there' });
    await start('acc3');
    await start('acc2', { address: 'here' });
    expect(await store.accounts()).toEqual([
      { account: 'acc2', address: 'here', run: 5 },
      { account: 'acc3', address: null, run: 4 },
      { account: 'acc', address: 'there', run: 3 },
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
