// The delivery journal: what webhooks brought, kept as it came, and what came of it.
import { randomBytes } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { JournalEntry, PendingDelivery } from '../../../ports/store/deliveries.js';
import {
  addOutcome,
  JOURNAL_ENTRY,
  type Outcome,
  outcomeOf,
} from '../../deliveries/journal-entry.js';
import { atomic, type Verbs } from '../database/transactions.js';
import { prepareCounting } from '../runs/series.js';
import { prepareAddressed } from './addressed.js';
import { prepareTakeStep } from './take-step.js';

/** Characters of the bodies that are handed out together; a single body may be longer. */
const PENDING_LENGTH_MAX = 8_000_000;

/** Those of deliveries `d` that can be looked at again: a body that has settled its leads is not kept. */
const WITH_BODY = 'JOIN delivery_bodies b ON b.delivery_id = d.id';

export function prepareDeliveries(db: Database.Database) {
  const replay = db.prepare<[string]>(
    `INSERT OR IGNORE INTO pending_deliveries (scope, delivery_id)
     SELECT scope, id FROM deliveries d ${WITH_BODY} WHERE scope = ?`,
  );
  const countWithout = db.prepare<[string], { n: number }>(
    `SELECT count(*) AS n FROM deliveries
     WHERE scope = ? AND id NOT IN (SELECT delivery_id FROM delivery_bodies)`,
  );
  const list = db.prepare<[number, number], JournalEntry>(
    `${JOURNAL_ENTRY} WHERE d.id < ? ORDER BY d.id DESC LIMIT ?`,
  );
  const dropOld = db.prepare<[number]>(
    `DELETE FROM delivery_bodies WHERE EXISTS (SELECT 1 FROM deliveries d
       WHERE d.id = delivery_id AND d.handled_at < ? AND d.settled > 0 AND d.unknown = 0
         AND NOT EXISTS (SELECT 1 FROM pending_deliveries p WHERE p.scope = d.scope AND p.delivery_id = d.id)
         AND NOT EXISTS (SELECT 1 FROM unread_deliveries u WHERE u.delivery_id = d.id))`,
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
    replayDeliveries: atomic(db, (scope) => ({
      pending: replay.run(scope).changes,
      withoutBody: countWithout.get(scope)?.n ?? 0,
    })),
    dropBodies: (before) => dropOld.run(before).changes,
    listDeliveries: (limit, beforeId = Number.MAX_SAFE_INTEGER) => list.all(beforeId, limit),
    countPending: () => countPending.get()?.n ?? 0,
  } satisfies Partial<Verbs>;
}

export function preparePendUnread(db: Database.Database): Verbs['pendUnreadDeliveries'] {
  const pend = db.prepare<[string]>(
    `INSERT OR IGNORE INTO pending_deliveries (scope, delivery_id)
     SELECT d.scope, d.id FROM unread_deliveries u JOIN deliveries d ON d.id = u.delivery_id ${WITH_BODY}
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
       d.received_at AS receivedAt, b.body
     FROM pending_deliveries p JOIN deliveries d ON d.id = p.delivery_id ${WITH_BODY}
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
  const markUnread = db.prepare<[number]>(
    'INSERT OR IGNORE INTO unread_deliveries (delivery_id) VALUES (?)',
  );
  const dropBody = db.prepare<[number]>('DELETE FROM delivery_bodies WHERE delivery_id = ?');
  // Nothing is kept under its key any more.
  const freeKey = db.prepare<[number | null]>(
    'DELETE FROM delivery_keys WHERE id = ? AND unkept = 0',
  );
  const note = prepareNote(db);
  const counting = prepareCounting(db);
  const take = prepareTakeStep(db, counting);

  const handle: Verbs['handleDeliveries'] = (account, handled) => {
    const changed: number[] = [];
    for (const { id, at, steps, isUnread = false, keepsBody = false } of handled) {
      // A ticket that was saved since the caller looked: the delivery stays pending.
      if (steps.some((step) => isOutdated(step, account))) continue;
      const ids = steps.map((step) => take(step, id, at)).filter((one) => one !== undefined);
      const outcome = outcomeOf(steps, ids.length);
      const { settled, enrichmentId } = note({ id, at, ids, outcome });
      tickOff.run(id);
      if (isUnread) markUnread.run(id);
      else if (settled > 0 && outcome.unknown === 0 && !keepsBody) {
        dropBody.run(id);
        freeKey.run(enrichmentId);
      }
      changed.push(...ids);
    }
    return changed;
  };
  return atomic(db, counting.within(handle));
}

interface Handled {
  readonly id: number;
  readonly at: number;
  /** The enrichments that changed. */
  readonly ids: readonly number[];
  readonly outcome: Outcome;
}

/** What a delivery came to before; all but the key null where it was not handled yet. */
interface NotedRow {
  readonly enrichmentId: number | null;
  readonly settled: number | null;
  readonly unknown: number | null;
}

function prepareNote(db: Database.Database) {
  const earlier = db.prepare<[number], NotedRow>(
    'SELECT enrichment_id AS enrichmentId, settled, unknown FROM deliveries WHERE id = ?',
  );
  const note = db.prepare<[number, number, number, number, number]>(
    'UPDATE deliveries SET handled_at = ?, settled = ?, unchanged = ?, unknown = ? WHERE id = ?',
  );
  const noteAlso = db.prepare<[string, number]>(
    `UPDATE deliveries SET also_settled = coalesce(also_settled, ' ') || ? WHERE id = ?`,
  );

  return ({ id, at, ids, outcome }: Handled) => {
    const before = earlier.get(id);
    if (before === undefined) throw new Error(`there is no delivery ${id}`);
    const { settled, unchanged, unknown } = addOutcome(before, outcome);
    note.run(at, settled, unchanged, unknown, id);
    const others = ids.filter((one) => one !== before.enrichmentId);
    if (others.length > 0) noteAlso.run(others.map((one) => `${one} `).join(''), id);
    return { settled, enrichmentId: before.enrichmentId };
  };
}
