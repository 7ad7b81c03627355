// The tables of a run's leads: the columns of each, the rows of a lead in each, and their references to one another.
import { domainOwner } from '../../identity/domain-owner.js';
import { registrableDomain } from '../../identity/registrable-domain.js';
import type { LeadAnswer } from '../../model/answer.js';
import {
  chooseColumns,
  chosenCells,
  findKey,
  usedColumns,
} from '../../model/columns/choose-columns.js';
import { companiesOf, companyColumns, NO_COMPANIES } from '../../model/columns/companies.js';
import { findFilled, rowMaker } from '../../model/columns/fill.js';
import { columnsOfRun, outputColumns } from '../../model/columns/output-columns.js';
import { positionColumns, positionRows } from '../../model/columns/position-rows.js';
import { shapeOf } from '../../model/columns/positions.js';
import type { SampleRows } from '../../model/mapping/find-column.js';
import type { FurtherTable, OutputPlan, Run } from '../../model/run.js';
import { parseWhere } from '../../model/where/where.js';
import type { Store } from '../../ports/store/store.js';
import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import { answerPages } from '../../run/export.js';

export type TableName = 'people' | FurtherTable;

export type LeadTables = Awaited<ReturnType<typeof planLeadTables>>;

interface TablePlan {
  readonly output: OutputPlan;
  /** Whether the table of people has the columns to which the others refer. */
  readonly isJoined: boolean;
  /** An expression over the columns of the table of people: it chooses the leads with rows, by their first row. */
  readonly where?: string | undefined;
  /** The cells of leads, which show which columns hold objects and lists. */
  readonly rows: SampleRows;
}

/** The columns of each table, and `rowsOf`: the rows of a lead in each; null for a lead without rows. */
export async function planLeadTables(
  store: Store,
  run: Run,
  { isJoined, output, rows, where }: TablePlan,
) {
  const shape = shapeOf(output.positions);
  const { columns: input, custom } = run;
  const key = output.key ?? [];
  const all = outputColumns(input, shape, {
    ...columnsOfRun(run),
    isFilled: output.fill !== undefined,
    isJoined,
  });
  if (output.fill !== undefined) findFilled(input, output.fill, rows);
  const make = rowMaker(input, { custom, shape, fill: output.fill }, registrableDomain);
  const rules = { registrableDomain, domainOwner };
  const chooses = where === undefined ? () => true : parseWhere(where, all, { rows });
  const rowsIn = (answer: LeadAnswer) => {
    // Without a further table nothing refers to a company.
    const companies = isJoined ? companiesOf(answer, rules) : NO_COMPANIES;
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
