// A wrong name of a column ends the command before anything is stored or paid for.
import { isWirePath } from '../../dialect/wire-path.js';
import { registrableDomain } from '../../identity/registrable-domain.js';
import type { CustomAsks } from '../../model/ask.js';
import { chooseColumns } from '../../model/columns/choose-columns.js';
import { findFilled } from '../../model/columns/fill.js';
import { outputColumns } from '../../model/columns/output-columns.js';
import { shapeOf } from '../../model/columns/positions.js';
import { SluiceError } from '../../model/errors.js';
import type { SampleRows } from '../../model/mapping/find-column.js';
import { refuseUnmapped } from '../../model/mapping/judge-columns.js';
import type { FormerGuess, JudgedColumns } from '../../model/mapping/mapping.js';
import { tellSheets } from '../../model/mapping/tell-columns.js';
import { parseWhere } from '../../model/where/where.js';
import { checkColumnCount } from '../../output/table-format.js';
import type { OutputColumn } from '../../ports/table-writer.js';
import { wantedAsks } from '../../run/choose-leads.js';
import { choiceOf } from '../run/asking-terms.js';
import type { JobSettings } from '../settings/job-settings.js';
import { type FirstRecords, judgeFirst } from './first-look.js';

/** The share of nameless columns from which on a row is probably no header. */
const NAMELESS_PART = 3;

/** @throws SluiceError `usage` if the mapping, `where`, `columns` or `key` names a column that does not exist */
export function checkColumns(
  first: FirstRecords,
  settings: JobSettings,
  {
    custom,
    former = [],
  }: { custom?: CustomAsks | undefined; former?: readonly FormerGuess[] } = {},
): JudgedColumns {
  const { columns } = first;
  const { ask, map } = settings;
  const judged = judgeFirst(first, { ask, map, former, ...choiceOf(settings) });
  refuseUnmapped(judged, map);
  for (const { input, path } of judged.mapping) {
    if (path === undefined || isWirePath(path)) continue;
    const column = map[input] ?? path;
    throw new SluiceError(
      'usage',
      `${input} is mapped to "${column}", which is no column, and no path into one: write contact.first_name, emails[0].value or emails[type=work].value.`,
      { column },
    );
  }
  const isJoined = Object.keys(settings.further).length > 0;
  const { fill } = settings;
  const rows = first.records.map(({ cells }) => cells);
  if (fill !== undefined) findFilled(columns, fill, rows);
  const isWaterfall = settings.waterfall !== undefined;
  const extras = { custom, isFilled: fill !== undefined, isJoined, isWaterfall };
  const all = outputColumns(columns, shapeOf(settings.positions), extras);
  checkChoice(judged, all, settings, rows);
  for (const { where } of settings.waterfall ?? []) {
    if (where !== undefined) goesByInput(where, first, custom);
  }
  const ofList = settings.list?.where;
  if (ofList !== undefined) parseWhere(ofList, all, { rows });
  const chosen = chooseColumns(all, settings, rows);
  if (settings.columns !== 'used') checkColumnCount(settings.out ?? '-', chosen.length);
  return judged;
}

/**
 * Whether the `where` of a step goes by the columns of the input alone, and not by what steps before it find.
 * @throws SluiceError `usage` if it cannot be read, or names a column that the table does not have
 */
export function goesByInput(
  where: string,
  { columns, records }: FirstRecords,
  custom?: CustomAsks,
): boolean {
  const rows = records.map(({ cells }) => cells);
  const all = outputColumns(columns, { kind: 'current' }, { custom, isWaterfall: true });
  parseWhere(where, all, { rows });
  try {
    parseWhere(where, all.slice(0, columns.length), { rows });
    return true;
  } catch (error) {
    if (error instanceof SluiceError) return false;
    throw error;
  }
}

/** @throws SluiceError `usage` if the choice of leads names a column that the input does not have */
function checkChoice(
  judged: JudgedColumns,
  all: readonly OutputColumn[],
  settings: JobSettings,
  rows: SampleRows,
): void {
  const terms = { ask: settings.ask, registrableDomain, ...choiceOf(settings) };
  try {
    wantedAsks(judged, terms, rows);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const { column, where } = error.facts;
    if (where === undefined || !all.some(({ key }) => key === column)) throw error;
    throw new SluiceError(
      'usage',
      `where: it goes by your own columns, and ${column} is one that Sluice adds. The key list.where goes by those.`,
      error.facts,
    );
  }
}

/**
 * Of a drop folder, one file may be wrong while the others are right.
 * @throws SluiceError that of `check`, as `input` with the paths in front
 */
export function naming<T>(paths: readonly string[] | undefined, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (paths === undefined || !(error instanceof SluiceError)) throw error;
    const [path = ''] = paths;
    const where = paths.length > 1 ? `${path} and ${paths.length - 1} more` : path;
    throw error.ofInput(where);
  }
}

/**
 * If one of several sheets was read, another may have been meant.
 * @throws SluiceError that of `check`, with its name
 */
export function namingSheet<T>({ columns, detected = [] }: FirstRecords, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const sheet = detected.find(({ what }) => what === 'sheet');
    const header = detected.find(({ what }) => what === 'header');
    const named = columns.filter(({ name }) => name.trim() !== '').length;
    const told = [
      sheet &&
        `Only the sheet "${sheet.value}" was read; the key sheet takes another: ${tellSheets(sheet.others ?? [])}.`,
      // Another line may be meant if lines stand above it, or many of its cells are empty.
      header &&
        `Line ${header.value} was taken for the names of the columns; the key header-row names another.`,
      header === undefined &&
        columns.length - named > columns.length / NAMELESS_PART &&
        `The first line with text was taken for the names of the columns: ${named} of its ${columns.length} cells have one. The key header-row names another.`,
    ].filter((one) => typeof one === 'string');
    throw told.length === 0 ? error : error.amended(told.join(' '));
  }
}
