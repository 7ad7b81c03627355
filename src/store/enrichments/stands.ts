// Which enrichments stand in for which asks of others. Those that are stood in for follow: each gets what has become of
// the others, in the transaction that changes these.

import { hasEnded } from '../../model/enrichment/arrows.js';
import type { Enrichment, Locked } from '../../model/enrichment/locked.js';
import { knownAs, type Stand } from '../../model/enrichment/look.js';
import { traitsOf } from '../../model/enrichment/person.js';
import { follow } from '../../model/enrichment/stand.js';
import { toAsks } from '../../model/enrichment/stored-request.js';
import type { Result } from '../../model/result.js';
import type { Sql } from '../sql.js';
import { lockRows, readResults } from './lock-rows.js';

interface StandRow {
  readonly id: number;
  readonly ask: string;
  readonly from: number;
}

export async function keepStands(sql: Sql, { stands }: Locked): Promise<void> {
  if (stands.size === 0) return;
  const ids = Array.from(stands.keys(), ({ id }) => id);
  await sql.run('DELETE FROM stands WHERE enrichment_id = ANY ($1)', [ids]);
  const rows = [...stands].flatMap(([{ id }, all]) =>
    all.map(({ ask, from }) => ({ enrichmentId: id, ask, fromId: from.id })),
  );
  await sql.insert('stands', rows);
}

export async function followAll(sql: Sql, locked: Locked): Promise<void> {
  const changed = [...locked.changes].flatMap(([row, changes]) => {
    const isNews = changes.some(({ state }) => state !== undefined && hasEnded(state));
    return row.id > 0 && (isNews || locked.results.has(row)) ? row.id : [];
  });
  if (changed.length === 0) return;
  // In most states none stands in for another.
  if ((await sql.value('SELECT max(from_id) FROM stands')) === null) return;
  const rows = await sql.rows<StandRow>(
    `SELECT enrichment_id AS id, ask, from_id AS "from" FROM stands WHERE enrichment_id IN
       (SELECT enrichment_id FROM stands WHERE from_id = ANY ($1)) ORDER BY enrichment_id, ask`,
    [changed],
  );
  const followers = [...new Set(rows.map(({ id }) => id))];
  const ids = [...new Set([...followers, ...rows.map(({ from }) => from)])];
  await lockRows(sql, ids, locked);
  const kept = await readResults(sql, ids);
  const resultOf = (row: Enrichment): Result => locked.results.get(row) ?? kept.get(row.id) ?? {};
  for (const id of followers) {
    const row = locked.rows.get(id);
    if (row === undefined) continue;
    const stands = rows.flatMap((one): Stand[] => {
      const from = locked.rows.get(one.from);
      if (one.id !== id || from === undefined) return [];
      const asks = toAsks(one.ask);
      const candidate = {
        row: from,
        result: resultOf(from),
        traits: traitsOf({}),
        keys: new Set(asks),
      };
      const is = knownAs(asks, candidate) ?? 'open';
      // What is sent again is in doubt as before until it ends.
      return [{ asks, from: candidate, is: is === 'open' ? 'unsure' : is }];
    });
    follow(locked, { row, stands, result: resultOf(row) });
  }
}
