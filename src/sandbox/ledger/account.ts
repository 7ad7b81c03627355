// The credits of the account: bought, spent, and reserved for what open enrichments may still cost.
import type { Prices } from '../../model/ask.js';
import { subtractCredits, sumCredits } from '../../model/credits.js';
import { priceAtMost } from '../answers/decide-outcome.js';
import type { Ledger, NewEnrichment } from './ledger.js';

/** The state as `GET /sandbox/credits` shows it. */
export interface AccountState {
  /** All credits that were ever bought; null for an account without a limit. */
  readonly credits: number | null;
  readonly charged: number;
  /** The highest price of all accepted enrichments that are not ready yet. */
  readonly reserved: number;
  /** The credits that can still be spent; null without a limit. */
  readonly left: number | null;
}

interface AccountOptions {
  /** Undefined: there are always enough. */
  readonly credits: number | undefined;
  readonly ledger: Ledger;
  readonly prices: Prices;
  readonly now: () => number;
}

export class Account {
  #credits: number | undefined;

  constructor(private readonly options: AccountOptions) {
    this.#credits = options.credits;
  }

  /** Sets the credits that were bought in all, including those already charged. */
  set(credits: number | undefined): void {
    this.#credits = credits;
  }

  /** Whether the credits that are left pay for all of them if each finds everything. */
  covers(requests: readonly NewEnrichment[]): boolean {
    if (this.#credits === undefined) return true;
    const { prices } = this.options;
    const price = sumCredits(requests.map(({ ask }) => priceAtMost(ask, prices)));
    const { left } = this.state();
    return left !== null && left >= price;
  }

  state(): AccountState {
    const { ledger, now, prices } = this.options;
    const at = now();
    const entries = ledger.all();
    const open = entries.filter(({ readyAt }) => readyAt > at);
    const ready = entries.filter(({ readyAt }) => readyAt <= at);
    const reserved = sumCredits(open.map(({ ask }) => priceAtMost(ask, prices)));
    const charged = sumCredits(ready.map((entry) => ledger.priceOf(entry)));
    const credits = this.#credits ?? null;
    const left =
      credits === null ? null : subtractCredits(credits, sumCredits([charged, reserved]));
    return { credits, charged, reserved, left };
  }
}
