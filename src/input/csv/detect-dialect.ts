// Detects the delimiter and the line ends of CSV text, by its first records, or by the line that Excel understands
// before them.

import type { Delimiter } from '../../model/lead.js';
import { findHeader } from '../find-header.js';
import { type CsvDialect, CsvReader } from './csv-reader.js';

const RECORDS_LOOKED_AT = 100;
const CHARS_LOOKED_AT = 256 * 1024;
// Of two that fit equally well, the one that is rarer in ordinary names comes first: `Name, Vorname;E-Mail`.
const CANDIDATES: readonly Delimiter[] = ['\t', ';', '|', ','];

/** The line that Excel reads before a header, and others write for it; in quotes if a program took it for a cell. */
const SEP_LINE = /^"?sep=([,;|\t])"?[,;|\t]{0,100}(?:\r|\n|$)/i;

/** `sample` may end in the middle of a record, unless `isWhole`. A single column gets the comma. */
export function detectDialect(sample: string, isWhole: boolean, delimiter?: Delimiter): CsvDialect {
  const newline = detectNewline(sample);
  const said = SEP_LINE.exec(sample)?.[1];
  if (said !== undefined) {
    const ofFile = CANDIDATES.find((candidate) => candidate === said);
    return { delimiter: delimiter ?? ofFile ?? ',', newline, hasSepLine: true };
  }
  if (delimiter !== undefined) return { delimiter, newline };
  let best: CsvDialect = { delimiter: ',', newline };
  let bestScore = 0;
  for (const candidate of CANDIDATES) {
    const dialect: CsvDialect = { delimiter: candidate, newline };
    const score = scoreDialect(sample, isWhole, dialect);
    if (score > bestScore) [best, bestScore] = [dialect, score];
  }
  return best;
}

function detectNewline(sample: string): CsvDialect['newline'] {
  return !sample.includes('\n') && /\r[^\r]/.test(sample) ? '\r' : '\n';
}

/** The number of delimiters in the header, times the share of records below it with just as many. */
function scoreDialect(sample: string, isWhole: boolean, dialect: CsvDialect): number {
  const reader = new CsvReader(dialect);
  let first: ReturnType<CsvReader['next']> = null;
  // More than the first part is read only if the first record is longer.
  for (let from = 0, to = CHARS_LOOKED_AT; first === null && from < sample.length; to *= 2) {
    reader.push(sample.slice(from, to));
    if (isWhole && to >= sample.length) reader.end();
    first = reader.next();
    from = to;
  }
  const rows: (readonly string[])[] = [];
  for (let next = first; next !== null; next = reader.next()) {
    rows.push(next.kind === 'record' ? next.cells : []);
    if (rows.length > RECORDS_LOOKED_AT) break;
  }
  const headerAt = findHeader(rows) ?? 0;
  const below = rows.slice(headerAt + 1);
  const count = rows[headerAt]?.length ?? 0;
  const alike = below.filter(({ length }) => length === count).length;
  return (count - 1) * (below.length === 0 ? 1 : alike / below.length);
}
