// Tells the delimiter and the line ends of CSV text from its first records.

import type { Delimiter } from '../read-options.js';
import type { CsvDialect } from './csv-dialect.js';
import { CsvScanner } from './csv-scanner.js';

const RECORDS_LOOKED_AT = 100;
// Of two that fit equally well the rarer in ordinary names comes first: `Name, Vorname;E-Mail`.
const CANDIDATES: readonly Delimiter[] = ['\t', ';', '|', ','];

/** `sample` may end in the middle of a record, unless `isWhole`. A single column gets the comma. */
export function detectDialect(sample: string, isWhole: boolean, delimiter?: Delimiter): CsvDialect {
  const newline = detectNewline(sample);
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

/** How many delimiters the header has, times the share of records that have just as many. */
function scoreDialect(sample: string, isWhole: boolean, dialect: CsvDialect): number {
  const scanner = new CsvScanner(dialect);
  scanner.push(sample);
  if (isWhole) scanner.end();
  const header = scanner.next();
  if (header === null || header.kind === 'broken') return 0;
  let records = 0;
  let alike = 0;
  for (let next = scanner.next(); next !== null; next = scanner.next()) {
    records += 1;
    if (next.kind === 'record' && next.cells.length === header.cells.length) alike += 1;
    if (records === RECORDS_LOOKED_AT) break;
  }
  const share = records === 0 ? 1 : alike / records;
  return (header.cells.length - 1) * share;
}
