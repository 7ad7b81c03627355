// The delivery journal: deliveries as they came, and their outcomes.
import type { JournalEntry, PendingDelivery } from '../../ports/store/deliveries.js';
import type { Sql, Verbs } from '../sql.js';
import { takeBody } from './arrivals.js';
import { JOURNAL_ENTRY } from './journal-entry.js';
import { signingKey } from './signing-key.js';

/** Bytes of the bodies that are handed out together; a single body may be longer. */
const PENDING_BYTES_MAX = 8_000_000;

interface PendingRow extends Omit<PendingDelivery, 'body' | 'value'> {
  /** Null for a delivery from which a person was removed. */
  readonly digest: Buffer | null;
  readonly bytes: number;
}

async function bodiesOf(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.rows<{ id: number; body: string }>(
    'SELECT delivery_id AS id, body FROM delivery_bodies WHERE delivery_id = ANY ($1)',
    [ids],
  );
  return new Map(rows.map(({ body, id }) => [id, body]));
}

export const deliveryReads = {
  pendingDeliveries: async (sql, scope, limit) => {
    // The size of a body is known without reading it.
    const pending = await sql.rows<PendingRow>(
      `SELECT d.id, d.scope, d.enrichment_id AS "enrichmentId", d.call_id AS "callId",
         d.received_at AS "receivedAt", d.digest, octet_length(b.body) AS bytes
       FROM pending_deliveries p JOIN deliveries d ON d.id = p.delivery_id
         JOIN delivery_bodies b ON b.delivery_id = p.delivery_id
       WHERE p.scope = $1 ORDER BY p.delivery_id LIMIT $2`,
      [scope, limit],
    );
    const chosen: (Omit<PendingDelivery, 'body'> & { readonly body?: string })[] = [];
    for (let i = 0, length = 0; i < pending.length && length < PENDING_BYTES_MAX; i += 1) {
      const { bytes, digest, ...delivery } = pending[i] as PendingRow;
      chosen.push({ ...delivery, ...(digest === null ? {} : takeBody(digest)) });
      length += bytes;
    }
    const bodies = await bodiesOf(
      sql,
      chosen.flatMap(({ body, id }) => (body === undefined ? [id] : [])),
    );
    return chosen.flatMap(({ body, ...delivery }) => {
      const text = body ?? bodies.get(delivery.id);
      // Another process may have handled it meanwhile.
      return text === undefined ? [] : [{ ...delivery, body: text }];
    });
  },
  listDeliveries: (sql, limit, beforeId = Number.MAX_SAFE_INTEGER) =>
    sql.rows<JournalEntry>(`${JOURNAL_ENTRY} WHERE d.id < $1 ORDER BY d.id DESC LIMIT $2`, [
      beforeId,
      limit,
    ]),
  countPending: async (sql) =>
    (await sql.row<{ n: number }>('SELECT count(*) AS n FROM pending_deliveries'))?.n ?? 0,
} satisfies Partial<Verbs>;

export const deliveryWrites = {
  signingKey,
  pendUnreadDeliveries: async (sql, scope) => {
    const pended = await sql.run(
      `INSERT INTO pending_deliveries (scope, delivery_id)
       SELECT d.scope, d.id FROM unread_deliveries u JOIN deliveries d ON d.id = u.delivery_id
         JOIN delivery_bodies b ON b.delivery_id = d.id
       WHERE d.scope = $1 ORDER BY d.id ON CONFLICT DO NOTHING`,
      [scope],
    );
    if (pended > 0) {
      await sql.run(
        `DELETE FROM unread_deliveries
         WHERE delivery_id IN (SELECT delivery_id FROM pending_deliveries WHERE scope = $1)`,
        [scope],
      );
    }
    return pended;
  },
  replayDeliveries: async (sql, scope) => {
    const pending = await sql.run(
      `INSERT INTO pending_deliveries (scope, delivery_id)
       SELECT scope, id FROM deliveries d JOIN delivery_bodies b ON b.delivery_id = d.id
       WHERE scope = $1 ORDER BY id ON CONFLICT DO NOTHING`,
      [scope],
    );
    const without = await sql.row<{ n: number }>(
      `SELECT count(*) AS n FROM deliveries d
       WHERE scope = $1 AND NOT EXISTS (SELECT 1 FROM delivery_bodies b WHERE b.delivery_id = d.id)`,
      [scope],
    );
    return { pending, withoutBody: without?.n ?? 0 };
  },
  dropBodies: (sql, before) =>
    sql.run(
      `DELETE FROM delivery_bodies WHERE delivery_id IN
         (SELECT d.id FROM deliveries d WHERE d.handled_at < $1 AND d.settled > 0 AND d.unknown = 0
            AND NOT EXISTS (SELECT 1 FROM pending_deliveries p WHERE p.scope = d.scope AND p.delivery_id = d.id)
            AND NOT EXISTS (SELECT 1 FROM unread_deliveries u WHERE u.delivery_id = d.id))`,
      [before],
    ),
} satisfies Partial<Verbs>;
