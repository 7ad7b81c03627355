// The cells of the input, many leads in a row of their own: only tables, `explain` and `forget` look at them.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { JsonValue } from '../../model/text/json.js';
import type { LeadEntry } from '../../ports/store/enrichments.js';

type Cells = readonly JsonValue[];
/** The cells of the leads of a run by their position; none for a forgotten person. */
export type CellsOf = (position: number) => JsonValue[];

interface BlockRow {
  readonly run_id: number;
  readonly first_position: number;
  /** The cells of each lead in a JSON array: as text, or deflated. */
  readonly cells: string | Uint8Array;
}

/** Leads whose positions follow one another. */
interface Block {
  readonly first: number;
  readonly cells: JsonValue[][];
}

/** The block that a position of a run is in. */
const FIND_BLOCK = `SELECT run_id, first_position, cells FROM lead_cells
  WHERE run_id = ? AND first_position <= ? ORDER BY first_position DESC LIMIT 1`;

/** In one block. */
const LEADS_MAX = 500;

/** A quarter of the size at a hundredth of the time that reading takes; the next levels save little more. */
const LEVEL = { level: 1 };

export function prepareKeepCells(db: Database.Database) {
  const insert = db.prepare<[number, number, Uint8Array]>(
    'INSERT INTO lead_cells (run_id, first_position, cells) VALUES (?, ?, ?)',
  );

  /** In the order of their positions. A position that is left out begins another block. */
  return (runId: number, leads: readonly Pick<LeadEntry, 'position' | 'cells'>[]): void => {
    for (let from = 0, to = 1; from < leads.length; from = to, to += 1) {
      const first = leads[from]?.position ?? 0;
      while (to - from < LEADS_MAX && leads[to]?.position === first + to - from) to += 1;
      insert.run(runId, first, pack(leads.slice(from, to).map(({ cells }) => cells)));
    }
  };
}

/** The block of the last position is at hand: leads are mostly asked for in their order, and a few at a time. */
export function prepareReadCells(db: Database.Database): (runId: number) => CellsOf {
  const find = db.prepare<[number, number], BlockRow>(FIND_BLOCK);
  let last: { readonly row: BlockRow; readonly block: Block } | undefined;
  /** It may have been changed since, also by another process: then its bytes are others. */
  const unpackOnce = (row: BlockRow): Block => {
    if (last === undefined || !isSame(last.row, row)) last = { row, block: unpack(row) };
    return last.block;
  };

  return (runId) => {
    let block: Block | undefined;
    return (position) => {
      const isIn = block !== undefined && position >= block.first && position < endOf(block);
      if (!isIn) {
        const row = find.get(runId, position);
        if (row !== undefined) block = unpackOnce(row);
      }
      const cells = block?.cells[position - block.first];
      if (cells === undefined) throw new Error(`run ${runId} has no cells of lead ${position}`);
      return cells;
    };
  };
}

/** Calls `visit` for each lead of every run. */
export function visitCells(
  db: Database.Database,
  visit: (runId: number, position: number, cells: Cells) => void,
): void {
  const all = db.prepare<[], BlockRow>('SELECT run_id, first_position, cells FROM lead_cells');
  for (const row of all.iterate()) {
    const { first, cells } = unpack(row);
    for (const [i, one] of cells.entries()) visit(row.run_id, first + i, one);
  }
}

/** Empties the cells of leads, given in their order. Returns of how many there were any. */
export function eraseCells(
  db: Database.Database,
  leads: readonly { readonly run_id: number; readonly position: number }[],
): number {
  const find = db.prepare<[number, number], BlockRow>(FIND_BLOCK);
  const replace = db.prepare<[Uint8Array, number, number]>(
    'UPDATE lead_cells SET cells = ? WHERE run_id = ? AND first_position = ?',
  );
  let count = 0;
  for (let i = 0; i < leads.length; ) {
    const row = find.get(leads[i]?.run_id ?? 0, leads[i]?.position ?? 0);
    if (row === undefined) throw new Error(`no cells of lead ${leads[i]?.position}`);
    const block = unpack(row);
    for (; leads[i]?.run_id === row.run_id; i += 1) {
      const at = (leads[i]?.position ?? 0) - block.first;
      const cells = block.cells[at];
      if (cells === undefined) break;
      if (cells.length > 0) count += 1;
      block.cells[at] = [];
    }
    replace.run(pack(block.cells), row.run_id, row.first_position);
  }
  return count;
}

function isSame(one: BlockRow, other: BlockRow): boolean {
  if (one.first_position !== other.first_position) return false;
  if (typeof one.cells === 'string' || typeof other.cells === 'string')
    return one.cells === other.cells;
  return Buffer.compare(one.cells, other.cells) === 0;
}

function endOf({ first, cells }: Block): number {
  return first + cells.length;
}

function pack(cells: readonly Cells[]): Uint8Array {
  return deflateRawSync(JSON.stringify(cells), LEVEL);
}

function unpack({ first_position: first, cells }: BlockRow): Block {
  const text = typeof cells === 'string' ? cells : inflateRawSync(cells).toString();
  return { first, cells: JSON.parse(text) as JsonValue[][] };
}
