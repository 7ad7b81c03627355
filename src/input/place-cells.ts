import type { SourceRecord } from '../model/lead.js';
import { formatCount } from '../model/text/count.js';
import { exactText, type JsonValue } from '../model/text/json.js';
import { cutRaw, type ParsedPiece } from './record-parser.js';

/** The places of one source's cells among the columns of all sources. */
export interface Placement {
  readonly source: number;
  readonly header: readonly string[];
  /** The position in the input of the column of each cell under the source's own header. */
  readonly positions: readonly number[];
  readonly columnCount: number;
  /** Whether the cells stand at their columns' positions already, so that they need not be moved. */
  readonly isInPlace: boolean;
}

export function placementOf(
  source: number,
  header: readonly string[],
  { columnCount, positions }: Pick<Placement, 'columnCount' | 'positions'>,
): Placement {
  const isInPlace =
    positions.length === columnCount && positions.every((position, index) => position === index);
  return { source, header, positions, columnCount, isInPlace };
}

interface ReadRow {
  readonly line: number;
  readonly cells: JsonValue[];
  /** The flaw; empty if there is none. */
  readonly flaw: string;
  readonly raw: () => string;
  readonly chars: number;
  readonly isShort?: boolean;
}

/** Missing cells are empty. A record with surplus cells is cut to the header, and the raw row is a reject as well. */
export function placeRow(row: ReadRow, placement: Placement): ParsedPiece {
  const { line, cells, chars, isShort = false } = row;
  const { source, header, positions } = placement;
  const flaw = row.flaw === '' && isHeader(cells, header) ? REPEATED_HEADER : row.flaw;
  const placed = placeCells(cells, placement);
  const whole = { source, line, cells: placed };
  if (flaw === '') return { record: isShort ? { ...whole, isShort } : whole, chars };
  const record: SourceRecord = { ...whole, flaw };
  if (cells.length <= positions.length) return { record, chars };
  const reason = `${flaw}; the surplus cells are only here`;
  return { record, reject: { source, line, reason, raw: cutRaw(row.raw()) }, chars };
}

/** The flaw of a record in which a header stands again, as where files were appended to one another. */
export const REPEATED_HEADER = 'repeated header';

function isHeader(cells: readonly JsonValue[], header: readonly string[]): boolean {
  return header.every((name, n) => wordsOf(exactText(cells[n] ?? '')) === wordsOf(name));
}

/** A name of a column, whatever its case and blanks. */
function wordsOf(text: string): string {
  const words = text.toLowerCase().split(/\s/);
  return words.filter((word) => word !== '').join(' ');
}

function placeCells(
  cells: JsonValue[],
  { positions, columnCount, isInPlace }: Placement,
): JsonValue[] {
  if (isInPlace && cells.length === columnCount) return cells;
  const placed = Array<JsonValue>(columnCount).fill('');
  for (const [index, position] of positions.entries()) placed[position] = cells[index] ?? '';
  return placed;
}

/** Removes empty cells after the header's width, which spreadsheets sometimes write. */
export function withoutEmptyRest(cells: string[], width: number): string[] {
  const isEmpty = cells.length > width && cells.every((cell, n) => n < width || cell.trim() === '');
  return isEmpty ? cells.slice(0, width) : cells;
}

export function raggedRow(cellCount: number, width: number): string {
  return `ragged_row: ${formatCount(cellCount, 'cell')} under ${formatCount(width, 'column')}`;
}
