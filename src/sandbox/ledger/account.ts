// The credits of the account: those that were bought, those that are spent, and those that open enrichments may still
// cost.
import TinyQueue from 'tinyqueue';
import type { Prices } from '../../model/ask.js';
import { subtractCredits, sumCredits } from '../../model/credits.js';
import { priceAtMost } from '../answers/decide-outcome.js';
import type { Enrichment, Ledger, NewEnrichment } from './ledger.js';

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
  #charged = 0;
  #reserved = 0;
  /** The number of counted entries of the ledger; an account without a limit counts none. */
  #seen = 0;
  readonly #open = new TinyQueue<Enrichment>([], (one, other) => one.readyAt - other.readyAt);

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
    this.#catchUp();
    const [charged, reserved] = [this.#charged, this.#reserved];
    if (this.#credits === undefined) return { credits: null, charged, reserved, left: null };
    const left = subtractCredits(this.#credits, sumCredits([charged, reserved]));
    return { credits: this.#credits, charged, reserved, left };
  }

  #catchUp(): void {
    const { ledger, now, prices } = this.options;
    const entries = ledger.all();
    for (let entry = entries[this.#seen]; entry !== undefined; entry = entries[this.#seen]) {
      this.#seen += 1;
      this.#reserved = sumCredits([this.#reserved, priceAtMost(entry.ask, prices)]);
      this.#open.push(entry);
    }
    const at = now();
    for (let first = this.#open.peek(); first !== undefined && first.readyAt <= at; ) {
      this.#open.pop();
      this.#reserved = subtractCredits(this.#reserved, priceAtMost(first.ask, prices));
      this.#charged = sumCredits([this.#charged, ledger.priceOf(first)]);
      first = this.#open.peek();
    }
  }
}
