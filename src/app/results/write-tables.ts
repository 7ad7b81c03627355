// The tables of a run's leads: the columns of each, the rows of a lead in each, and their references to one another. They
// are written each whole before the first takes its place, and each in one step.
import type { Writable } from 'node:stream';
import { DOMAIN_RULES } from '../../identity/domain-owner.js';
import type { LeadAnswer } from '../../model/answer.js';
import {
  chooseColumns,
  chosenCells,
  findKey,
  usedColumns,
} from '../../model/columns/choose-columns.js';
import {
  companiesOf,
  companyColumns,
  companyRow,
  NO_COMPANIES,
} from '../../model/columns/companies.js';
import { findFilled, rowMaker } from '../../model/columns/fill.js';
import { createKeyCensus } from '../../model/columns/key-census.js';
import { columnsOfRun, outputColumns } from '../../model/columns/output-columns.js';
import { positionColumns, positionRows } from '../../model/columns/position-rows.js';
import { shapeOf } from '../../model/columns/positions.js';
import type { SampleRows } from '../../model/mapping/find-column.js';
import type { FurtherTable, OutputPlan, Run } from '../../model/run.js';
import { parseWhere } from '../../model/where/where.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import type { ReadyFile } from '../../output/table-file.js';
import type { FormatName } from '../../output/table-format.js';
import type { WrittenRole } from '../../ports/store/files.js';
import type { Store } from '../../ports/store/store.js';
import type { OutputColumn, OutputRow, TableWriter } from '../../ports/table-writer.js';
import { answerPages, writeRows } from '../../run/export.js';
import { openScratch, type Scratch } from '../../store/sqlite/scratch.js';
import { placeOf, type TableFiles } from '../files/target.js';

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
  readonly standardOutput?: Writable | undefined;
  /** The format of that table; default CSV. */
  readonly format?: FormatName | undefined;
}

/** @returns the number of rows of each table, its key, and the cells that it could not hold unchanged */
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
      const options = { ...output, format, standardOutput, onReady };
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

/**
 * Notes the file before it replaces the old one: an unknown file would not be replaced the next time. `run` is null for
 * a file of no run.
 */
export function noting(store: Store, run: Run | null, role: WrittenRole) {
  const of = { role, job: run?.job ?? '', run: run?.id ?? null };
  return (file: ReadyFile): Promise<void> =>
    store.noteWritten(placeOf(file.path), { ...file, ...of });
}

/** The columns of the table of people, which an expression may name. */
export function columnsOfPeople(run: Run, output = run.output, isJoined = false): OutputColumn[] {
  const isFilled = output.fill !== undefined;
  const extras = { ...columnsOfRun(run), isFilled, isJoined };
  return outputColumns(run.columns, shapeOf(output.positions), extras);
}

type TableName = 'people' | FurtherTable;

type LeadTables = Awaited<ReturnType<typeof planLeadTables>>;

interface TablePlan {
  readonly output: OutputPlan;
  /** Whether the table of people has the columns to which the others refer. */
  readonly isJoined: boolean;
  /** An expression over the columns of the table of people: it chooses the leads with rows, by their first row. */
  readonly where?: string | undefined;
  /** The choice of leads with rows by what is known of each. */
  readonly chooses?: ((lead: LeadAnswer) => boolean) | undefined;
  /** The cells of leads, which show which columns hold objects and lists. */
  readonly rows: SampleRows;
}

/** The columns of each table, and `rowsOf`: the rows of a lead in each; null for a lead without rows. */
export async function planLeadTables(
  store: Store,
  run: Run,
  { chooses: isChosen = () => true, isJoined, output, rows, where }: TablePlan,
) {
  const shape = shapeOf(output.positions);
  const { columns: input, custom } = run;
  const key = output.key ?? [];
  const all = columnsOfPeople(run, output, isJoined);
  if (output.fill !== undefined) findFilled(input, output.fill, rows);
  const make = rowMaker(input, { custom, shape, fill: output.fill }, DOMAIN_RULES);
  const chooses = where === undefined ? () => true : parseWhere(where, all, { rows });
  const rowsIn = (answer: LeadAnswer) => {
    if (!isChosen(answer)) return null;
    // Without a further table nothing refers to a company.
    const companies = isJoined ? companiesOf(answer, DOMAIN_RULES) : NO_COMPANIES;
    const own = [answer.position, companies.own];
    const people: OutputRow[] = make(answer).map((row) => (isJoined ? [...row, ...own] : row));
    return chooses(people[0] ?? []) ? { companies, people } : null;
  };
  const pages = async function* () {
    for await (const answers of answerPages(store, run)) {
      yield answers.flatMap((answer) => rowsIn(answer)?.people ?? []);
    }
  };
  const named = chooseColumns(all, { ...output, ask: run.ask }, rows);
  const chosen = output.columns === 'used' ? await usedColumns(named, pages()) : named;
  const isAll =
    chosen.length === all.length &&
    chosen.every(({ index, path }, n) => index === n && path === undefined);
  const columns = {
    people: chosen.map(({ column }) => column),
    positions: positionColumns(input, key),
    companies: companyColumns(),
  };
  const ofPositions = { key: findKey(input, key), sources: run.sources };
  return {
    columns: columns as Readonly<Record<TableName, readonly OutputColumn[]>>,
    rowsOf: (answer: LeadAnswer) => {
      const found = rowsIn(answer);
      if (found === null) return null;
      const { companies, people } = found;
      return {
        companies: companies.records,
        people: (): readonly OutputRow[] =>
          isAll ? people : people.map((row) => chosenCells(row, chosen)),
        positions: (): readonly OutputRow[] => positionRows(answer, companies, ofPositions),
      };
    },
  };
}
