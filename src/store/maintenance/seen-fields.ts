// The fields of the people database as they were when somebody looked last.
import type Database from 'better-sqlite3';
import type { SchemaField } from '../../model/platform/schema-drift.js';
import { atomic } from '../database/atomic.js';

export function prepareSeenFields(db: Database.Database) {
  const read = db.prepare<[string], { fields: string }>(
    'SELECT fields FROM seen_fields WHERE account = ?',
  );
  const write = db.prepare<[string, number, string]>(
    'INSERT OR REPLACE INTO seen_fields (account, seen_at, fields) VALUES (?, ?, ?)',
  );
  return {
    exchange: atomic(
      db,
      (account: string, fields: readonly SchemaField[], at: number): SchemaField[] | null => {
        const before = read.get(account);
        write.run(account, at, JSON.stringify(fields));
        return before === undefined ? null : (JSON.parse(before.fields) as SchemaField[]);
      },
    ),
  };
}
