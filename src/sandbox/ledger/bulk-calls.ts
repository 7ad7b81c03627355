// Bulk calls that have one ticket for all their items, with the items in their order. A call is known from the moment
// its enrichments are accepted, whether its answer arrives or not, and after a restart.
import type { JsonObject } from '../../model/text/json.js';
import type { Enrichment, Ledger } from './ledger.js';
import type { BulkCallRecord, BulkItemRecord, WriteLines } from './ledger-lines.js';

const TICKET_PREFIX = 'bat_';

/** A call that can be read by its ticket. */
export interface BulkCall {
  readonly enrichments: readonly Enrichment[];
  readonly items: readonly BulkItemRecord[];
}

interface BulkCallsOptions {
  readonly ledger: Pick<Ledger, 'find'>;
  readonly write: WriteLines;
}

export class BulkCalls {
  readonly #items = new Map<string, readonly BulkItemRecord[]>();
  readonly #ticketOfItem = new Map<string, string>();

  constructor(private readonly options: BulkCallsOptions) {}

  /** Keeps a call; call it once its enrichments are in the ledger. Nothing is kept of a call without an enrichment. */
  keep(items: readonly BulkItemRecord[]): void {
    const first = items.find(({ id }) => id !== undefined)?.id;
    if (first === undefined) return;
    const record = { id: `${TICKET_PREFIX}${first}`, items };
    this.options.write([{ kind: 'bulk-call', ...record }]);
    this.restore(record);
  }

  restore({ id: ticket, items }: BulkCallRecord): void {
    this.#items.set(ticket, items);
    for (const { id } of items) if (id !== undefined) this.#ticketOfItem.set(id, ticket);
  }

  /** The ticket, `bat_…`, of the call to which all of these items belong; undefined for others. */
  sharedTicket(items: readonly JsonObject[]): string | undefined {
    const tickets = new Set(
      items.flatMap(({ id }) => (typeof id === 'string' ? [this.#ticketOfItem.get(id)] : [])),
    );
    const [ticket] = tickets;
    return tickets.size === 1 ? ticket : undefined;
  }

  /** The call; undefined for an unknown ticket. */
  find(ticket: string): BulkCall | undefined {
    const items = this.#items.get(ticket);
    if (items === undefined) return undefined;
    const enrichments = items.flatMap(({ id = '' }) => this.options.ledger.find(id) ?? []);
    return { enrichments, items };
  }
}

export function isBatchTicket(ticket: string): boolean {
  return ticket.startsWith(TICKET_PREFIX);
}
