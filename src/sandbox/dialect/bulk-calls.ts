// Bulk calls that have one ticket for all their items. The enrichments of a call stand side by side in the ledger,
// so the ticket says all: the first of them and how many. It is good after a restart as well, as the ledger is.
import type { JsonValue } from '../../model/text/json.js';
import type { Enrichment, Ledger } from '../ledger/ledger.js';

const PREFIX = 'bat_';

/** An entry of the neutral answer to a bulk call. */
export interface BulkEntry {
  readonly id?: string | undefined;
  readonly error?: string | undefined;
  readonly metadata?: JsonValue | undefined;
}

/** A call that can be read by its ticket. */
export interface BulkCall {
  readonly enrichments: readonly Enrichment[];
  /** Its refused items, where the answer to the call had no place for them; forgotten by a restart. */
  readonly refused: readonly BulkEntry[];
}

export class BulkCalls {
  readonly #refused = new Map<string, readonly BulkEntry[]>();

  constructor(private readonly ledger: Pick<Ledger, 'all' | 'find'>) {}

  /** The ticket, `bat_…`; undefined where no item was accepted. */
  ticketOf(entries: readonly BulkEntry[]): string | undefined {
    const ids = entries.flatMap(({ id }) => id ?? []);
    const [first] = ids;
    return first === undefined ? undefined : `${PREFIX}${ids.length}_${first}`;
  }

  /** Keeps items that were refused, to be told by the ticket. */
  keepRefused(ticket: string, refused: readonly BulkEntry[]): void {
    if (refused.length > 0) this.#refused.set(ticket, refused);
  }

  /** Undefined for a ticket that is none. */
  find(ticket: string): BulkCall | undefined {
    const [, digits = '', first = ''] = /^bat_(\d+)_(.+)$/.exec(ticket) ?? [];
    const position = this.ledger.find(first)?.position;
    if (position === undefined) return undefined;
    const enrichments = this.ledger.all().slice(position, position + Number(digits));
    return { enrichments, refused: this.#refused.get(ticket) ?? [] };
  }
}

export function isBatchTicket(ticket: string): boolean {
  return ticket.startsWith(PREFIX);
}
