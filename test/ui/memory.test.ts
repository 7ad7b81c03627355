import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { memoryOf } from '../../src/ui/memory.js';
import { around } from '../helpers/around.js';
import { asked, COLUMNS, runPlan, skippedLead } from '../helpers/leads.js';
import { tempFolder } from '../helpers/temp-folder.js';

const folder = tempFolder();
let files = 0;

type Answer =
  | { readonly outcome: 'failed'; readonly reason: string }
  | { readonly outcome: 'not_found'; readonly result: object; readonly credits: number };

/** A state with one run, whose leads take so long to be counted; `shown` is what a page shows of them. */
async function openRun(countMs: number) {
  let now = 1_700_000_000_000;
  const store = openSqliteStore(join(folder, `${(files += 1)}.db`));
  onTestFinished(() => store.close());
  const run = await store.startRun(runPlan(), now);
  const slow = around(store, async (verb, call) => {
    if (verb === 'tally') now += countMs;
    return call();
  });
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const { tallyOf } = memoryOf({ store: slow, clock });
  let position = 0;
  const answer = async (settled: Answer): Promise<void> => {
    for (const { id, send } of (await store.claim(run.id, 1, now)).claimed) {
      const sent = {
        id,
        send,
        at: now,
        ticket: `enr_${send}`,
        pollAt: now,
        deadlineAt: now + 1_000,
      };
      await store.recordSubmits([{ ...sent, kind: 'accepted' }]);
      await store.settle([{ id, at: now, ...settled }]);
    }
  };
  return {
    finish: async () => {
      await store.finishReading(run.id);
      await store.endRun(run.id, 'finished', now);
    },
    /** Reads a lead that fails. */
    fail: async () => {
      position += 1;
      const times = { at: now, freshSince: now, deadlineAt: now + 1_000 };
      const leads = [asked(position, 'ada')];
      await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, times);
      await answer({ outcome: 'failed', reason: 'broken' });
    },
    /** Opens the failed lead again; the run ends once more with an answer. */
    retry: async () => {
      await store.retry(run.id, ['failed'], { at: now, deadlineAt: now + 1_000, askAnew: true });
      await answer({ outcome: 'not_found', result: {}, credits: 0 });
      await store.endRun(run.id, 'finished', now);
    },
    read: () => {
      position += 1;
      const leads = [skippedLead(position, 'no name')];
      const times = { at: now, freshSince: now, deadlineAt: now };
      return store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, times);
    },
    shown: async () => (await tallyOf((await store.findRun(run.id)) ?? run)).leads,
    failed: async () => (await tallyOf((await store.findRun(run.id)) ?? run)).byStatus.failed,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

describe('what a run shows', () => {
  it('is as it is now, where that takes no time to count', async () => {
    const { read, shown } = await openRun(0);
    expect(await shown()).toBe(0);
    await read();
    expect(await shown()).toBe(1);
  });

  it('is kept for as long as twenty counts take', async () => {
    const { read, shown, wait } = await openRun(3_000);
    expect(await shown()).toBe(0);
    await read();
    wait(59_999);
    expect(await shown()).toBe(0);
    wait(1);
    expect(await shown()).toBe(1);
  });

  it('is counted again once the run has ended, and then now and then', async () => {
    const { finish, read, shown, wait } = await openRun(150);
    await read();
    expect(await shown()).toBe(1);
    await read();
    await finish();
    expect(await shown()).toBe(2);
    await read();
    wait(29_999);
    expect(await shown()).toBe(2);
    wait(1);
    expect(await shown()).toBe(3);
  });

  it('is counted again where it was retried and has ended once more, and no page was open meanwhile', async () => {
    const { fail, failed, finish, retry, wait } = await openRun(1);
    await fail();
    await finish();
    expect(await failed()).toBe(1);
    wait(1_000);
    await retry();
    expect(await failed()).toBe(0);
  });
});
