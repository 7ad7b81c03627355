// The rows of a run for a program: what its table would hold, without writing one.

import { registrableDomain } from '../../identity/registrable-domain.js';
import { outputColumns } from '../../model/columns/output-columns.js';
import { parsePositionShape } from '../../model/columns/positions.js';
import { SluiceError } from '../../model/errors.js';
import { type JsonValue, plainJson } from '../../model/text/json.js';
import type { Store } from '../../ports/store/store.js';
import { rowPages } from '../../run/export.js';
import { unknownRun } from './export-run.js';

/** The keys of the NDJSON table, and always all of them; null is an empty cell. */
export type Row = Readonly<Record<string, JsonValue>>;

/**
 * Reads what the store knows of a run at this moment, lead by lead in input order, a page at a time.
 * `positions` is written as in a job; without it, the run's own.
 * @throws SluiceError `usage` for a run that is not there, or a shape that is none
 */
export async function* readRows(
  store: Store,
  runId: number,
  positions?: string,
): AsyncGenerator<Row, void, undefined> {
  const run = await store.findRun(runId);
  if (run === null) throw unknownRun(runId);
  const shape = parsePositionShape(positions ?? run.output.positions);
  if (shape === undefined) {
    const message = 'The shape of positions is current, wide:N, long or json.';
    throw new SluiceError('usage', message, { key: 'positions' });
  }
  const keys = outputColumns(run.columns, shape).map(({ key }) => key);
  for await (const rows of rowPages(store, run, shape, registrableDomain)) {
    for (const row of rows) {
      yield Object.fromEntries(keys.map((key, n) => [key, plainJson(row[n] ?? null)]));
    }
  }
}
