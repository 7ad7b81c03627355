// Writes a run's table, and beside it the lines that could not become leads.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { registrableDomain } from '../../identity/registrable-domain.js';
import type { LeadAnswer } from '../../model/answer.js';
import { chooseColumns, chosenCells, usedColumns } from '../../model/columns/choose-columns.js';
import { flattenAnswer } from '../../model/columns/flatten-answer.js';
import { createKeyCensus, type KeyReport } from '../../model/columns/key-census.js';
import { outputColumns, REJECT_COLUMNS } from '../../model/columns/output-columns.js';
import { SluiceError } from '../../model/errors.js';
import type { OutputPlan, Run } from '../../model/run.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import { outputProblem } from '../../output/output-problem.js';
import type { ReadyFile } from '../../output/table-file.js';
import { rejectsPath } from '../../output/target-file.js';
import type { WrittenRole } from '../../ports/store/files.js';
import type { Store } from '../../ports/store/store.js';
import type { CellChange, OutputRow } from '../../ports/table-writer.js';
import { exportRejects, rowPages, writeLeads } from '../../run/export.js';
import { openScratch } from '../../store/scratch.js';
import { checkWrites } from '../files/check-writes.js';
import { isOwn } from '../files/own-files.js';
import { placeOf, tableWrites } from '../files/target.js';
import { shapeOf } from '../settings/job-settings.js';
import { runOf } from './run-of.js';

export interface ExportReport {
  readonly out: string;
  readonly rows: number;
  /** The file of the rejects; null if there are no rejects. */
  readonly rejects: string | null;
  /** Null where the table has no key. */
  readonly key: KeyReport | null;
  /** Cells that the format of the table cannot hold as they were. */
  readonly changed: readonly CellChange[];
}

/** What of the table is other than its run has it, and where it goes. */
export type ExportWish = Partial<OutputPlan> & ExportOptions;

export interface ExportOptions {
  /** Where the table `-` goes; it is not ended. */
  readonly standardOutput?: Writable | undefined;
  /**
   * Replace files that Sluice did not write for the same purpose; never an input, a job or a state file. Default:
   * false.
   */
  readonly force?: boolean | undefined;
}

/**
 * Writes what the store knows about the run now. Can be repeated at any time.
 * @throws SluiceError `usage` where a file must not be replaced
 */
export async function exportRun(
  store: Store,
  runId: number,
  { standardOutput, force = false, ...plan }: ExportWish = {},
): Promise<ExportReport> {
  const run = await runOf(store, runId);
  const output = { ...run.output, ...plan };
  if (output.out === '-' && standardOutput === undefined) {
    throw noStream(`The table of run ${runId}`, { run: runId });
  }
  const shape = shapeOf(output.positions);
  const rejects = run.rejectCount === 0 ? null : rejectsPath(output.out);
  const { job, sources, digests } = run;
  const wish = { job, sources, digests, run: runId, isForced: force };
  await checkWrites(tableWrites(output.out, rejects), wish, store);
  const all = outputColumns(run.columns, shape);
  const pages = () => rowPages(store, run, shape, registrableDomain);
  const named = chooseColumns(all, output);
  const chosen = output.columns === 'used' ? await usedColumns(named, pages()) : named;
  const columns = chosen.map(({ column }) => column);
  const isAll = output.columns === undefined && output.key === undefined;
  const writer = await openTableWriter(output.out, columns, {
    ...output,
    standardOutput: standardOutput ?? new Writable(),
    onReady: noting(store, run, 'table'),
  });
  const scratch = openScratch();
  const census = output.key && createKeyCensus(output.key, scratch);
  const rowsOf = (answer: LeadAnswer): readonly OutputRow[] => {
    census?.add(run.columns, answer.cells);
    const rows = flattenAnswer(answer, run.columns.length, shape, registrableDomain);
    return isAll ? rows : rows.map((row) => chosenCells(row, chosen));
  };
  let rows = 0;
  try {
    [rows = 0] = await writeLeads(store, run, [{ writer, rowsOf }]);
    await writer.commit();
  } finally {
    await writer.discard();
    scratch.close();
  }
  if (rejects === null) await removeRejects(store, run, output.out);
  else await writeRejects(store, run, output, rejects);
  const key = census?.report() ?? null;
  return { out: output.out, rows, rejects, key, changed: writer.changes() };
}

/** The error for a table that goes to `-` without a stream. */
export function noStream(table: string, facts: Readonly<Record<string, number>> = {}): SluiceError {
  return new SluiceError(
    'usage',
    `${table} goes to standard output: give its stream as standardOutput, or a file as out.`,
    facts,
  );
}

async function writeRejects(
  store: Store,
  run: Run,
  output: OutputPlan,
  path: string,
): Promise<void> {
  const writer = await openTableWriter(path, REJECT_COLUMNS, {
    ...output,
    standardOutput: new Writable(),
    onReady: noting(store, run, 'rejects'),
  });
  await exportRejects(store, run, writer);
}

/** The rejects of an earlier run must not stay beside this run's table. */
async function removeRejects(store: Store, run: Run, out: string): Promise<void> {
  const path = rejectsPath(out);
  if (path === null || !existsSync(path)) return;
  const { job, sources } = run;
  if (!(await isOwn({ path, purpose: 'rejects' }, { job, sources }, store))) return;
  const place = placeOf(path);
  try {
    await rm(path, { force: true });
  } catch (cause) {
    throw outputProblem(path, cause);
  }
  await store.noteRemoved(place);
}

/** Notes the file before it replaces the old one: an unknown file would not be replaced the next time. */
function noting(store: Store, { id, job }: Run, role: WrittenRole) {
  return (file: ReadyFile): Promise<void> =>
    store.noteWritten({ ...file, path: placeOf(file.path), role, job, run: id });
}
