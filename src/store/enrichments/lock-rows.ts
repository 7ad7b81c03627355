import { type Enrichment, type Locked, openLocked } from '../../model/enrichment/locked.js';
import { knownAsks } from '../../model/enrichment/look.js';
import { toRequest } from '../../model/enrichment/stored-request.js';
import type { Result } from '../../model/result.js';
import { partOf } from '../../model/verdict.js';
import type { Sql } from '../sql.js';
import { readResult } from './result-format.js';

const LOCK = 'SELECT * FROM enrichments WHERE id = ANY ($1) ORDER BY id FOR UPDATE';

/** Locks those that are not among the locked ones until the end of the transaction. Ids without a row are passed over. */
export async function lockRows(
  sql: Sql,
  ids: readonly number[],
  locked = openLocked(),
): Promise<Locked> {
  const missing = [...new Set(ids)].filter((id) => !locked.rows.has(id));
  if (missing.length === 0) return locked;
  const rows = await sql.rows<Enrichment>(LOCK, [missing]);
  for (const row of rows) locked.rows.set(row.id, row);
  const inPart = rows.filter(({ ask, sent }) => sent !== ask);
  const idsInPart = inPart.map(({ id }) => id);
  const results = await readResults(sql, idsInPart);
  for (const row of inPart) {
    const result = results.get(row.id);
    if (result !== undefined) locked.known.set(row, partOf(knownAsks(row), toRequest(row), result));
  }
  return locked;
}

export async function readResults(sql: Sql, ids: readonly number[]): Promise<Map<number, Result>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.rows<{ id: number; body: Uint8Array }>(
    'SELECT enrichment_id AS id, body FROM results WHERE enrichment_id = ANY ($1)',
    [ids],
  );
  return new Map(rows.map(({ body, id }) => [id, readResult(body)]));
}
