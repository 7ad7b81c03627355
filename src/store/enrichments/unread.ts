// Answers that the dialect could not read: kept as they came, until a dialect reads them.
import type Database from 'better-sqlite3';
import type { UnreadAnswer } from '../../ports/store/enrichments.js';
import { atomic } from '../database/atomic.js';

/** When an awaited enrichment is due whose answer came and cannot be read: the last moment that a date can name. */
export const NEVER = 8_640_000_000_000_000;

export function prepareUnread(db: Database.Database) {
  const park = db.prepare<[string, number]>(
    `UPDATE enrichments SET poll_at = ${NEVER}, reason = ? WHERE id = ? AND state = 'awaiting'`,
  );
  const keep = db.prepare<[number, string]>(
    'INSERT OR REPLACE INTO unread_answers (enrichment_id, body) VALUES (?, ?)',
  );
  const revive = db.prepare<[number, number]>(
    `UPDATE enrichments SET poll_at = ?
     WHERE run_id = ? AND state = 'awaiting' AND poll_at = ${NEVER}`,
  );
  const pend = db.prepare<[string]>(
    `INSERT OR IGNORE INTO pending_deliveries (scope, delivery_id)
     SELECT d.scope, d.id FROM unread_deliveries u JOIN deliveries d ON d.id = u.delivery_id
     WHERE d.scope = ?`,
  );
  const unmark = db.prepare<[string]>(
    `DELETE FROM unread_deliveries
     WHERE delivery_id IN (SELECT delivery_id FROM pending_deliveries WHERE scope = ?)`,
  );
  const readings = db.prepare<[string, string], { ask: string }>(
    'SELECT ask FROM readings WHERE account = ? AND dialect = ?',
  );
  const note = db.prepare<[string, string, string]>(
    'INSERT OR IGNORE INTO readings (account, dialect, ask) VALUES (?, ?, ?)',
  );

  return {
    keep: atomic(db, (answers: readonly UnreadAnswer[]): number[] => {
      const parked = answers.filter(({ id, reason }) => park.run(reason, id).changes > 0);
      for (const { id, body } of parked) keep.run(id, body);
      return parked.map(({ id }) => id);
    }),
    revive: (runId: number, at: number): number => revive.run(at, runId).changes,
    pendDeliveries: atomic(db, (scope: string): number => {
      const { changes } = pend.run(scope);
      if (changes > 0) unmark.run(scope);
      return changes;
    }),
    readings: (account: string, dialect: string): string[] =>
      readings.all(account, dialect).map(({ ask }) => ask),
    note: atomic(db, (account: string, dialect: string, asks: readonly string[]): void => {
      for (const ask of asks) note.run(account, dialect, ask);
    }),
  };
}
