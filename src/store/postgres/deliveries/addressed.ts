// Which enrichments deliveries may name (src/store/deliveries/addressed.ts), in the database.
import {
  ADDRESSED,
  type Addressable,
  type AddressedRow,
  addressedBy,
} from '../../deliveries/addressed.js';
import type { Sql } from '../database/database.js';
import type { Held } from '../enrichments/held.js';
import type { Verbs } from '../verbs.js';

export const addressedReads = {
  addressed: async (sql, account, references) => {
    const ids = references.flatMap(({ enrichmentId }) => enrichmentId ?? []);
    const tickets = references.flatMap(({ ticket }) => ticket ?? []);
    const enrichments = await findAddressable(sql, account, { ids, tickets });
    return references.map((reference) => addressedBy(enrichments, reference));
  },
} satisfies Partial<Verbs>;

export interface Names {
  readonly ids: readonly number[];
  readonly tickets: readonly string[];
}

/** Those of the account that have one of these ids or tickets. `held` knows better what those are like that it holds. */
export async function findAddressable(
  sql: Sql,
  account: string,
  { ids, tickets }: Names,
  held?: Held,
): Promise<Addressable> {
  const rows = await sql.rows<AddressedRow>(
    `SELECT ${ADDRESSED} FROM enrichments e JOIN runs r ON r.id = e.run_id
     WHERE e.id = ANY ($2::bigint[] || ARRAY(SELECT id FROM enrichments WHERE ticket = ANY ($3::text[])))
       AND r.account = $1 ORDER BY e.id`,
    [account, ids, tickets],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byTicket = new Map<string | null, AddressedRow[]>();
  for (const row of rows) byTicket.set(row.ticket, [...(byTicket.get(row.ticket) ?? []), row]);
  const asNow = (row: AddressedRow): AddressedRow => {
    const { callId, state, ticket } = held?.rows.get(row.id) ?? row;
    return { ...row, callId, state, ticket };
  };

  return {
    byId: (id) => {
      const row = byId.get(id);
      return row === undefined || row.sendCount === 0 ? undefined : asNow(row);
    },
    // One that had none may have it by now.
    withTicket: (ticket) =>
      [...(byTicket.get(ticket) ?? []), ...(byTicket.get(null) ?? [])]
        .map(asNow)
        .filter((row) => row.ticket === ticket),
  };
}
