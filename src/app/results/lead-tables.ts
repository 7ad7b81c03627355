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
import {
  type AnswerCompanies,
  companiesOf,
  companyColumns,
  NO_COMPANIES,
} from '../../model/columns/companies.js';
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

export interface LeadTables {
  readonly columns: Readonly<Record<TableName, readonly OutputColumn[]>>;
  /** Whether a lead has rows: its first row decides that. */
  isChosen(answer: LeadAnswer, companies: AnswerCompanies): boolean;
  /** The rows in the table of people; `positionRows` are those in the table of positions. */
  peopleRows(answer: LeadAnswer, companies: AnswerCompanies): readonly OutputRow[];
  positionRows(answer: LeadAnswer, companies: AnswerCompanies): readonly OutputRow[];
  companiesOf(answer: LeadAnswer): AnswerCompanies;
}

export interface TablePlan {
  readonly output: OutputPlan;
  /** Whether the table of people has the columns to which the others refer. */
  readonly isJoined: boolean;
  /** An expression over the columns of the table of people: it chooses the leads with rows. */
  readonly where?: string | undefined;
  /** The cells of leads, which show which columns hold objects and lists. */
  readonly rows: SampleRows;
}

export async function planLeadTables(
  store: Store,
  run: Run,
  { isJoined, output, rows, where }: TablePlan,
): Promise<LeadTables> {
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
  // Without a further table nothing refers to a company.
  const companiesIn = (answer: LeadAnswer) =>
    isJoined ? companiesOf(answer, rules) : NO_COMPANIES;
  const rowsOf = (answer: LeadAnswer, { own }: AnswerCompanies): readonly OutputRow[] => {
    const rows = make(answer);
    return isJoined ? rows.map((row) => [...row, answer.position, own]) : rows;
  };
  const chooses = where === undefined ? () => true : parseWhere(where, all, { rows });
  const isChosen = (answer: LeadAnswer, companies: AnswerCompanies): boolean =>
    where === undefined || chooses(rowsOf(answer, companies)[0] ?? []);
  const pages = async function* () {
    for await (const answers of answerPages(store, run)) {
      yield answers.flatMap((answer) => {
        const companies = companiesIn(answer);
        return isChosen(answer, companies) ? rowsOf(answer, companies) : [];
      });
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
    columns,
    isChosen,
    companiesOf: companiesIn,
    peopleRows: (answer, companies) => {
      const rows = rowsOf(answer, companies);
      return isAll ? rows : rows.map((row) => chosenCells(row, chosen));
    },
    positionRows: (answer, companies) => positionRows(answer, companies, ofPositions),
  };
}
