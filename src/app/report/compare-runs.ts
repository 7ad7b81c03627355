// Compares two runs, and writes the table of the changes.
import { Writable } from 'node:stream';
import { SluiceError } from '../../model/errors.js';
import { changeColumns } from '../../model/report/change-table.js';
import { type CompareFigures, countComparison } from '../../model/report/compare-figures.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import type { FormatName } from '../../output/table-format.js';
import type { Store } from '../../ports/store/store.js';
import type { CellChange, TableWriter } from '../../ports/table-writer.js';
import { openPairScratch } from '../../store/sqlite/scratch-pairs.js';
import { checkWrites } from '../files/check-writes.js';
import { noStream } from '../results/export-run.js';
import { runOf } from '../results/run-of.js';
import { noting } from '../results/write-tables.js';
import { changedRows, leadReader } from './changed-rows.js';

export interface CompareWish {
  /** Columns of both inputs that together identify a lead. Default: leads with the same inputs are the same. */
  readonly key?: readonly string[] | undefined;
  /** The table of the changes, which holds persons; `-` for standard output. Default: it is not written. */
  readonly changes?: string | undefined;
  /** The stream of the table `-`; it is not ended. */
  readonly standardOutput?: Writable | undefined;
  /** The format of the table `-`: a file has that of its ending. Default: CSV. */
  readonly format?: FormatName | undefined;
  /**
   * Whether to replace a file that Sluice did not write for this; never an input, a job or a state file. Default:
   * false.
   */
  readonly force?: boolean | undefined;
}

export interface CompareReport {
  readonly figures: CompareFigures;
  /** Null if no table was wanted. */
  readonly changes: WrittenChanges | null;
}

export interface WrittenChanges {
  readonly out: string;
  /** The number of rows: one for each person for whom something changed, and for each who is in one run only. */
  readonly rows: number;
  /** Cells that the format of the table could not hold unchanged. */
  readonly changed: readonly CellChange[];
}

/**
 * Compares the present contents of two runs in the store: first the earlier one. It changes nothing, and may be
 * repeated.
 * @throws SluiceError `usage` for an unknown run, one run twice, a key that an input does not have, or a table that
 * cannot be written there
 */
export async function compareRuns(
  store: Store,
  beforeId: number,
  afterId: number,
  { changes, force = false, format, key: wanted, standardOutput }: CompareWish = {},
): Promise<CompareReport> {
  if (beforeId === afterId) {
    throw new SluiceError(
      'usage',
      `Run ${beforeId} cannot be compared with itself: name two runs, the earlier one first.`,
    );
  }
  const runs = { before: await runOf(store, beforeId), after: await runOf(store, afterId) };
  const key = wanted === undefined || wanted.length === 0 ? null : wanted;
  const readers = {
    before: leadReader(runs.before, key),
    after: leadReader(runs.after, key),
  };
  if (changes === '-' && standardOutput === undefined) throw noStream('The table of changes');
  const writes = changes === undefined ? [] : [{ path: changes, purpose: 'changes' as const }];
  const { job, output } = runs.after;
  const sources = [...runs.before.sources, ...runs.after.sources];
  await checkWrites(writes, { job, sources, isForced: force }, store);
  const count = countComparison(runs, key);
  const scratch = openPairScratch();
  let writer: TableWriter | undefined;
  try {
    writer =
      changes === undefined
        ? undefined
        : await openTableWriter(changes, changeColumns(readers.after.keyColumns), {
            ...output,
            ...(changes === '-' && format !== undefined && { format }),
            standardOutput: standardOutput ?? new Writable(),
            isPrivate: true,
            onReady: noting(store, runs.after, 'changes'),
          });
    let rows = 0;
    for await (const page of changedRows(store, { runs, readers, scratch, count })) {
      if (page.length > 0) await writer?.write(page);
      rows += page.length;
    }
    await writer?.commit();
    const written =
      changes === undefined || writer === undefined
        ? null
        : { out: changes, rows, changed: writer.changes() };
    return { figures: count.figures(), changes: written };
  } finally {
    await writer?.discard();
    scratch.close();
  }
}
