// The list of charges as the platform would send it: right, or wrong on purpose in six ways, by the seed.
import type { Prices } from '../../model/ask.js';
import { timesCredits } from '../../model/credits.js';
import { highestPrice } from '../../model/verdict.js';
import { hashText } from './fingerprint-request.js';
import type { LedgerEntry } from './ledger.js';

/** How a charge can be wrong, by the names that `sluice audit` has for it. */
export const WRONG_WAYS = [
  'charged_twice',
  'other_price',
  'not_charged',
  'other_date',
  'never_asked',
  'nothing_found',
] as const;
export type WrongWay = (typeof WRONG_WAYS)[number];
const WAYS_OF_HITS = WRONG_WAYS.filter((way) => way !== 'nothing_found');

const DAY_MS = 86_400_000;
/** A date so much too early is in another month. */
const DATE_OFF_MS = 40 * DAY_MS;
const DRAW_DIGITS = 12;

export interface InvoiceCharge {
  readonly ticket: string;
  /** When the result was ready, or made out to be. */
  readonly chargedAt: number;
  readonly credits: number;
}

export interface Invoice {
  readonly charges: readonly InvoiceCharge[];
  readonly wrong: ReadonlyMap<string, WrongWay>;
}

interface InvoiceTerms {
  readonly seed: number;
  readonly prices: Prices;
  readonly share: number;
  readonly now: number;
}

export function makeInvoice(entries: readonly LedgerEntry[], terms: InvoiceTerms): Invoice {
  const { now, prices, seed, share } = terms;
  const charges: InvoiceCharge[] = [];
  const wrong = new Map<string, WrongWay>();
  const add = (ticket: string, chargedAt: number, credits: number): void => {
    charges.push({ ticket, chargedAt, credits });
  };
  let hits = 0;
  for (const { ask, credits, id, readyAt } of entries) {
    if (readyAt > now) continue;
    const isWrong = draw(`invoice\n${seed}\n${id}`) < share;
    if (credits === 0) {
      if (!isWrong) continue;
      wrong.set(id, 'nothing_found');
      add(id, readyAt, highestPrice(ask, prices));
      continue;
    }
    const way = isWrong ? WAYS_OF_HITS[hits % WAYS_OF_HITS.length] : undefined;
    if (isWrong) hits += 1;
    const ticket = way === 'never_asked' ? `enr_${hashText(`never\n${seed}\n${id}`, 32)}` : id;
    if (way !== undefined) wrong.set(ticket, way);
    if (way === 'never_asked' || way === 'charged_twice') add(ticket, readyAt, credits);
    if (way === 'not_charged') continue;
    const chargedAt = way === 'other_date' ? readyAt - DATE_OFF_MS : readyAt;
    add(id, chargedAt, way === 'other_price' ? timesCredits(credits, 2) : credits);
  }
  return { charges, wrong };
}

/** A number from 0 up to 1. */
function draw(text: string): number {
  return Number.parseInt(hashText(text, DRAW_DIGITS), 16) / 16 ** DRAW_DIGITS;
}
