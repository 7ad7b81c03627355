// Tells the cells that show by themselves what they are, an address, a profile or a website, and in which columns they
// may stand: a row of which cells are missing may have the others in the wrong columns.
import type { ColumnInput } from '../ask.js';
import { isPlaceholder } from '../normalise.js';
import { parseUrl } from '../text/address.js';
import { linkOfFormula, shownText } from '../text/formula.js';
import { exactText, type JsonValue, plainJson, workbookCell } from '../text/json.js';
import { foldHeader, indicesLikeHeader, USUAL_HEADERS } from './usual-headers.js';

/** The user's own columns of answers, by their names; those that are not stated are guessed. */
export interface OwnWish {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

export type OwnKind = keyof OwnWish;

export type CellKind = 'email' | 'socialUrl' | 'companyDomain' | 'text' | 'empty';

const TYPED = ['email', 'socialUrl', 'companyDomain'] as const;
const OF_TEXT = ['firstName', 'lastName', 'fullName', 'companyName', 'lastNamePrefix'] as const;
const DOMAIN = /^(?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,63}\.?(?:[/?#:]\S*)?$/u;
const CELL_LENGTH_MAX = 1000;
/** The least number of cells that say more than the name of their column. */
const CELLS_MIN = 3;

/** The kind of a cell, by its form alone: `text` for all that may stand anywhere. */
export function kindOfCell(cell: string): CellKind {
  const text = cell.trim();
  if (text === '' || isPlaceholder(text) || !/[\p{L}\p{N}]/u.test(text)) return 'empty';
  if (text.length > CELL_LENGTH_MAX || /\s/.test(text)) return 'text';
  if (/^(?:mailto:)?[^@/]+@[^@/]+\.[^@/]+$/i.test(text)) return 'email';
  const hasScheme = /^https?:\/\//i.test(text);
  if (!hasScheme && !DOMAIN.test(text)) return 'text';
  return isProfile(text) ? 'socialUrl' : 'companyDomain';
}

/**
 * The text of a cell as an input: what a spreadsheet shows, or the target of its link where that alone can be the
 * input. Undefined for an object or a list.
 */
export function inputText(
  input: ColumnInput | OwnKind,
  cell: JsonValue = null,
): string | undefined {
  const plain = plainJson(cell);
  if (typeof plain === 'object') return plain === null ? '' : undefined;
  const text = exactText(plain);
  const shown = shownText(text);
  if (!TYPED.some((kind) => kind === input)) return shown;
  const target = workbookCell(cell)?.link ?? linkOfFormula(text)?.target;
  const isTyped = TYPED.some((kind) => kind === kindOfCell(shown));
  return target === undefined || isTyped ? shown : target;
}

/** Whether it is the address of a person's profile. */
export function isProfile(text: string): boolean {
  const url = parseUrl(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url === undefined) return false;
  const place = url.hostname + url.pathname;
  return /^([a-z]+\.)?(linkedin\.com\/(in|pub|sales\/lead)|xing\.com\/profile)\/./i.test(place);
}

/** The kinds of cells that each column may hold, by its cells in these whole rows, or else by its name. */
export function kindsOfColumns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly (readonly CellKind[])[] {
  const columns = header.map((name) => ({ name, key: name }));
  const like = TYPED.map((kind) => [kind, new Set(indicesLikeHeader(columns, kind))] as const);
  return header.map((name, index) => {
    const kinds = rows.map((row) => kindOfCell(row[index] ?? '')).filter((one) => one !== 'empty');
    const [most] = [...TYPED, 'text' as const].filter(
      (kind) => kinds.filter((one) => one === kind).length * 2 > kinds.length,
    );
    const isNamed = (input: keyof typeof USUAL_HEADERS) =>
      USUAL_HEADERS[input].includes(foldHeader(name));
    const named = TYPED.find(isNamed) ?? (OF_TEXT.some(isNamed) ? 'text' : undefined);
    if (most !== undefined && (named === undefined || kinds.length >= CELLS_MIN)) return [most];
    if (named !== undefined) return [named];
    return ['text', ...like.flatMap(([kind, indices]) => (indices.has(index) ? [kind] : []))];
  });
}

/** Whether each cell may stand in its column. */
export function fitsColumns(
  cells: readonly string[],
  kinds: readonly (readonly CellKind[])[],
): boolean {
  return cells.every((cell, index) => {
    const kind = kindOfCell(cell);
    return kind === 'empty' || kinds[index]?.includes(kind) === true;
  });
}
