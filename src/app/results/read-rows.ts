// Reads the rows of a run for a program: those of its table, without writing it.

import { registrableDomain } from '../../identity/registrable-domain.js';
import { rowMaker } from '../../model/columns/fill.js';
import { columnsOfRun, outputColumns } from '../../model/columns/output-columns.js';
import { parsePositionShape } from '../../model/columns/positions.js';
import type { Row } from '../../model/columns/row.js';
import { SluiceError } from '../../model/errors.js';
import { plainJson } from '../../model/text/json.js';
import type { Store } from '../../ports/store/store.js';
import { rowPages } from '../../run/export.js';
import { runOf } from './run-of.js';

/**
 * Reads the present contents of a run in the store, lead by lead in input order, a page at a time.
 * @throws SluiceError `usage` for an unknown run or an invalid shape
 */
export async function* readRows<Input extends string = string>(
  store: Store,
  runId: number,
  { positions }: { /** Default: the shape of the run's own. */ readonly positions?: string } = {},
): AsyncGenerator<Row<Input>, void, undefined> {
  const run = await runOf(store, runId);
  const shape = parsePositionShape(positions ?? run.output.positions);
  if (shape === undefined) {
    const message = 'The shape of positions is current, wide:N, long or json.';
    throw new SluiceError('usage', message, { key: 'positions' });
  }
  const { fill } = run.output;
  const { columns, custom } = run;
  const rowsOf = rowMaker(columns, { custom, shape, fill }, registrableDomain);
  const extras = { ...columnsOfRun(run), isFilled: fill !== undefined };
  const keys = outputColumns(columns, shape, extras).map(({ key }) => key);
  for await (const rows of rowPages(store, run, rowsOf)) {
    for (const row of rows) {
      yield Object.fromEntries(
        keys.map((key, n) => [key, plainJson(row[n] ?? null)]),
      ) as Row<Input>;
    }
  }
}
