// Which enrichments a delivery may name (src/store/deliveries/addressed.ts), in the state file.
import type Database from 'better-sqlite3';
import type {
  Addressed,
  DeliveryReference,
  DeliveryStep,
} from '../../../ports/store/deliveries.js';
import {
  ADDRESSED,
  type Addressable,
  type AddressedRow,
  addressedBy,
  HAS_OWN_TICKET,
  isOutdated,
} from '../../deliveries/addressed.js';

export function prepareAddressed(db: Database.Database) {
  const byId = db.prepare<[number], AddressedRow>(
    `SELECT ${ADDRESSED} FROM enrichments e WHERE e.id = ? AND e.send_count > 0`,
  );
  const byTicket = db.prepare<[string, string], AddressedRow>(
    `SELECT ${ADDRESSED} FROM enrichments e
     WHERE e.ticket_digest = ticket_digest(?) AND e.ticket = ? AND ${HAS_OWN_TICKET}`,
  );
  const isOfAccount = prepareIsOfAccount(db);

  const enrichmentsOf = (account: string): Addressable => ({
    byId: (id) => {
      const row = byId.get(id);
      return row !== undefined && isOfAccount(row, account) ? row : undefined;
    },
    withTicket: (ticket) => byTicket.all(ticket, ticket).filter((row) => isOfAccount(row, account)),
  });

  return {
    addressed: (account: string, references: readonly DeliveryReference[]): Addressed[] =>
      references.map((reference) => addressedBy(enrichmentsOf(account), reference)),
    isOutdated: (step: DeliveryStep, account: string): boolean =>
      isOutdated(enrichmentsOf(account), step),
  };
}

/** A run keeps its account, which is in its plan: reading that for each enrichment takes longer than the rest. */
function prepareIsOfAccount(db: Database.Database) {
  const find = db.prepare<[number], { account: string }>(
    `SELECT json_extract(plan, '$.account') AS account FROM runs WHERE id = ?`,
  );
  const accounts = new Map<number, string | undefined>();

  return ({ runId }: Pick<AddressedRow, 'runId'>, account: string): boolean => {
    if (!accounts.has(runId)) accounts.set(runId, find.get(runId)?.account);
    return accounts.get(runId) === account;
  };
}
