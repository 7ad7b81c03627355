// The conformance suite of the port that looks at a state without changing it.
import { beforeEach, describe, expect, it } from 'vitest';
import { opensInMs, seenFrom } from '../../src/model/schedule/limit.js';
import type { StateCheckup, StateExaminer } from '../../src/ports/store/state-checkup.js';
import type { Store } from '../../src/ports/store/store.js';
import { T0 } from './store-bench.js';

const HOLDER = { pid: 4711, host: 'here', since: T0 };
const NOW = { at: T0, steady: null };
const RATE = [{ requests: 2, perMs: 2_000 }];

export interface CheckupHarness {
  readonly examiner: StateExaminer;
  /** Where nothing stands yet. */
  readonly path: string;
  /** A store there, as a run opens it. */
  open(): Promise<Store>;
}

export function describeCheckup(name: string, createHarness: () => CheckupHarness): void {
  describe(`the contract of looking at a state, kept by ${name}`, () => {
    let harness: CheckupHarness;
    beforeEach(() => {
      harness = createHarness();
    });

    const look = async <T>(ask: (checkup: StateCheckup) => Promise<T>): Promise<T> => {
      const checkup = await harness.examiner.openCheckup(harness.path);
      if (checkup === null) throw new Error('there is nothing');
      try {
        return await ask(checkup);
      } finally {
        await checkup.close();
      }
    };

    it('finds nothing where nothing was written, and makes nothing', async () => {
      expect(await harness.examiner.openCheckup(harness.path)).toBeNull();
      expect(await harness.examiner.openCheckup(harness.path)).toBeNull();
    });

    it('finds a new state whole, and no process at work', async () => {
      await (await harness.open()).close();
      await look(async (checkup) => {
        expect(checkup.version).toBe(checkup.versionKnown);
        const { bytes, bytesADay } = await checkup.size(T0);
        expect(bytes).toBeGreaterThan(0);
        expect(bytesADay).toBeNull();
        expect(await checkup.findDamage()).toEqual([]);
        expect(await checkup.busyJobs()).toEqual([]);
        expect(await checkup.senders('acc', NOW)).toEqual(seenFrom(null, NOW));
        expect(await checkup.signingKey()).toBeNull();
      });
    });

    it('sees who works on which job, also in the midst of it, and hinders no process', async () => {
      const store = await harness.open();
      const [nightly, weekly] = [
        await store.lockJob('nightly', HOLDER),
        await store.lockJob('weekly', HOLDER),
      ];
      expect(await look((checkup) => checkup.busyJobs())).toEqual([
        { job: 'nightly', holder: HOLDER, leftMs: null },
        { job: 'weekly', holder: HOLDER, leftMs: null },
      ]);
      if (nightly.kind === 'taken') await nightly.release();
      expect(await look((checkup) => checkup.busyJobs())).toEqual([
        { job: 'weekly', holder: HOLDER, leftMs: null },
      ]);
      const again = await store.lockJob('nightly', HOLDER);
      expect(again.kind).toBe('taken');
      for (const lock of [weekly, again]) if (lock.kind === 'taken') await lock.release();
      await store.close();
    });

    it('knows what the senders of an account hold of its limit, and begins nothing', async () => {
      const store = await harness.open();
      const senders = async (account: string) => {
        const { isSending, state } = await look((one) => one.senders(account, NOW));
        const opensMs = [1, 2].map((count) => opensInMs(state, RATE, count));
        return { isSending, opensMs, pause: state.pause?.by };
      };
      const sender = await store.joinLimit('acc', RATE, NOW);
      const ask = { endedAgoMs: [], keeps: 0, cleared: [], seq: 1, rate: RATE };
      await store.askLimit(sender, { ...ask, wants: 2, waits: [], aheadMs: 0 }, NOW);
      expect(await senders('acc')).toMatchObject({ opensMs: [2_000, 2_000], isSending: true });
      expect(await senders('other')).toMatchObject({ opensMs: [0, 0], isSending: false });
      const pause = { ms: 70_000, kind: 'poll', by: 'retry-after: 70' } as const;
      await store.leaveLimit(sender, { endedAgoMs: [500], keeps: 0, cleared: [], pause }, NOW);
      const left = { opensMs: [0, expect.any(Number)], isSending: false, pause: pause.by };
      expect(await senders('acc')).toMatchObject(left);
      expect(await senders('acc')).toMatchObject(left);
      await store.close();
    });

    it('reads the key of the webhooks where there is one', async () => {
      const store = await harness.open();
      const key = await store.signingKey();
      await store.close();
      const seen = await look((checkup) => checkup.signingKey());
      expect(Buffer.from(seen ?? []).equals(Buffer.from(key))).toBe(true);
    });

    it('knows which job is paused', async () => {
      const store = await harness.open();
      await store.pauseJob('nightly', T0);
      await store.close();
      expect(await look((checkup) => checkup.pausedSince('nightly'))).toBe(T0);
      expect(await look((checkup) => checkup.pausedSince('weekly'))).toBeNull();
    });

    it('lets others write while it looks', async () => {
      const store = await harness.open();
      await look(async (checkup) => {
        expect(await checkup.findDamage()).toEqual([]);
        expect(await store.pauseJob('nightly', T0)).toBe(true);
        expect(await checkup.findDamage()).toEqual([]);
      });
      expect((await store.jobNow('nightly')).pausedAt).toBe(T0);
      await store.close();
    });

    it('says where a state would lie, and what it has room for', async () => {
      const place = await harness.examiner.lookAtPlace(harness.path);
      expect(place).toMatchObject({ isFolderThere: true, obstacle: null });
      expect(place.freeBytes).toBeGreaterThan(0);
    });
  });
}
