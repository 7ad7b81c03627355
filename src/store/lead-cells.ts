// The cells of the input, those of many leads in one row: only tables, `explain` and `forget` read them.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { JsonValue } from '../model/text/json.js';
import type { LeadEntry } from '../ports/store/enrichments.js';
import type { Sql } from './sql.js';

type Cells = readonly JsonValue[];

interface BlockRow {
  readonly runId: number;
  readonly first: number;
  readonly cells: Uint8Array;
}

interface Block {
  readonly first: number;
  readonly cells: readonly JsonValue[][];
}

const BLOCK = 'SELECT b.run_id, b.first_position AS first, b.cells FROM lead_cells b';

/** A run has a lead at each of its positions. */
const BLOCKS_OF_LEADS = `${BLOCK} JOIN
    (SELECT DISTINCT
       (SELECT max(c.first_position) FROM lead_cells c WHERE c.run_id = $1 AND c.first_position <= l.position) AS first
     FROM leads l WHERE l.run_id = $1 AND l.position = ANY ($2)) AS found
  ON b.run_id = $1 AND b.first_position = found.first`;

/** For a page of leads this takes a thirtieth of the time. */
const BLOCKS_BETWEEN = `${BLOCK} WHERE b.run_id = $1 AND b.first_position <= $3 AND b.first_position >=
    (SELECT max(first_position) FROM lead_cells WHERE run_id = $1 AND first_position <= $2)`;

const LEADS_MAX = 500;
const SPAN_MAX = 2 * LEADS_MAX;
const POSITIONS_MAX = 500;
const BLOCKS_MAX = 50;

/** A quarter of the size, at a hundredth of the time that reading takes; the next levels save little more. */
const LEVEL = { level: 1 };

/** A missing position begins another block. */
export async function keepCells(
  sql: Sql,
  runId: number,
  leads: readonly LeadEntry[],
): Promise<void> {
  const blocks = [];
  for (let from = 0, to = 1; from < leads.length; from = to, to += 1) {
    const first = leads[from]?.position ?? 0;
    while (to - from < LEADS_MAX && leads[to]?.position === first + to - from) to += 1;
    const cells = pack(leads.slice(from, to).map((lead) => lead.cells));
    blocks.push({ runId, firstPosition: first, cells });
  }
  await sql.insert('lead_cells', blocks);
}

/** The cells of leads of a run at these ascending positions; none for a forgotten person, and in a step's run. */
export async function readCells(
  sql: Sql,
  runId: number,
  positions: readonly number[],
): Promise<(position: number) => JsonValue[]> {
  const found = new Map<number, JsonValue[]>();
  for await (const { asked, block } of blocksOf(sql, runId, positions)) {
    for (const position of asked) found.set(position, block.cells[position - block.first] ?? []);
  }
  return (position) => found.get(position) ?? [];
}

export async function visitCells(
  sql: Sql,
  visit: (runId: number, position: number, cells: Cells) => void,
): Promise<void> {
  const next = `${BLOCK} WHERE (run_id, first_position) > ($1, $2)
    ORDER BY run_id, first_position LIMIT ${BLOCKS_MAX}`;
  for (let last = { runId: 0, first: 0 }; ; ) {
    const rows = await sql.rows<BlockRow>(next, [last.runId, last.first]);
    for (const row of rows) {
      const { cells, first } = unpack(row);
      for (const [i, one] of cells.entries()) visit(row.runId, first + i, one);
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end;
  }
}

/** The leads' own rows may be gone. Returns how many had cells. */
export async function eraseCells(
  sql: Sql,
  runId: number,
  positions: Iterable<number>,
): Promise<number> {
  let count = 0;
  for (const position of positions) {
    for await (const { block } of blocksOf(sql, runId, [position])) {
      const { cells, first } = block;
      const at = position - first;
      if (cells[at] === undefined || cells[at].length === 0) continue;
      count += 1;
      const changed = { runId, firstPosition: first, cells: pack(cells.with(at, [])) };
      await sql.update('lead_cells', ['runId', 'firstPosition'], [changed]);
    }
  }
  return count;
}

/** The block that was read last: leads are mostly read in their order, and a page of them is smaller than a block. */
const LAST = new WeakMap<Sql, { readonly row: BlockRow; readonly block: Block }>();

function blockRows(sql: Sql, runId: number, positions: readonly number[]): Promise<BlockRow[]> {
  const [first = 0, last = 0] = [positions[0], positions.at(-1)];
  return last - first < SPAN_MAX
    ? sql.rows(BLOCKS_BETWEEN, [runId, first, last])
    : sql.rows(BLOCKS_OF_LEADS, [runId, positions]);
}

async function* blocksOf(
  sql: Sql,
  runId: number,
  positions: readonly number[],
): AsyncGenerator<{ readonly asked: readonly number[]; readonly block: Block }> {
  for (let from = 0; from < positions.length; from += POSITIONS_MAX) {
    const some = positions.slice(from, from + POSITIONS_MAX);
    for (const row of await blockRows(sql, runId, some)) {
      const last = LAST.get(sql);
      // The block may have been changed since, also by another process: then its bytes differ.
      const block = last !== undefined && isSame(last.row, row) ? last.block : unpack(row);
      LAST.set(sql, { row, block });
      const end = block.first + block.cells.length;
      yield { asked: some.filter((one) => one >= block.first && one < end), block };
    }
  }
}

function isSame(one: BlockRow, other: BlockRow): boolean {
  return one.first === other.first && Buffer.compare(one.cells, other.cells) === 0;
}

function pack(cells: readonly Cells[]): Uint8Array {
  return deflateRawSync(JSON.stringify(cells), LEVEL);
}

function unpack({ cells, first }: BlockRow): Block {
  return { first, cells: JSON.parse(inflateRawSync(cells).toString()) as JsonValue[][] };
}
