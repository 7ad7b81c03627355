import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRun } from '../../src/app/open-run.js';
import { openSqliteStore } from '../../src/store/open-sqlite-store.js';
import { runPlan } from '../helpers/leads.js';
import { tempFolder } from '../helpers/temp-folder.js';

const store = openSqliteStore(join(tempFolder(), 'state.db'));
afterAll(() => store.close());

describe('the run that a command works on', () => {
  it('is the open one where it asks the same of the same input, with the table of this command', async () => {
    const first = await openRun(store, runPlan({ job: 'a' }), 1);
    expect(first.isContinued).toBe(false);
    const output = { ...first.run.output, out: 'elsewhere.csv' };
    const second = await openRun(store, runPlan({ job: 'a', output }), 2);
    expect(second).toMatchObject({ isContinued: true, run: { id: first.run.id, output } });
    expect((await store.findRun(first.run.id))?.output).toEqual(output);
  });

  it.each([
    ['the input changed', { signature: 's2' }],
    ['something else is asked', { terms: 't2' }],
  ])('is a new one where %s', async (_, changes) => {
    const first = await openRun(store, runPlan({ job: 'b' }), 1);
    const second = await openRun(store, runPlan({ job: 'b', ...changes }), 2);
    expect(second.isContinued).toBe(false);
    expect((await store.findRun(first.run.id))?.state).toBe('replaced');
  });

  it('is always a new one for a pipe: nobody knows that it holds the same', async () => {
    const plan = runPlan({ job: 'c', signature: null, sources: ['/dev/fd/63'] });
    await openRun(store, plan, 1);
    expect((await openRun(store, plan, 2)).isContinued).toBe(false);
  });
});
