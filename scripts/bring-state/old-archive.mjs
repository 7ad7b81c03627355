// A state of the schema before the baseline, as an archive that holds what the state becomes: `sluice state copy` makes
// the new one of it.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { writeResult } from '../../dist/store/enrichments/result-format.js';
import { kindOf } from '../../dist/store/tables.js';
import { findChanges } from './changes.mjs';

/** Bytes of long values in rows that are read together. */
const BYTES_MAX = 8_000_000;
/** Of leads whose cells become one block. */
const LEADS_MAX = 500;

/** A table that came with the last of the schemas may be missing. */
const TABLES = {
  sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table'",
  postgres: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
};

/**
 * `reads`: expressions for columns that were kept otherwise, by table. `change`: what is done with rows that were read so.
 * `made`: queries for tables that were not kept.
 */
export async function oldArchive(database, { blocks, change, made, reads }, marks) {
  const read = (work) => database.perform(work, { kind: 'snapshot', isLong: true });
  const changes = await read(findChanges);
  const tables = new Set((await read((sql) => sql.rows(TABLES[sql.kind]))).map(({ name }) => name));
  const toRow = (table, row) => {
    const found = { ...(change[table.name]?.(row) ?? row) };
    if (table.name === 'enrichments') Object.assign(found, changes.get(found.id));
    return Object.fromEntries(
      Object.entries(table.columns).map(([name, kind]) => [name, toValue(found[name], kind)]),
    );
  };
  const [{ n: askedForLess }] = await read((sql) =>
    sql.rows(
      `SELECT count(*) AS n FROM enrichments WHERE wanted IS NOT NULL AND ${sql.kind === 'sqlite' ? 'is_current = 1' : 'is_current'}`,
    ),
  );
  const refuse = () => Promise.reject(new Error('an old state is not written'));
  return {
    ...marks,
    place: database.shown,
    /** Enrichments that were asked for less than their job wanted: the new state does not hold what was wanted. */
    askedForLess,
    holds: refuse,
    count: ({ name }) =>
      read(async (sql) => {
        const isMade = name === 'lead_cells' && blocks !== undefined;
        if (!isMade && made[name] === undefined && !tables.has(name)) return 0;
        const counted = isMade ? blocks.counted : (made[name] ?? name);
        return (await sql.row(`SELECT count(*) AS n FROM ${counted}`)).n;
      }),
    read: (table, after, limit) =>
      read(async (sql) => {
        if (table.name === 'lead_cells' && blocks !== undefined) {
          return blocks.read(sql, after, limit);
        }
        const from = made[table.name] ?? table.name;
        if (from === table.name && !tables.has(from)) return [];
        const rows = await page(sql, { ...table, from }, reads[table.name] ?? {}, after, limit);
        return rows.map((row) => toRow(table, row));
      }),
    last: refuse,
    write: refuse,
    clear: refuse,
    complete: refuse,
    close: () => database.close(),
  };
}

function toValue(value = null, kind) {
  if (kind === 'bool') return Boolean(value);
  return typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}') : value;
}

async function page(sql, { columns, from, key, long, name }, reads, after, limit) {
  const order = key
    .map((one) =>
      sql.kind === 'sqlite' || kindOf(name, one) === 'int' ? one : `${one} COLLATE "C"`,
    )
    .join(', ');
  const bounds = key.map((_, i) => `$${i + 1}`).join(', ');
  const rest = `FROM ${from} ${after === null ? '' : `WHERE (${order}) > (${bounds})`} ORDER BY ${order} LIMIT`;
  const values = after === null ? [] : key.map((one) => after[one]);
  let count = limit;
  if (long !== undefined) {
    const sizes = await sql.rows(
      `SELECT octet_length(${reads[long] ?? long}) AS bytes ${rest} ${limit}`,
      values,
    );
    let bytes = 0;
    const last = sizes.findIndex((row) => (bytes += row.bytes) > BYTES_MAX);
    count = last === -1 ? limit : last + 1;
  }
  const names = Object.keys(columns).map((one) => `${reads[one] ?? one} AS ${one}`);
  return sql.rows(`SELECT ${names.join(', ')} ${rest} ${count}`, values);
}

export function toResult(row, result) {
  return { ...row, body: writeResult(result) };
}

export function packCells(text) {
  return deflateRawSync(text, { level: 1 });
}

/** What accounts have spent, by the enrichments that are left. `account`: of a run `r`. */
export function spendingOf(account) {
  return `(SELECT ${account} AS account, ${QUARTER} AS quarter, sum(e.thousandths)::bigint AS spent, 0 AS held
    FROM enrichments e JOIN runs r ON r.id = e.paid_by WHERE e.thousandths > 0 GROUP BY 1, 2) AS spending`;
}

/** The quarter of an hour in which an enrichment was sent. */
export const QUARTER = '(submitted_at / 900000 * 900000)';

/** Of leads that have their cells each in its own row. */
export const BLOCKS_OF_LEADS = {
  counted: `(SELECT DISTINCT run_id, position / ${LEADS_MAX} FROM leads) AS blocks`,
  read: async (sql, after, limit) => {
    const found = [];
    let at =
      after === null ? { run: 0, position: 0 } : { run: after.run_id, position: endOf(after) };
    for (let bytes = 0; found.length < limit && bytes < BYTES_MAX; ) {
      const leads = await sql.rows(
        `SELECT run_id, position, cells FROM leads WHERE (run_id, position) > ($1, $2)
         ORDER BY run_id, position LIMIT ${LEADS_MAX}`,
        [at.run, at.position],
      );
      const [first] = leads;
      if (first === undefined) return found;
      const next = leads.findIndex(
        ({ position, run_id }, i) => run_id !== first.run_id || position !== first.position + i,
      );
      const block = next === -1 ? leads : leads.slice(0, next);
      const text = `[${block.map(({ cells }) => cells).join(',')}]`;
      bytes += text.length;
      found.push({ run_id: first.run_id, first_position: first.position, cells: packCells(text) });
      at = { run: first.run_id, position: first.position + block.length - 1 };
    }
    return found;
  },
};

/** The position of the last lead of a block. */
function endOf({ cells, first_position }) {
  return first_position + JSON.parse(inflateRawSync(cells).toString()).length - 1;
}
