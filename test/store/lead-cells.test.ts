// The cells of leads, many in a row: each lead shows its own, however they came in and whatever is forgotten.
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createPersonMatch } from '../../src/model/person-match.js';
import type { JsonValue } from '../../src/model/text/json.js';
import { openSqliteStore } from '../../src/store/open-sqlite-store.js';
import { asked, runPlan } from '../helpers/leads.js';
import { tempFolder } from '../helpers/temp-folder.js';

const T0 = 1_750_000_000_000;
const TIMES = { at: T0, freshSince: T0, deadlineAt: T0 + 1 };

describe('the cells of leads', () => {
  const store = openSqliteStore(join(tempFolder(), 'state.db'));
  afterAll(() => store.close());

  const startRun = async () => (await store.startRun(runPlan(), T0)).id;
  const ingest = async (
    runId: number,
    leads: readonly { position: number; cells: JsonValue[] }[],
  ) =>
    store.ingest(
      runId,
      {
        columns: [],
        leads: leads.map(({ position, cells }) => ({ ...asked(position, `${runId}`), cells })),
        rejects: [],
      },
      TIMES,
    );
  const cellsOf = async (runId: number, pageLength = 1_000): Promise<JsonValue[][]> => {
    const cells: JsonValue[][] = [];
    for (let after = 0; ; ) {
      const page = await store.answers(runId, after, pageLength);
      cells.push(...page.map((answer) => [...answer.cells]));
      const last = page.at(-1);
      if (last === undefined) return cells;
      after = last.position;
    }
  };

  it('are those that came in, in batches and pages of any length, with positions left out', async () => {
    const leads = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.array(fc.jsonValue())), {
      maxLength: 40,
    });
    const sizes = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(leads, sizes, sizes, async (steps, batchLength, pageLength) => {
        const runId = await startRun();
        let position = 0;
        const all = steps.map(([step, cells]) => {
          position += step;
          return { position, cells: cells as JsonValue[] };
        });
        for (let i = 0; i < all.length; i += batchLength) {
          await ingest(runId, all.slice(i, i + batchLength));
        }
        // As JSON has them: it knows no -0.
        const expected = JSON.parse(JSON.stringify(all.map(({ cells }) => cells))) as unknown;
        expect(await cellsOf(runId, pageLength)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('are passed over where the leads are in already', async () => {
    const runId = await startRun();
    const lead = (position: number, name: string) => ({ position, cells: [name] });
    await ingest(runId, [lead(1, 'ada'), lead(2, 'bob')]);
    await ingest(runId, [lead(2, 'again'), lead(3, 'cyd')]);
    await ingest(runId, [lead(3, 'again')]);
    expect(await cellsOf(runId)).toEqual([['ada'], ['bob'], ['cyd']]);
  });

  it('are gone for a forgotten person alone', async () => {
    const folder = tempFolder();
    const own = openSqliteStore(join(folder, 'forget.db'));
    const run = await own.startRun(runPlan(), T0);
    const names = ['ada', 'bob', 'cyd', 'bob', 'dan'];
    const leads = names.map((name, i) => ({
      ...asked(i + 1, `${name} ${i}`),
      cells: [`${name}@example.com`],
    }));
    const add = (some: typeof leads) =>
      own.ingest(run.id, { columns: [], leads: some, rejects: [] }, TIMES);
    await add(leads.slice(0, 3));
    await add(leads.slice(3));
    await own.cancelRun(run.id, T0);
    const match = createPersonMatch([{ kind: 'email', spellings: ['bob@example.com'] }]);
    expect(await own.forget(match, T0, true)).toMatchObject({ leads: 2, isErased: true });
    expect((await own.answers(run.id, 0, 9)).map(({ cells }) => cells)).toEqual([
      ['ada@example.com'],
      [],
      ['cyd@example.com'],
      [],
      ['dan@example.com'],
    ]);
    expect(await own.forget(match, T0, true)).toMatchObject({ leads: 0 });
    await own.close();
  });
});
