// Finds leads that would be paid for again although they are known under another account of the same address.
import type { Ask } from '../model/ask.js';
import { canonicalText } from '../model/fingerprint.js';
import type { PaidAnew } from '../model/tally.js';
import type { KnownAccount } from '../ports/store/accounts.js';
import type { AskedLead, LeadEntry } from '../ports/store/enrichments.js';
import type { Store } from '../ports/store/store.js';
import type { AskingTerms } from './run-context.js';

export interface KnownElsewhereOptions {
  readonly store: Store;
  readonly terms: AskingTerms;
  /** The other accounts of the address, the most likely first. */
  readonly accounts: readonly KnownAccount[];
  readonly freshSince: number;
  /** Leads up to this position belong to a run already. */
  readonly afterPosition: number;
}

interface Open {
  readonly lead: AskedLead;
  readonly asks: readonly Ask[];
}

export class KnownElsewhere {
  readonly #counts = new Map<KnownAccount, number>();

  constructor(private readonly options: KnownElsewhereOptions) {}

  /** The accounts under which leads are known, those with most leads first. */
  get found(): PaidAnew[] {
    return Array.from(this.#counts, ([{ account, run }, leads]) => {
      return { leads, run, keep: `--account id-${account}` };
    }).sort((a, b) => b.leads - a.leads);
  }

  async lookAt(leads: readonly LeadEntry[]): Promise<void> {
    const { accounts, afterPosition, terms } = this.options;
    const asked = leads.filter(
      (lead): lead is AskedLead => lead.kind === 'asked' && lead.position > afterPosition,
    );
    let rest = await this.#openOf(asked, terms.account);
    for (const other of accounts) {
      if (rest.length === 0) return;
      const theirs = rest.map(({ lead }) => ({
        ...lead,
        fingerprint: terms.digest(canonicalText(lead.request, other.account, lead.definitions)),
      }));
      const open = await this.#openOf(theirs, other.account);
      const asksOf = new Map(open.map(({ asks, lead }) => [lead.position, asks]));
      const left = rest.filter(({ asks, lead }) =>
        asks.every((ask) => asksOf.get(lead.position)?.includes(ask)),
      );
      const known = rest.length - left.length;
      if (known > 0) this.#counts.set(other, (this.#counts.get(other) ?? 0) + known);
      rest = left;
    }
  }

  async #openOf(leads: readonly AskedLead[], account: string): Promise<Open[]> {
    const { freshSince, store } = this.options;
    const states = await store.peek(account, leads, freshSince);
    return leads.flatMap((lead, i): Open[] => {
      const { asks = [], state } = states[i] ?? {};
      return state === 'new' ? [{ lead, asks }] : [];
    });
  }
}
