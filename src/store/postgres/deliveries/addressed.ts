// Which enrichments deliveries may name (src/store/deliveries/addressed.ts), in the database.
import {
  ADDRESSED,
  type Addressable,
  type AddressedRow,
  addressedBy,
  HAS_OWN_TICKET,
} from '../../deliveries/addressed.js';
import type { Sql } from '../database/database.js';
import type { Held, HeldEnrichment } from '../enrichments/held.js';
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

/** What a verb has decided about enrichments, and not yet written. */
export interface Unwritten {
  readonly held: Held;
  /** By tickets that none of them had before. */
  readonly learnt: ReadonlyMap<string, readonly HeldEnrichment[]>;
}

/** Those of the account that have one of these ids or tickets, as they are once what is decided is written. */
export async function findAddressable(
  sql: Sql,
  account: string,
  { ids, tickets }: Names,
  unwritten?: Unwritten,
): Promise<Addressable> {
  const rows = await sql.rows<AddressedRow>(
    `SELECT ${ADDRESSED} FROM enrichments e JOIN runs r ON r.id = e.run_id
     WHERE e.id = ANY ($2::bigint[] || ARRAY(SELECT id FROM enrichments e WHERE ticket = ANY ($3::text[]) AND ${HAS_OWN_TICKET}))
       AND r.account = $1 ORDER BY e.id`,
    [account, ids, tickets],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byTicket = new Map<string, AddressedRow[]>();
  for (const row of rows) {
    if (row.ticket === null) continue;
    const same = byTicket.get(row.ticket);
    if (same === undefined) byTicket.set(row.ticket, [row]);
    else same.push(row);
  }
  const asNow = (row: AddressedRow): AddressedRow => {
    const { callId, state, ticket } = unwritten?.held.rows.get(row.id) ?? row;
    return { ...row, callId, state, ticket };
  };

  return {
    byId: (id) => {
      const row = byId.get(id);
      return row === undefined || row.sendCount === 0 ? undefined : asNow(row);
    },
    withTicket: (ticket) => {
      const learnt = unwritten?.learnt.get(ticket) ?? [];
      return [
        ...(byTicket.get(ticket) ?? []),
        ...learnt.flatMap(({ id }) => byId.get(id) ?? []),
      ].map(asNow);
    },
  };
}
