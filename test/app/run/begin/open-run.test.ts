import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seeRun } from '../../../../src/app/results/see-run.js';
import { openRun } from '../../../../src/app/run/begin/open-run.js';
import type { TableNames } from '../../../../src/model/run.js';
import { openSqliteStore } from '../../../../src/store/sqlite/open-sqlite-store.js';
import { asked, runPlan } from '../../../helpers/leads.js';
import { tempFolder } from '../../../helpers/temp-folder.js';

const store = openSqliteStore(join(tempFolder(), 'state.db'));
afterAll(() => store.close());
const unchecked = () => Promise.resolve();

describe('the run that a command works on', () => {
  it('is the open one where it asks the same of the same input, with the table of this command', async () => {
    const first = await openRun(store, runPlan({ job: 'a' }), 1, unchecked);
    expect(first.isContinued).toBe(false);
    const output = { ...first.run.output, out: 'elsewhere.csv' };
    const second = await openRun(store, runPlan({ job: 'a', output }), 2, unchecked);
    expect(second).toMatchObject({ isContinued: true, run: { id: first.run.id, output } });
    expect((await store.findRun(first.run.id))?.output).toEqual(output);
  });

  it('is told how long no process worked on it: since its end, or since its last request', async () => {
    const plan = runPlan({ job: 'e' });
    const { id } = (await openRun(store, plan, 1_000, unchecked)).run;
    const leads = [asked(1, 'ada'), asked(2, 'bob')];
    const times = { at: 1_500, freshSince: 0, deadlineAt: 9_000 };
    await store.ingest(id, { columns: [], leads, rejects: [] }, times);
    const second = {
      at: 1_000,
      polls: 1,
      submits: 0,
      others: 0,
      peak: 1,
      throttled: 0,
      pausedMs: 0,
    };
    await store.noteRequests(id, { seconds: [second], http: [] });
    const left = await openRun(store, plan, 10_000, unchecked);
    expect(left.run.idleMs).toBe(8_000);
    await store.finishReading(id);
    for (const { id: enrichment, send } of (await store.claim(id, 2, 10_000)).claimed) {
      await store.recordSubmits([
        { id: enrichment, send, at: 10_000, kind: 'refused', reason: 'no such domain' },
      ]);
    }
    await store.endRun(id, 'finished', 12_000);
    await store.retry(id, ['failed'], { at: 20_000, deadlineAt: 90_000 });
    const { run } = await openRun(store, plan, 32_000, unchecked);
    expect(run.idleMs).toBe(28_000);
    expect(await store.findRun(id)).toEqual(run);
  });

  it('is told the budget that it had, at the price that a credit had', async () => {
    const priced = (millionths: number) => ({ credit: { millionths, currency: 'EUR' } });
    const before = runPlan({ job: 'm', budget: 25, ...priced(2_000_000) });
    await openRun(store, before, 1_000, unchecked);
    const plan = runPlan({ job: 'm', ...priced(4_000_000) });
    const { budgetBefore } = await openRun(store, plan, 2_000, unchecked);
    expect(budgetBefore).toBe('50.00 EUR');
    expect((await openRun(store, plan, 3_000, unchecked)).budgetBefore).toBeUndefined();
  });

  it('is told so of a run that counts nothing itself, as that of a waterfall', async () => {
    const plan = runPlan({ job: 'w' });
    const { id } = (await openRun(store, plan, 1_000, unchecked)).run;
    await store.changeRun(id, { left: { at: 3_000, by: 'signal' } });
    expect((await openRun(store, plan, 900_000, unchecked)).run.idleMs).toBe(897_000);
  });

  it.each([
    ['the input changed', { signature: 's2' }],
    ['something else is asked', { terms: 't2' }],
  ])('is a new one where %s', async (_, changes) => {
    const first = await openRun(store, runPlan({ job: 'b' }), 1, unchecked);
    const second = await openRun(store, runPlan({ job: 'b', ...changes }), 2, unchecked);
    expect(second.isContinued).toBe(false);
    expect((await store.findRun(first.run.id))?.state).toBe('replaced');
  });

  it('leaves the run that it replaces with the numbers of that time, whatever its leads get later', async () => {
    const times = { at: 2, freshSince: 0, deadlineAt: 9_000 };
    const portion = { columns: [], leads: [asked(1, 'kim'), asked(2, 'lou')], rejects: [] };
    const begin = async (signature: string) => {
      const { run } = await openRun(store, runPlan({ job: 'g', signature }), 1, unchecked);
      await store.ingest(run.id, portion, times);
      return run;
    };
    const first = await begin('1');
    await store.finishReading(first.id);
    const [sent] = (await store.claim(first.id, 1, 3)).claimed;
    const next = await begin('2');
    const refused = { kind: 'refused', reason: 'no such domain' } as const;
    await store.recordSubmits([{ id: sent?.id ?? 0, send: 1, at: 4, ...refused }]);
    expect((await seeRun(store, next)).tally.byStatus).toMatchObject({ failed: 1 });
    expect(await seeRun(store, first)).toMatchObject({
      state: 'replaced',
      tally: { leads: 2, byStatus: { failed: 0 } },
    });
  });

  it('knows the unfinished runs in whose place it is, until one of the job has ended', async () => {
    const begin = async (signature: string, at: number) =>
      (await openRun(store, runPlan({ job: 'f', signature }), at, unchecked)).run;
    const first = await begin('1', 1);
    const second = await begin('2', 2);
    expect([first.replaces, second.replaces]).toEqual([undefined, [first.id]]);
    const third = await begin('3', 3);
    expect(third.replaces).toEqual([first.id, second.id]);
    expect((await begin('3', 4)).replaces).toEqual(third.replaces);
    await store.ingest(
      third.id,
      { columns: [], leads: [asked(1, 'eve')], rejects: [] },
      { at: 4, freshSince: 0, deadlineAt: 9_000 },
    );
    await store.finishReading(third.id);
    const [sent] = (await store.claim(third.id, 1, 4)).claimed;
    await store.recordSubmits([
      { id: sent?.id ?? 0, send: 1, at: 4, kind: 'refused', reason: 'no' },
    ]);
    await store.endRun(third.id, 'finished', 5);
    // It had finished, whatever is tried again.
    expect(await store.retry(third.id, ['failed'], { at: 6, deadlineAt: 9 })).toMatchObject({
      queued: 1,
    });
    const fourth = await begin('4', 7);
    expect(fourth.replaces).toBeUndefined();
    await store.endRun(fourth.id, 'cancelled', 8);
    expect((await begin('5', 9)).replaces).toBeUndefined();
  });

  it('is not stored, nor told of another table, where that must not be written', async () => {
    const checked: [string, number | null][] = [];
    const refuse = async ({ out }: TableNames, run: number | null) => {
      checked.push([out, run]);
      throw new Error('refused');
    };
    const { output } = runPlan();
    const named = runPlan({ job: 'd', output: { ...output, out: 'o-{run}.csv' } });
    await expect(openRun(store, named, 1, refuse)).rejects.toThrow('refused');
    expect((await store.jobNow('d')).hasRun).toBe(false);
    const { run } = await openRun(store, named, 1, unchecked);
    expect(checked).toEqual([[run.output.out, null]]);
    const moved = { ...named, output: { ...output, out: 'else.csv' } };
    await expect(openRun(store, moved, 2, refuse)).rejects.toThrow('refused');
    expect(checked[1]).toEqual(['else.csv', run.id]);
    expect((await store.findRun(run.id))?.output).toEqual(run.output);
  });

  it('is always a new one for a pipe: nothing tells that it holds the same', async () => {
    const plan = runPlan({ job: 'c', signature: null, sources: ['/dev/fd/63'] });
    await openRun(store, plan, 1, unchecked);
    expect((await openRun(store, plan, 2, unchecked)).isContinued).toBe(false);
  });
});
