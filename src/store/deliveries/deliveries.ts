// The delivery journal: what webhooks brought, kept as it came, and what came of it.
import { randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { JournalEntry, PendingDelivery } from '../../ports/store/deliveries.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { prepareCounting } from '../runs/series.js';
import { prepareAddressed } from './addressed.js';
import { prepareTakeStep } from './take-step.js';

/** Characters of the bodies that are handed out together; a single body may be longer. */
const PENDING_LENGTH_MAX = 8_000_000;

/** Selects entries of the journal; the conditions follow. */
export const JOURNAL_ENTRY = `SELECT d.id, d.scope, d.received_at AS receivedAt,
    h.handled_at AS handledAt, h.settled, h.unchanged, h.unknown, octet_length(d.body) AS bytes,
    d.times
  FROM deliveries d
  LEFT JOIN handled_deliveries h ON h.delivery_id = d.id
    AND NOT EXISTS (SELECT 1 FROM pending_deliveries p
                    WHERE p.scope = d.scope AND p.delivery_id = d.id)`;

export function prepareDeliveries(db: Database.Database) {
  const replay = db.prepare<[string]>(
    `INSERT OR IGNORE INTO pending_deliveries (scope, delivery_id)
     SELECT scope, id FROM deliveries WHERE scope = ?`,
  );
  const list = db.prepare<[number, number], JournalEntry>(
    `${JOURNAL_ENTRY} WHERE d.id < ? ORDER BY d.id DESC LIMIT ?`,
  );
  const countPending = db.prepare<[], { n: number }>(
    'SELECT count(*) AS n FROM pending_deliveries',
  );

  const { addressed, isOutdated } = prepareAddressed(db);

  return {
    signingKey: prepareSigningKey(db),
    pendingDeliveries: preparePending(db),
    addressed,
    handleDeliveries: prepareHandle(db, isOutdated),
    replayDeliveries: (scope) => replay.run(scope).changes,
    listDeliveries: (limit, beforeId = Number.MAX_SAFE_INTEGER) => list.all(beforeId, limit),
    countPending: () => countPending.get()?.n ?? 0,
  } satisfies Partial<Verbs>;
}

export function preparePendUnread(db: Database.Database): Verbs['pendUnreadDeliveries'] {
  const pend = db.prepare<[string]>(
    `INSERT OR IGNORE INTO pending_deliveries (scope, delivery_id)
     SELECT d.scope, d.id FROM unread_deliveries u JOIN deliveries d ON d.id = u.delivery_id
     WHERE d.scope = ?`,
  );
  const unmark = db.prepare<[string]>(
    `DELETE FROM unread_deliveries
     WHERE delivery_id IN (SELECT delivery_id FROM pending_deliveries WHERE scope = ?)`,
  );

  return atomic(db, (scope) => {
    const { changes } = pend.run(scope);
    if (changes > 0) unmark.run(scope);
    return changes;
  });
}

function prepareSigningKey(db: Database.Database): Verbs['signingKey'] {
  const readKey = db.prepare<[], { key: Uint8Array }>('SELECT key FROM signing_key');
  const writeKey = db.prepare<[Uint8Array]>('INSERT INTO signing_key VALUES (1, ?)');

  return atomic(db, () => {
    const known = readKey.get();
    if (known !== undefined) return known.key;
    const key = randomBytes(32);
    writeKey.run(key);
    return key;
  });
}

function preparePending(db: Database.Database): Verbs['pendingDeliveries'] {
  const pending = db.prepare<[string, number], PendingDelivery>(
    `SELECT d.id, d.scope, d.enrichment_id AS enrichmentId, d.call_id AS callId,
       d.received_at AS receivedAt, d.body
     FROM pending_deliveries p JOIN deliveries d ON d.id = p.delivery_id
     WHERE p.scope = ? ORDER BY p.delivery_id LIMIT ?`,
  );

  return (scope, limit) => {
    const found: PendingDelivery[] = [];
    let length = 0;
    for (const delivery of pending.iterate(scope, limit)) {
      found.push(delivery);
      length += delivery.body.length;
      if (length >= PENDING_LENGTH_MAX) break;
    }
    return found;
  };
}

/** `isOutdated`: a ticket was saved since the caller looked. */
function prepareHandle(
  db: Database.Database,
  isOutdated: ReturnType<typeof prepareAddressed>['isOutdated'],
): Verbs['handleDeliveries'] {
  const tickOff = db.prepare<[number]>(
    `DELETE FROM pending_deliveries
     WHERE (scope, delivery_id) = (SELECT scope, id FROM deliveries WHERE id = ?)`,
  );
  const note = db.prepare<[number, number, number, number, number]>(
    // A delivery that is handled again changes nothing, and its earlier outcome stays.
    `INSERT INTO handled_deliveries VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (delivery_id) DO UPDATE SET handled_at = excluded.handled_at,
       settled = max(settled, excluded.settled),
       unchanged = max(0, excluded.settled + excluded.unchanged + excluded.unknown
         - max(settled, excluded.settled) - min(unknown, excluded.unknown)),
       unknown = min(unknown, excluded.unknown)`,
  );
  const markUnread = db.prepare<[number]>(
    'INSERT OR IGNORE INTO unread_deliveries (delivery_id) VALUES (?)',
  );
  const counting = prepareCounting(db);
  const take = prepareTakeStep(db, counting);

  const handle: Verbs['handleDeliveries'] = (account, handled) => {
    const changed: number[] = [];
    for (const { id, at, steps, isUnread } of handled) {
      // A ticket that was saved since the caller looked: the delivery stays pending.
      if (steps.some((step) => isOutdated(step, account))) continue;
      const ids = steps.map((step) => take(step, id, at)).filter((one) => one !== undefined);
      const unknown = steps.filter(({ kind }) => kind === 'unknown' || kind === 'stray').length;
      note.run(id, at, ids.length, steps.length - ids.length - unknown, unknown);
      tickOff.run(id);
      if (isUnread === true) markUnread.run(id);
      changed.push(...ids);
    }
    return changed;
  };
  return atomic(db, counting.within(handle));
}
