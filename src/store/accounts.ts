// The facts that a state remembers of an account: the asks whose answers could be read, and the fields of its people.

import { toThousandths } from '../model/credits.js';
import type { SeenSchema } from '../model/resources/schema-drift.js';
import type { ToldCaps } from '../model/schedule/caps.js';
import type { KnownAccount } from '../ports/store/accounts.js';
import { type CapRow, readCaps, stateTime, toCaps } from './enrichments/spending.js';
import { read, type Verbs, write } from './verb.js';

export const accountVerbs = {
  // The query steps through the runs of each account: the index holds them together.
  accounts: read(async (sql) => {
    const rows = await sql.rows<
      Omit<KnownAccount, 'caps' | 'told'> & CapRow & { told: string | null }
    >(
      `WITH RECURSIVE known (account) AS (
         SELECT min(account) FROM runs
         UNION ALL
         SELECT (SELECT min(r.account) FROM runs r WHERE r.account > known.account) FROM known
         WHERE known.account IS NOT NULL)
       SELECT known.account, newest.plan::json ->> 'address' AS address, newest.id AS run, c.day, c.month, c.timezone, c.told
       FROM known JOIN runs newest ON newest.id = (SELECT max(r.id) FROM runs r WHERE r.account = known.account)
       LEFT JOIN caps c ON c.account = known.account
       UNION ALL
       SELECT account, NULL, 0, day, month, timezone, told FROM caps
       WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.account = caps.account)
       ORDER BY run DESC`,
    );
    return rows.map(({ account, address, run, told, ...row }) => ({
      account,
      address,
      run,
      caps: toCaps(row) ?? null,
      told: JSON.parse(told ?? '{}') as ToldCaps,
    }));
  }),
  caps: read(async (sql, account, at, job) => {
    const row = await sql.row<CapRow>('SELECT day, month, timezone FROM caps WHERE account = $1', [
      account,
    ]);
    const caps = { account: row && toCaps(row), job };
    if (caps.account === undefined && job === undefined) return [];
    return readCaps(sql, account, await stateTime(sql, at), caps);
  }),
  noteOutage: write(async (sql, account, is) => {
    if (is) await sql.insert('outages', [{ account }], 'ON CONFLICT DO NOTHING');
    else await sql.run('DELETE FROM outages WHERE account = $1', [account]);
  }),
  isOut: read(async (sql, account) => {
    return (await sql.row('SELECT 1 FROM outages WHERE account = $1', [account])) !== undefined;
  }),
  readings: read((sql, account, dialect) =>
    sql.list('SELECT ask FROM readings WHERE account = $1 AND dialect = $2', [account, dialect]),
  ),
  setCaps: write(async (sql, account, caps, told = {}) => {
    // A claim that has looked at the caps ends before they change.
    await sql.lock(`caps ${account}`);
    const removed = await sql.run('DELETE FROM caps WHERE account = $1', [account]);
    if (caps === null) return removed > 0;
    const { day, month, timezone } = caps;
    await sql.insert('caps', [
      {
        account,
        day: thousandthsOf(day),
        month: thousandthsOf(month),
        timezone,
        told: JSON.stringify(told),
      },
    ]);
    return removed > 0;
  }),
  noteReadings: write(async (sql, account, dialect, asks) => {
    const rows = [...asks].sort().map((ask) => ({ account, dialect, ask }));
    await sql.insert('readings', rows, 'ON CONFLICT DO NOTHING');
  }),
  exchangePeopleSchema: write(async (sql, account, schema, at) => {
    const fields = JSON.stringify(schema);
    const row = { account, seenAt: at, fields };
    if ((await sql.insert('seen_fields', [row], 'ON CONFLICT DO NOTHING')) > 0) return null;
    const before = await sql.value<string>(
      'SELECT fields FROM seen_fields WHERE account = $1 FOR UPDATE',
      [account],
    );
    await sql.update('seen_fields', ['account'], [row]);
    return before === undefined ? null : (JSON.parse(before) as SeenSchema);
  }),
} satisfies Partial<Verbs>;

function thousandthsOf(credits: number | undefined): number | null {
  return credits === undefined ? null : toThousandths(credits);
}
