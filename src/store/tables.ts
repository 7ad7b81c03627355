// The tables of a state, for copying it, as the schema declares them. Facts about the place alone are not copied: leases
// and locks, the progress of removing old rows, and the sizes of the state on earlier days.
import type { ArchiveKind, ArchiveTable } from '../ports/store/archive.js';
import { schemaFor } from './schema.js';

const OF_THE_PLACE: ReadonlySet<string> = new Set(['leases', 'pruning', 'sizes']);

/** Of a state file alone, which may be moved with the files beside it: it is made anew for each place. */
const SEEN_FROM_STATE = 'from_state';

/** The columns with long texts. */
const LONG: Readonly<Record<string, string>> = {
  samples: 'leads',
  results: 'body',
  unread_answers: 'body',
  lead_cells: 'cells',
  rejects: 'raw',
  deliveries: 'body',
  events: 'body',
};

const KINDS: Readonly<Record<string, ArchiveKind>> = {
  bigint: 'int',
  boolean: 'bool',
  text: 'text',
  bytea: 'bytes',
};

const TABLE = /CREATE TABLE (\w+) \((.*?)\)[^();]*(?:WITH \([^)]*\))?;/gs;
const COLUMN = /(?:^|,)\s*(\w+)\s+(bigint|boolean|text|bytea)\b/gi;

/** In the text for PostgreSQL, which tells flags from numbers. */
function declaredTables(): ArchiveTable[] {
  const text = schemaFor('postgres').replaceAll(/--.*/g, '');
  return [...text.matchAll(TABLE)].map(([, name = '', declared = '']) => {
    const columns = [...declared.matchAll(COLUMN)]
      .filter(([, column]) => column !== SEEN_FROM_STATE)
      .map(([, column = '', type = '']) => [column, KINDS[type.toLowerCase()]] as const);
    const [, keys] =
      /PRIMARY KEY \((.*?)\)/.exec(declared) ?? /(\w+)[^,]*? PRIMARY KEY/.exec(declared) ?? [];
    const long = LONG[name];
    return {
      name,
      key: keys?.split(', ') ?? [],
      columns: Object.fromEntries(columns) as ArchiveTable['columns'],
      ...(long !== undefined && { long }),
    };
  });
}

const TABLES = new Map(declaredTables().map((table) => [table.name, table]));

/** The slots that senders hold of each rate limit, in durations relative to a moment, which differs between clocks. */
export const LIMITS = TABLES.get('limits') as ArchiveTable;

export const ARCHIVE_TABLES: readonly ArchiveTable[] = [...TABLES.values()].filter(
  (table) => table !== LIMITS && !OF_THE_PLACE.has(table.name),
);

/** @throws Error for a column that is in none of these tables */
export function kindOf(table: string, column: string): ArchiveKind {
  const kind = TABLES.get(table)?.columns[column];
  if (kind === undefined) throw new Error(`no column ${column} of ${table} is known`);
  return kind;
}
