// What one process leaves of the rate limit's window to the next one of the same account.
import type Database from 'better-sqlite3';
import { atomic } from '../atomic.js';

export function prepareSending(db: Database.Database) {
  const read = db.prepare<[string], { is_open: number; taken_until: string }>(
    'SELECT is_open, taken_until FROM sending WHERE account = ?',
  );
  const write = db.prepare<[string, number, string]>(
    'INSERT OR REPLACE INTO sending (account, is_open, taken_until) VALUES (?, ?, ?)',
  );

  return {
    begin: atomic(db, (account: string): readonly number[] | null => {
      const before = read.get(account);
      write.run(account, 1, '[]');
      if (before === undefined) return [];
      return before.is_open === 1 ? null : (JSON.parse(before.taken_until) as number[]);
    }),
    end: (account: string, takenUntilMs: readonly number[]): void =>
      void write.run(account, 0, JSON.stringify(takenUntilMs)),
  };
}
