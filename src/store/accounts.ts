// The facts that a state remembers of an account: the asks whose answers could be read, and the fields of its people.
import { parseSeenSchema } from '../model/resources/schema-drift.js';
import type { KnownAccount } from '../ports/store/accounts.js';
import { TRUST_ROWS, type TrustRow, toTrusts } from './enrichments/trusts.js';
import type { Verbs } from './sql.js';

export const accountReads = {
  // The query steps through the runs of each account: the index holds them together.
  accounts: (sql) =>
    sql.rows<KnownAccount>(
      `WITH RECURSIVE known (account) AS (
         SELECT min(account) FROM runs
         UNION ALL
         SELECT (SELECT min(r.account) FROM runs r WHERE r.account > known.account) FROM known
         WHERE known.account IS NOT NULL)
       SELECT known.account, newest.plan::json ->> 'address' AS address, newest.id AS run
       FROM known JOIN runs newest ON newest.id = (SELECT max(r.id) FROM runs r WHERE r.account = known.account)
       ORDER BY run DESC`,
    ),
  readings: async (sql, account, dialect) => {
    const rows = await sql.rows<{ ask: string }>(
      'SELECT ask FROM readings WHERE account = $1 AND dialect = $2',
      [account, dialect],
    );
    return rows.map(({ ask }) => ask);
  },
  trusts: async (sql, account, dialect) =>
    toTrusts(
      await sql.rows<TrustRow>(`${TRUST_ROWS} WHERE account = $1 AND dialect = $2`, [
        account,
        dialect,
      ]),
    ),
} satisfies Partial<Verbs>;

export const accountWrites = {
  noteReadings: async (sql, account, dialect, asks) => {
    const rows = [...asks].sort().map((ask) => ({ account, dialect, ask }));
    await sql.insert('readings', rows, 'ON CONFLICT DO NOTHING');
  },
  exchangePeopleSchema: async (sql, account, schema, at) => {
    const fields = JSON.stringify(schema);
    const row = { account, seen_at: at, fields };
    if ((await sql.insert('seen_fields', [row], 'ON CONFLICT DO NOTHING')) > 0) return null;
    const before = await sql.row<{ fields: string }>(
      'SELECT fields FROM seen_fields WHERE account = $1 FOR UPDATE',
      [account],
    );
    await sql.update('seen_fields', ['account'], [row]);
    return before === undefined ? null : parseSeenSchema(before.fields);
  },
} satisfies Partial<Verbs>;
