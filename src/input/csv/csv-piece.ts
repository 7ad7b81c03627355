// Parses some lines of CSV with csv-parse, and finds what that does not tell: the place of each record, and whether its
// quotes are right. csv-parse is lenient with quotes here, because one in the middle of a cell is fine; so it also
// takes text after a closing quote for a part of the cell. Such a cell is found by writing it again and comparing.
import { CsvError, type Options, parse } from 'csv-parse/sync';

export interface Piece {
  readonly records: string[][];
  readonly hasQuotes: boolean;
  /** Whether a quote of the last record is open at the end. */
  readonly isOpen: boolean;
}

/** Parses `text`, which is whole lines, the first of them not blank. */
export function parsePiece(text: string, options: Options): Piece {
  const hasQuotes = text.includes('"');
  try {
    return { records: parse(text, options), hasQuotes, isOpen: false };
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
    // With a closing quote added, the cells before the open one can be read.
    return { records: parse(`${text}"`, options), hasQuotes, isOpen: true };
  }
}

export interface Place {
  readonly text: string;
  readonly at: number;
  readonly newline: string;
}

export type Match =
  /** `end` is the position after the last cell, `linesDown` the number of line ends inside the record. */
  | {
      readonly kind: 'whole';
      readonly end: number;
      readonly linesDown: number;
      readonly hasBareQuote: boolean;
    }
  | { readonly kind: 'open' }
  /** The record breaks `linesDown` lines below its first line: its quotes are wrong, or it has too many cells. */
  | { readonly kind: 'broken'; readonly linesDown: number };

/**
 * Compares cells with the text that they come from. More than `cellsMax` cells over several lines are not a record:
 * without that limit, a file of open quotes takes quadratic time.
 */
export function matchCells(
  cells: readonly string[],
  { text, at, newline }: Place,
  { isOpen, cellsMax }: { readonly isOpen: boolean; readonly cellsMax: number },
): Match {
  let start = at;
  let linesDown = 0;
  let hasBareQuote = false;
  for (const [index, cell] of cells.entries()) {
    if (index > cellsMax && linesDown > 0) return { kind: 'broken', linesDown };
    if (isOpen && index === cells.length - 1) return { kind: 'open' };
    const isQuoted = text.startsWith('"', start);
    if (isQuoted) linesDown += countIn(cell, newline);
    else hasBareQuote ||= cell.includes('"');
    const written = isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell;
    if (!text.startsWith(written, start)) return { kind: 'broken', linesDown };
    start += written.length + 1;
  }
  return { kind: 'whole', end: start - 1, linesDown, hasBareQuote };
}

function countIn(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1))
    count += 1;
  return count;
}
