import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { gatherFigures } from '../../../src/app/report/gather-figures.js';
import type { MappedInput } from '../../../src/model/mapping/mapping.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { TIMES } from '../../contract/store-bench.js';
import { runPlan, skippedLead } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const folder = tempFolder();
const NAMES = ['First name', 'Last name', 'Where they work'];
let count = 0;

/** What the report of a run advises whose leads were all skipped. */
async function adviceOf(
  rows: readonly (readonly string[])[],
  { names = NAMES }: { names?: readonly string[] } = {},
) {
  const store = openSqliteStore(join(folder, `${(count += 1)}.db`));
  onTestFinished(() => store.close());
  const run = await store.startRun(runPlan({ job: 'elsewhere' }), TIMES.at);
  const columns = names.map((name) => ({ key: name, name }));
  const mapping = (['firstName', 'lastName'] as const).map(
    (input, index): MappedInput => ({
      input,
      column: columns[index] as (typeof columns)[number],
      index,
      isGuessed: true,
    }),
  );
  const leads = rows.map((cells, n) => ({ ...skippedLead(n + 1, 'insufficient inputs'), cells }));
  await store.ingest(run.id, { columns, leads, rejects: [], mapping }, TIMES);
  await store.finishReading(run.id);
  await store.endRun(run.id, 'finished', TIMES.at);
  const { trouble } = await gatherFigures(store, run.id);
  return trouble.advice;
}

const ROWS = ['engines.example', 'acme.com', 'firm.org'].map((site, n) => [
  'Ada',
  `Byron${n}`,
  site,
]);

it('tells in a report which unused column looks like what most leads lacked, with the flag', async () => {
  expect(await adviceOf(ROWS)).toEqual([
    "3 of 3 leads are skipped: companyDomain is missing. Where they work looks like it: --map companyDomain='Where they work'.",
  ]);
});

it('names the command that looks at the input where the state does not tell', async () => {
  const where =
    '3 of 3 leads are skipped. For what the columns are taken, and which of them would help, says: sluice plan';
  expect(await adviceOf(ROWS.map(([first = '', last = '']) => [first, last, '17']))).toEqual([
    where,
  ]);
  // A header that is missing: its names are what a lead has.
  expect(await adviceOf(ROWS, { names: ['Ada', 'Byron', 'https://acme.com'] })).toEqual([where]);
});
