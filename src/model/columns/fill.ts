// The user's own columns, where what was found fills their empty cells. The cells in the store stay as they were.
import type { OutputRow } from '../../ports/table-writer.js';
import type { LeadAnswer } from '../answer.js';
import { SluiceError } from '../errors.js';
import type { Column } from '../lead.js';
import { findOwnColumn, holdsOwn, type OwnKind, type OwnWish } from '../mapping/own-columns.js';
import type { RegistrableDomain } from '../normalise.js';
import { exactText, type JsonValue } from '../text/json.js';
import { withoutControls } from '../text/printable.js';
import { flattenAnswer } from './flatten-answer.js';
import type { PositionShape } from './positions.js';

/** How a table shows a run's leads. */
export interface TableShape {
  readonly shape: PositionShape;
  /** Absent: no column of the user's is filled. */
  readonly fill?: OwnWish | undefined;
}

/** The rows of a lead, as `flattenAnswer` makes them; where columns are filled, which ones were stands at the end. */
export function rowMaker(
  input: readonly Column[],
  { fill, shape }: TableShape,
  registrableDomain: RegistrableDomain,
): (answer: LeadAnswer) => OutputRow[] {
  const rowsOf = (answer: LeadAnswer) =>
    flattenAnswer(answer, input.length, shape, registrableDomain);
  if (fill === undefined) return rowsOf;
  const filled = findFilled(input, fill);
  return (answer) => {
    const cells = [...answer.cells];
    const kinds = filled.filter(({ index, kind }) => {
      const found = foundFor(kind, answer);
      if (found === undefined || !isSafe(kind, found)) return false;
      if (holdsOwn(kind, textOf(cells[index]), registrableDomain)) return false;
      if (!holdsOwn(kind, found, registrableDomain)) return false;
      while (cells.length < index) cells.push(null);
      cells[index] = found;
      return true;
    });
    const told = kinds.map(({ kind }) => kind).join(',');
    return rowsOf({ ...answer, cells }).map((row) => [...row, told === '' ? null : told]);
  };
}

/** @throws SluiceError `usage` for a column that is not there, a path into one, or one column for both */
export function findFilled(
  input: readonly Column[],
  fill: OwnWish,
): readonly { readonly kind: OwnKind; readonly index: number }[] {
  const kinds = (['email', 'phone'] as const).filter((kind) => fill[kind] !== undefined);
  const filled = kinds.map((kind) => {
    const { index, path } = findOwnColumn(input, kind, fill);
    if (path === undefined) return { kind, index };
    const message = `fill: "${fill[kind]}" is a value inside a column; only whole columns can be filled.`;
    throw new SluiceError('usage', message, { kind, column: fill[kind] ?? '' });
  });
  const [one, other] = filled;
  if (one !== undefined && one.index === other?.index) {
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

/** The cells of the input are not guarded against formulas: what comes from outside must not look like one. */
function isSafe(kind: OwnKind, found: string): boolean {
  if (kind === 'email') return /^[\p{L}\p{N}_]/u.test(found);
  return /^[+(\d]/.test(found) && !/[^\d+ ().\-/\u00A0]/.test(found);
}

function textOf(cell: JsonValue | undefined): string {
  return cell === undefined || cell === null ? '' : exactText(cell);
}
