// Where rows of the state file are not what an archive holds: what is packed, what SQLite has no type for, and what is
// kept beside it to be found again.
import { dirname, isAbsolute, relative } from 'node:path';
import type Database from 'better-sqlite3';
import type { ArchiveRow, ArchiveTable, ArchiveValue } from '../../../ports/store/archive.js';
import { KEPT_RESULT, readResult, writeResult } from '../enrichments/result-format.js';
import { prepareKeepCells, prepareReadCells } from '../lead-cells.js';

export type FileValue = string | number | Uint8Array | null;
export type FileRow = Readonly<Record<string, FileValue>>;

/** How a table differs. */
interface Packing {
  /** Columns that are read by another expression. */
  readonly reads?: Readonly<Record<string, string>>;
  /** Changes a row that was read. */
  readonly unpack?: (row: FileRow) => FileRow;
  /** Columns of the archive that the file does not have. */
  readonly lacks?: readonly string[];
  /** Columns that are written otherwise, or that only the file has, by expressions of named parameters. */
  readonly writes?: Readonly<Record<string, string>>;
  /** Further parameters of the statement that writes a row. */
  readonly pack?: (row: FileRow) => FileRow;
  /** After rows were written. */
  readonly wrote?: (rows: readonly ArchiveRow[]) => void;
}

export function packingsOf(db: Database.Database, path: string): Readonly<Record<string, Packing>> {
  return {
    runs: {
      reads: { account: "coalesce(json_extract(plan, '$.account'), '')" },
      lacks: ['account'],
    },
    enrichments: {
      writes: {
        ticket_digest: 'CASE WHEN @ticket IS NOT NULL THEN ticket_digest(@ticket) END',
      },
    },
    results: resultPacking,
    leads: leadPacking(db),
    deliveries: deliveryPacking,
    read_files: filePacking(path),
    written_files: filePacking(path),
  };
}

const resultPacking: Packing = {
  reads: { body: KEPT_RESULT.replaceAll('r.', '') },
  unpack: ({ enrichment_id: id = null, body = '' }) => {
    try {
      return { enrichment_id: id, body: JSON.stringify(readResult(body as string)) };
    } catch (cause) {
      throw new Error(`the result of enrichment ${Number(id)} cannot be read`, { cause });
    }
  },
  writes: { packed: '@packed' },
  pack: ({ body }) => {
    const kept = writeResult(JSON.parse(String(body)));
    return typeof kept === 'string' ? { body: kept, packed: null } : { body: '', packed: kept };
  },
};

function leadPacking(db: Database.Database): Packing {
  const cellsOf = prepareReadCells(db);
  const keepCells = prepareKeepCells(db);
  let last = { run: -1, cells: cellsOf(-1) };
  return {
    reads: { cells: 'NULL' },
    unpack: (row) => {
      const run = Number(row['run_id']);
      if (last.run !== run) last = { run, cells: cellsOf(run) };
      return { ...row, cells: JSON.stringify(last.cells(Number(row['position']))) };
    },
    lacks: ['cells'],
    wrote: (rows) => {
      for (let from = 0, to = 0; from < rows.length; from = to) {
        const run = rows[from]?.['run_id'];
        while (rows[to]?.['run_id'] === run) to += 1;
        const leads = rows.slice(from, to).map(({ cells, position }) => ({
          position: Number(position),
          cells: JSON.parse(String(cells)),
        }));
        keepCells(Number(run), leads);
      }
    },
  };
}

/** A digest is kept in two parts: a number of 48 bits, and the rest; ids that were settled too, between blanks. */
const deliveryPacking: Packing = {
  reads: {
    digest: `CASE WHEN digest IS NOT NULL
      THEN unhex(printf('%012x', digest) || coalesce(hex(digest_rest), '')) END`,
    also_settled: "trim(coalesce(also_settled, ''))",
  },
  writes: {
    digest_rest: '@digest_rest',
    also_settled: "CASE WHEN @also_settled <> '' THEN ' ' || @also_settled || ' ' END",
  },
  pack: ({ digest }) => {
    if (!(digest instanceof Uint8Array)) return { digest: null, digest_rest: null };
    const bytes = Buffer.from(digest);
    return {
      digest: bytes.readUIntBE(0, 6),
      digest_rest: bytes.length > 6 ? bytes.subarray(6) : null,
    };
  },
};

/** A path also as it is seen from the state file, with which it may be moved. */
function filePacking(statePath: string): Packing {
  const folder = dirname(statePath);
  return {
    writes: { from_state: '@from_state' },
    pack: ({ path }) => {
      const text = String(path);
      return { from_state: isAbsolute(text) ? relative(folder, text) : null };
    },
  };
}

/** What stands in the archive; `kinds`: those of the table. */
export function toArchiveRow(row: FileRow, { columns }: ArchiveTable): ArchiveRow {
  const found: Record<string, ArchiveValue> = {};
  for (const [name, kind] of Object.entries(columns)) {
    const value = row[name] ?? null;
    if (kind === 'bool') found[name] = value === 1;
    else found[name] = typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}') : value;
  }
  return found;
}

export function toFileRow(row: ArchiveRow): FileRow {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? Number(value) : value,
  ]);
  return Object.fromEntries(entries);
}
