// Keeps what webhooks brought: each body once for its key, and no more under one key than a platform would send.
import type Database from 'better-sqlite3';
import type { ArrivalCount, Delivery } from '../../../ports/store/deliveries.js';
import { digestOf, hasRoom, REPEATED_MS, roomKeyOf, roomOf } from '../../deliveries/arrivals.js';
import { IS_REMEMBERED } from '../../enrichments/known-answers.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { prepareKeepEvent } from '../events.js';

/** Once for each enrichment: the holder of a key could otherwise make us poll it all day. */
export const POLL_NOW = `UPDATE enrichments SET poll_at = min(poll_at, ?)
  WHERE id = ? AND state = 'awaiting' AND poll_count = 0`;

interface KeptRow {
  readonly id: number;
  /** Null in what an earlier release kept. */
  readonly digest_rest: Uint8Array | null;
  /** Null where it has left. */
  readonly body: string | null;
}

export function prepareKeepArrivals(db: Database.Database) {
  const unkept = db.prepare<[], { n: number }>(
    'SELECT coalesce(sum(unkept), 0) AS n FROM delivery_keys',
  );
  const keepDelivery = prepareKeepDelivery(db);
  const keepEvent = prepareKeepEvent(db);

  return {
    keepArrivals: atomic(db, (arrivals) => {
      const count = { kept: 0, repeated: 0, alreadyAnswered: 0, overLimit: 0 };
      for (const arrival of arrivals) {
        if (!('event' in arrival)) count[keepDelivery(arrival)] += 1;
        else if (keepEvent(arrival)) count.kept += 1;
        else count.repeated += 1;
      }
      return count;
    }),
    countUnkept: () => unkept.get()?.n ?? 0,
  } satisfies Partial<Verbs>;
}

function prepareKeepDelivery(db: Database.Database) {
  const insert = db.prepare<[string, number | null, number | null, number, number, Uint8Array]>(
    `INSERT INTO deliveries (scope, enrichment_id, call_id, received_at, digest, digest_rest)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const insertBody = db.prepare<[number | bigint, string]>(
    'INSERT INTO delivery_bodies (delivery_id, body) VALUES (?, ?)',
  );
  const insertPending = db.prepare<[string, number | bigint]>(
    'INSERT INTO pending_deliveries (scope, delivery_id) VALUES (?, ?)',
  );
  // An enrichment that was refused has no ticket: a delivery for it was not expected, and is kept to be looked at.
  const hasEnded = db.prepare<[number]>(
    `SELECT 1 FROM enrichments
     WHERE id = ? AND (state = 'found' OR state = 'not_found'
       OR (state = 'failed' AND (ticket IS NOT NULL OR NOT (${IS_REMEMBERED}))))`,
  );
  const countUnkept = db.prepare<[number]>(
    `INSERT INTO delivery_keys (id, bytes, unkept) VALUES (?, 0, 1)
     ON CONFLICT (id) DO UPDATE SET unkept = unkept + 1`,
  );
  const pollNow = db.prepare<[number, number | null]>(POLL_NOW);
  const isRepeated = prepareIsRepeated(db);
  const takeRoom = prepareTakeRoom(db);

  return (delivery: Delivery): keyof ArrivalCount => {
    const { scope, enrichmentId, callId, receivedAt, body } = delivery;
    const key = roomKeyOf(delivery);
    // A delivery for a forgotten person would bring them back.
    if (enrichmentId !== null && hasEnded.get(enrichmentId) !== undefined) {
      countUnkept.run(enrichmentId);
      return 'alreadyAnswered';
    }
    const digest = splitDigest(delivery);
    if (isRepeated(delivery, digest)) return 'repeated';
    if (key !== null && !takeRoom(key, delivery)) {
      countUnkept.run(key);
      // Its answer may have been among what was not kept.
      pollNow.run(receivedAt, enrichmentId);
      return 'overLimit';
    }
    const { head, rest } = digest;
    const row = insert.run(scope, enrichmentId, callId, receivedAt, head, rest);
    insertBody.run(row.lastInsertRowid, body);
    insertPending.run(scope, row.lastInsertRowid);
    return 'kept';
  };
}

/** Whether the same body came before, within a day; if so, counts it. */
function prepareIsRepeated(db: Database.Database) {
  const sameDigest = db.prepare<[number, string, number | null, number | null, number], KeptRow>(
    `SELECT id, digest_rest, body FROM deliveries LEFT JOIN delivery_bodies ON delivery_id = id
     WHERE digest = ? AND scope = ? AND enrichment_id IS ? AND call_id IS ? AND received_at > ?`,
  );
  const countAgain = db.prepare<[number]>('UPDATE deliveries SET times = times + 1 WHERE id = ?');

  return (delivery: Delivery, { head, rest }: Digest): boolean => {
    const { scope, enrichmentId, callId, receivedAt, body } = delivery;
    const same = sameDigest
      .all(head, scope, enrichmentId, callId, receivedAt - REPEATED_MS)
      .find((row) => (row.digest_rest === null ? row.body === body : rest.equals(row.digest_rest)));
    if (same === undefined) return false;
    countAgain.run(same.id);
    return true;
  };
}

/** Whether there was room left under the key. */
function prepareTakeRoom(db: Database.Database) {
  const bytesOf = db.prepare<[number], { bytes: number }>(
    'SELECT bytes FROM delivery_keys WHERE id = ?',
  );
  const addBytes = db.prepare<[number, number]>(
    `INSERT INTO delivery_keys (id, bytes) VALUES (?, ?)
     ON CONFLICT (id) DO UPDATE SET bytes = bytes + excluded.bytes`,
  );

  return (key: number, delivery: Delivery): boolean => {
    if (!hasRoom(delivery, bytesOf.get(key)?.bytes ?? 0)) return false;
    addBytes.run(key, roomOf(delivery));
    return true;
  };
}

interface Digest {
  /** The first 48 bits, to find it by: JavaScript holds such a number exactly. */
  readonly head: number;
  /** The next 80. */
  readonly rest: Buffer;
}

function splitDigest(delivery: Delivery): Digest {
  const whole = digestOf(delivery);
  return { head: whole.readUIntBE(0, 6), rest: whole.subarray(6) };
}
