// Fills empty cells of the user's own columns with found values; the cells in the store stay as they are.
import { isWirePath, withValueAt } from '../../dialect/wire-path.js';
import type { OutputRow } from '../../ports/table-writer.js';
import type { LeadAnswer } from '../answer.js';
import type { CustomAsks } from '../ask.js';
import { SluiceError } from '../errors.js';
import type { Column } from '../lead.js';
import { inputText, type OwnKind, type OwnWish } from '../mapping/column-kinds.js';
import {
  cellAt,
  type FoundColumn,
  findColumn,
  mayLeadInside,
  type SampleRows,
} from '../mapping/find-column.js';
import { holdsOwn, noOwnColumn } from '../mapping/own-columns.js';
import { withoutControls } from '../text/printable.js';
import { isSamePlace } from './choose-columns.js';
import type { CompanyRules } from './companies.js';
import { flattenAnswer } from './flatten-answer.js';
import type { PositionShape } from './positions.js';

export interface TableShape {
  readonly shape: PositionShape;
  readonly custom?: CustomAsks | undefined;
  readonly fill?: OwnWish | undefined;
}

/** Makes the rows of a lead, as `flattenAnswer` does; if columns are filled, a last cell names the filled ones. */
export function rowMaker(
  input: readonly Column[],
  { custom, fill, shape }: TableShape,
  rules: CompanyRules,
): (answer: LeadAnswer) => OutputRow[] {
  const rowsOf = (answer: LeadAnswer) => flattenAnswer(answer, input.length, shape, rules, custom);
  const { registrableDomain } = rules;
  if (fill === undefined) return rowsOf;
  const filled = findFilled(input, fill);
  return (answer) => {
    const cells = [...answer.cells];
    const kinds = filled.filter((one) => {
      const { index, kind, path } = one;
      const found = foundFor(kind, answer);
      if (found === undefined || !isSafe(kind, found)) return false;
      if (holdsOwn(kind, inputText(kind, cellAt(one, cells)) ?? '', registrableDomain))
        return false;
      if (!holdsOwn(kind, found, registrableDomain)) return false;
      const cell = path === undefined ? found : withValueAt(cells[index], path, found);
      if (cell === undefined) return false;
      while (cells.length < index) cells.push(null);
      cells[index] = cell;
      return true;
    });
    const told = kinds.map(({ kind }) => kind).join(',');
    return rowsOf({ ...answer, cells }).map((row) => [...row, told === '' ? null : told]);
  };
}

interface FilledColumn extends FoundColumn {
  readonly kind: OwnKind;
}

/** @throws SluiceError `usage` for an unknown column, a path that leads nowhere, or one column for both */
export function findFilled(
  input: readonly Column[],
  fill: OwnWish,
  rows: SampleRows = [],
): readonly FilledColumn[] {
  const filled = (['email', 'phone'] as const).flatMap((kind) => {
    const wished = fill[kind];
    if (wished === undefined) return [];
    const found = findColumn(input, wished);
    if (found === undefined) throw noOwnColumn(input, kind, wished);
    const { column, index, path } = found;
    if (path === undefined || (isWirePath(path) && mayLeadInside(index, rows)))
      return [{ kind, ...found }];
    const message = `fill: "${wished}" is no column, and no path into "${column.key}": that holds no objects or lists. Write contact.email, emails[0].value or emails[type=work].value.`;
    throw new SluiceError('usage', message, { column: wished });
  });
  const [one, other] = filled;
  if (one !== undefined && other !== undefined && isSamePlace(one, other)) {
    const column = fill.email ?? '';
    const message = `fill: email and phone are both "${column}". Name a column of its own for each.`;
    throw new SluiceError('usage', message, { column });
  }
  return filled;
}

function foundFor(kind: OwnKind, { result }: LeadAnswer): string | undefined {
  const found = kind === 'email' ? result?.find_email?.email : result?.find_phone?.phone;
  return found && withoutControls(found);
}

/** Whether a value is safe in the input's cells, which are not guarded against formulas: it must not look like one. */
function isSafe(kind: OwnKind, found: string): boolean {
  if (kind === 'email') return /^[\p{L}\p{N}_]/u.test(found);
  return /^[+(\d]/.test(found) && !/[^\d+ ().\-/\u00A0]/.test(found);
}
