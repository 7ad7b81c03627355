// The grammar of a CSV record that holds a quote. Pure; the scanner decides what a failure means.
import type { CsvDialect } from './csv-dialect.js';

export type QuotedRecord =
  /** `end` is where the next record begins. */
  | {
      readonly kind: 'whole';
      readonly cells: string[];
      readonly end: number;
      readonly hasBareQuote: boolean;
    }
  /** The text ends before the record does. */
  | { readonly kind: 'open' }
  /** From `at` on it cannot be one record: text follows a closing quote, or its cells run away. */
  | { readonly kind: 'broken'; readonly at: number };

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;
const OPEN: QuotedRecord = { kind: 'open' };

/**
 * Reads one record from `at`. A field that begins with a quote ends with one, and a doubled quote
 * stands for one; in any other field a quote is an ordinary character. More than `cellsMax` cells over
 * several lines are no record: without that limit, a file of open quotes takes quadratic time.
 */
export function parseQuotedRecord(
  text: string,
  at: number,
  dialect: CsvDialect,
  { isEnd, cellsMax }: { readonly isEnd: boolean; readonly cellsMax: number },
): QuotedRecord {
  const delimiter = dialect.delimiter.charCodeAt(0);
  const newline = dialect.newline.charCodeAt(0);
  const cells: string[] = [];
  let hasBareQuote = false;
  const newlineAt = text.indexOf(dialect.newline, at);
  const firstLineEnd = newlineAt === -1 ? text.length : newlineAt;
  for (let start = at; ; ) {
    if (cells.length > cellsMax && start > firstLineEnd) return { kind: 'broken', at: start };
    let stop: number;
    if (text.charCodeAt(start) === QUOTE) {
      const closing = findClosingQuote(text, start + 1);
      // A quote at the very end may be the first half of a doubled one.
      if (closing === -1 || (closing + 1 === text.length && !isEnd)) return OPEN;
      cells.push(unquote(text.slice(start + 1, closing)));
      stop = closing + 1;
      if (dialect.newline === '\n' && text.charCodeAt(stop) === CARRIAGE_RETURN) {
        if (stop + 1 === text.length && !isEnd) return OPEN;
        if (stop + 1 === text.length || text.charCodeAt(stop + 1) === newline) stop += 1;
      }
    } else {
      stop = start;
      for (; stop < text.length; stop += 1) {
        const code = text.charCodeAt(stop);
        if (code === delimiter || code === newline) break;
        if (code === QUOTE) hasBareQuote = true;
      }
      if (stop === text.length && !isEnd) return OPEN;
      cells.push(text.slice(start, cellStop(text, start, stop, dialect)));
    }
    if (stop >= text.length) return { kind: 'whole', cells, end: stop, hasBareQuote };
    const code = text.charCodeAt(stop);
    if (code === newline) return { kind: 'whole', cells, end: stop + 1, hasBareQuote };
    if (code !== delimiter) return { kind: 'broken', at: stop };
    start = stop + 1;
  }
}

function findClosingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at;
}

function unquote(inner: string): string {
  return inner.includes('"') ? inner.replaceAll('""', '"') : inner;
}

/** The carriage return of `\r\n` belongs to the line end, one before a delimiter to the cell. */
function cellStop(text: string, start: number, stop: number, dialect: CsvDialect): number {
  const isLineEnd = stop >= text.length || text.charAt(stop) === dialect.newline;
  const hasReturn = stop > start && text.charCodeAt(stop - 1) === CARRIAGE_RETURN;
  return isLineEnd && hasReturn && dialect.newline === '\n' ? stop - 1 : stop;
}
