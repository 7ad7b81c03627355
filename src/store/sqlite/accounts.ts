// What is remembered of an account: for which asks its answers could be read, and the fields of its people.
import type Database from 'better-sqlite3';
import { parseSeenSchema } from '../../model/resources/schema-drift.js';
import type { KnownAccount } from '../../ports/store/accounts.js';
import { TRUST_ROWS, type TrustRow, toTrusts } from '../enrichments/trusts.js';
import { atomic, type Verbs } from './database/transactions.js';

export function prepareAccounts(db: Database.Database) {
  return { ...prepareReadings(db), ...prepareKnown(db) };
}

function prepareKnown(db: Database.Database) {
  // Steps over the runs of each account: the index has them together.
  const next = db.prepare<[string], { account: string }>(
    `SELECT json_extract(plan, '$.account') AS account FROM runs
     WHERE json_extract(plan, '$.account') > ? ORDER BY 1 LIMIT 1`,
  );
  const newest = db.prepare<[string], Omit<KnownAccount, 'account'>>(
    `SELECT json_extract(plan, '$.address') AS address, id AS run FROM runs
     WHERE json_extract(plan, '$.account') = ? ORDER BY id DESC LIMIT 1`,
  );

  return {
    accounts: atomic(db, () => {
      const known: KnownAccount[] = [];
      for (let row = next.get(''); row !== undefined; row = next.get(row.account)) {
        const run = newest.get(row.account);
        if (run !== undefined) known.push({ ...row, ...run });
      }
      return known.sort((a, b) => b.run - a.run);
    }),
  } satisfies Partial<Verbs>;
}

function prepareReadings(db: Database.Database) {
  const readings = db.prepare<[string, string], { ask: string }>(
    'SELECT ask FROM readings WHERE account = ? AND dialect = ?',
  );
  const note = db.prepare<[string, string, string]>(
    'INSERT OR IGNORE INTO readings (account, dialect, ask) VALUES (?, ?, ?)',
  );
  const trusts = db.prepare<[string, string], TrustRow>(
    `${TRUST_ROWS} WHERE account = ? AND dialect = ?`,
  );
  const readFields = db.prepare<[string], { fields: string }>(
    'SELECT fields FROM seen_fields WHERE account = ?',
  );
  const writeFields = db.prepare<[string, number, string]>(
    'INSERT OR REPLACE INTO seen_fields (account, seen_at, fields) VALUES (?, ?, ?)',
  );

  return {
    readings: (account, dialect) => readings.all(account, dialect).map(({ ask }) => ask),
    noteReadings: atomic(db, (account, dialect, asks) => {
      for (const ask of asks) note.run(account, dialect, ask);
    }),
    trusts: (account, dialect) => toTrusts(trusts.all(account, dialect)),
    exchangePeopleSchema: atomic(db, (account, schema, at) => {
      const before = readFields.get(account);
      writeFields.run(account, at, JSON.stringify(schema));
      return before === undefined ? null : parseSeenSchema(before.fields);
    }),
  } satisfies Partial<Verbs>;
}
