import { DOMAIN_RULES } from '../../identity/domain-owner.js';
import type { LeadAnswer } from '../../model/answer.js';
import { rowMaker } from '../../model/columns/fill.js';
import { columnsOfRun, outputColumns } from '../../model/columns/output-columns.js';
import { parsePositionShape } from '../../model/columns/positions.js';
import type { Row } from '../../model/columns/row.js';
import { wrongUse } from '../../model/errors.js';
import type { Column } from '../../model/lead.js';
import type { Run } from '../../model/run.js';
import { plainJson } from '../../model/text/json.js';
import type { Store } from '../../ports/store/store.js';
import type { OutputRow } from '../../ports/table-writer.js';
import { answerPages } from '../../run/export.js';
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
  const { columns, rowsOf } = rowsIn(run, positions);
  for await (const answers of answerPages(store, run)) {
    for (const row of answers.flatMap(rowsOf)) yield named<Input>(columns, row);
  }
}

/** The rows of one lead: several if each of its positions has one. */
export function rowsOfLead(run: Run, lead: LeadAnswer): readonly Row[] {
  const { columns, rowsOf } = rowsIn(run);
  return rowsOf(lead).map((row) => named(columns, row));
}

function rowsIn(run: Run, positions = run.output.positions) {
  const shape = parsePositionShape(positions);
  if (shape === undefined) {
    const message = 'The shape of positions is current, wide:N, long or json.';
    throw wrongUse(message);
  }
  const { fill } = run.output;
  const rowsOf = rowMaker(run.columns, { custom: run.custom, shape, fill }, DOMAIN_RULES);
  const extras = { ...columnsOfRun(run), isFilled: fill !== undefined };
  return { columns: outputColumns(run.columns, shape, extras), rowsOf };
}

function named<Input extends string>(columns: readonly Column[], row: OutputRow): Row<Input> {
  const cells = columns.map(({ key }, n) => [key, plainJson(row[n] ?? null)] as const);
  return Object.fromEntries(cells) as Row<Input>;
}
