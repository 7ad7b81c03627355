// CSV as one would read it by hand, slowly: line is added to line until the quotes of a record are closed.
import { expect } from 'vitest';
import type { BrokenLine, CsvRecord } from '../../../src/input/csv/csv-reader.js';

export type Found =
  | Omit<CsvRecord, 'raw' | 'isUnended'>
  | Pick<BrokenLine, 'kind' | 'line' | 'reason'>;

interface Format {
  readonly newline: '\n' | '\r';
  readonly cellsMax?: number;
}

const QUOTED = /^"(?:[^"]|"")*"(?!")/;
const UNQUOTED = /^[^,]*/;

export function readNaively(text: string, format: Format): Found[] {
  const lines = text.split(format.newline);
  const found: Found[] = [];
  let suspectLine = 0;
  for (let index = 0; index < lines.length; ) {
    const line = index + 1;
    const record = readRecord(lines.slice(index), format);
    if (record.kind === 'whole') {
      const { cells, lineCount } = record;
      const isSuspect = record.hasBareQuote && line <= suspectLine;
      found.push({ kind: 'record', line, lineCount, cells, isSuspect });
      index += lineCount;
      continue;
    }
    if (record.kind !== 'blank') {
      const isStray = record.kind === 'broken' && record.linesDown === 0;
      const reason = expect.stringMatching(isStray ? /^stray_quote: / : /^unclosed_quote: /);
      found.push({ kind: 'broken', line, reason });
    }
    if (record.kind === 'broken' && record.linesDown > 0) {
      suspectLine = Math.max(suspectLine, line + record.linesDown);
    }
    index += 1;
  }
  return found;
}

type NaiveRecord =
  | { kind: 'whole'; cells: string[]; lineCount: number; hasBareQuote: boolean }
  | { kind: 'broken'; linesDown: number }
  | { kind: 'open' | 'blank' };

function readRecord(lines: readonly string[], format: Format): NaiveRecord {
  for (let count = 1; count <= lines.length; count += 1) {
    const text = lines.slice(0, count).join(format.newline);
    const withoutReturn = format.newline === '\n' ? text.replace(/\r$/, '') : text;
    if (withoutReturn === '') return { kind: 'blank' };
    const record = readCells(withoutReturn, count, format);
    if (record.kind !== 'open') return record;
  }
  return { kind: 'open' };
}

function readCells(text: string, lineCount: number, format: Format): NaiveRecord {
  const { newline, cellsMax = 16_384 } = format;
  const cells: string[] = [];
  let hasBareQuote = false;
  for (let rest = text; ; ) {
    const linesDown = () => text.slice(0, text.length - rest.length).split(newline).length - 1;
    if (cells.length > cellsMax && linesDown() > 0)
      return { kind: 'broken', linesDown: linesDown() };
    const isQuoted = rest.startsWith('"');
    const cell = (isQuoted ? QUOTED : UNQUOTED).exec(rest)?.[0];
    if (cell === undefined) return { kind: 'open' };
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    hasBareQuote ||= !isQuoted && cell.includes('"');
    rest = rest.slice(cell.length);
    if (rest === '') return { kind: 'whole', cells, lineCount, hasBareQuote };
    if (!rest.startsWith(',')) return { kind: 'broken', linesDown: linesDown() };
    rest = rest.slice(1);
  }
}
