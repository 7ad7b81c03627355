// Writes the tables of a run's leads: each whole before the first takes its place, and each in one step.
import type { Writable } from 'node:stream';
import type { LeadAnswer } from '../../model/answer.js';
import { companyRow } from '../../model/columns/companies.js';
import { createKeyCensus } from '../../model/columns/key-census.js';
import type { OutputPlan, Run } from '../../model/run.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import type { ReadyFile } from '../../output/table-file.js';
import type { FormatName } from '../../output/table-format.js';
import type { WrittenRole } from '../../ports/store/files.js';
import type { Store } from '../../ports/store/store.js';
import type { OutputRow, TableWriter } from '../../ports/table-writer.js';
import { answerPages, writeRows } from '../../run/export.js';
import { openScratch, type Scratch } from '../../store/sqlite/scratch.js';
import { placeOf, type TableFiles } from '../files/target.js';
import type { LeadTables, TableName } from './lead-tables.js';

/** The number of companies that are read at once, which stay in memory together. */
const COMPANIES_AT_ONCE = 200;

/**
 * The tables in the order in which they take their places: that of people last, so that everything to which it refers
 * is there.
 */
export function namedTables({ out, further = {} }: TableFiles) {
  const names = { companies: further.companies, positions: further.positions, people: out };
  return Object.entries(names).flatMap(([name, path]) =>
    path === undefined ? [] : [{ name: name as TableName, path }],
  );
}

interface TableTargets {
  readonly paths: ReturnType<typeof namedTables>;
  readonly output: OutputPlan;
  /** The stream of the table `-`. */
  readonly standardOutput: Writable;
  /** The format of that table; default CSV. */
  readonly format?: FormatName | undefined;
}

/**
 * Reads the leads once, and writes all tables before the first of them takes its place.
 * @returns the number of rows of each table, its key, and the cells that it could not hold unchanged
 */
export async function writeTables(
  store: Store,
  run: Run,
  tables: LeadTables,
  { format, paths, output, standardOutput }: TableTargets,
) {
  const scratch = openScratch();
  const census = output.key && createKeyCensus(output.key, scratch);
  const rowsOf = (answer: LeadAnswer): (readonly OutputRow[])[] => {
    const made = tables.rowsOf(answer);
    if (made === null) return [];
    census?.add(run.columns, answer.cells);
    return paths.map(({ name }) => {
      if (name !== 'companies') return made[name]();
      for (const { key, company } of made.companies) scratch.addCompany(key, company);
      return [];
    });
  };
  const opened: TableWriter[] = [];
  try {
    for (const { name, path } of paths) {
      const onReady = noting(store, run, name === 'people' ? 'table' : name);
      const own = path === '-' && format !== undefined && { format };
      const options = { ...output, ...own, standardOutput, onReady };
      opened.push(await openTableWriter(path, tables.columns[name], options));
    }
    const counts = await writeRows(answerPages(store, run), opened, rowsOf);
    const at = paths.findIndex(({ name }) => name === 'companies');
    const companies = opened[at];
    if (companies !== undefined) counts[at] = await writeCompanies(scratch, companies);
    for (const writer of opened) await writer.end();
    for (const writer of opened) await writer.commit();
    const changed = opened.flatMap((writer) => writer.changes());
    const named = paths.map(({ name }, n): [TableName, number] => [name, counts[n] ?? 0]);
    return { counts: new Map(named), key: census?.report() ?? null, changed };
  } finally {
    for (const writer of opened) await writer.discard();
    scratch.close();
  }
}

async function writeCompanies(scratch: Scratch, writer: TableWriter): Promise<number> {
  for (let count = 0; ; ) {
    const page = scratch.companies(count, COMPANIES_AT_ONCE);
    if (page.length === 0) return count;
    await writer.write(page.map(({ key, company }) => companyRow(key, company)));
    count = page.at(-1)?.number ?? count;
  }
}

/** Notes the file before it replaces the old one: an unknown file would not be replaced the next time. */
export function noting(store: Store, { id, job }: Run, role: WrittenRole) {
  return (file: ReadyFile): Promise<void> =>
    store.noteWritten(placeOf(file.path), { ...file, role, job, run: id });
}
