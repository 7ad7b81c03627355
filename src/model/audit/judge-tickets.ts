// Compares the charges of a platform's list with what is known under their tickets: a ticket at a time.

import { type KnownCharge, QUARTER_MS, type Span } from '../../ports/store/charges.js';
import { subtractCredits, sumCredits } from '../credits.js';
import type { InvoiceRow } from './invoice.js';

/**
 * - `agreed`: asked, answered, and charged as counted
 * - `never_asked`: its ticket is unknown
 * - `unknown_ticket`: so is this one, and some send has no known ticket: it may be that one's
 * - `charged_twice`: charged more often than asked
 * - `nothing_found`: charged, and nothing was found
 * - `other_price`: charged, and not at the price that was counted
 * - `other_date`: charged at a date that is not that of the question
 * - `not_charged`: asked, found, and not on the list
 * - `unanswered`: asked, and no answer is known: the charge may be right
 * - `refunded`: a charge that was taken back
 */
export const FINDINGS = [
  'agreed',
  'never_asked',
  'unknown_ticket',
  'charged_twice',
  'nothing_found',
  'other_price',
  'other_date',
  'not_charged',
  'unanswered',
  'refunded',
] as const;
export type Finding = (typeof FINDINGS)[number];

export const UNEXPLAINED: ReadonlySet<Finding> = new Set([
  'never_asked',
  'charged_twice',
  'nothing_found',
  'other_price',
  'other_date',
  'not_charged',
]);

export interface Judged {
  readonly finding: Finding;
  /** Null for what is not on the list. */
  readonly row: InvoiceRow | null;
  /** Null for what is not known. */
  readonly known: KnownCharge | null;
  /** The credits that are too many; below 0 for too few. */
  readonly over: number;
}

/** A platform may book a charge somewhat before or after what a client sees, and write times without their zone. */
const SLACK_MS = 86_400_000;

/** Judges all rows with one ticket; `known` is all that is known under it, `unnamed` the sends without a known ticket. */
export function judgeTicket(
  all: readonly InvoiceRow[],
  known: readonly KnownCharge[],
  unnamed: number,
): Judged[] {
  const { refunded, charges } = withoutRefunds(all.filter(({ credits }) => credits !== 0));
  const taken = refunded.map((row): Judged => ({ finding: 'refunded', row, known: null, over: 0 }));
  if (known.length === 0) {
    const finding = unnamed > 0 ? 'unknown_ticket' : 'never_asked';
    const unknown = charges.map(
      (row): Judged => ({ finding, row, known: null, over: row.credits ?? 0 }),
    );
    return [...taken, ...unknown];
  }
  const dear = known.toSorted((a, b) => b.credits - a.credits);
  if (isBulk(charges, dear)) return [...taken, ...judgeTogether(charges, dear)];
  const judged: Judged[] = [];
  const rest = [...charges];
  for (const one of dear) {
    const row = takeBest(rest, one);
    if (row !== undefined) judged.push(judgeOne(row, one));
  }
  const [first = null] = dear;
  const twice = rest.map((row): Judged => {
    const over = row.credits ?? first?.credits ?? 0;
    return { finding: 'charged_twice', row, known: first, over };
  });
  return [...taken, ...judged, ...twice];
}

export function notCharged(known: KnownCharge): Judged {
  return { finding: 'not_charged', row: null, known, over: -known.credits };
}

function withoutRefunds(rows: readonly InvoiceRow[]) {
  const charges = rows.filter(({ credits }) => credits === null || credits > 0);
  const refunded: InvoiceRow[] = [];
  for (const row of rows) {
    if (row.credits === null || row.credits > 0) continue;
    refunded.push(row);
    const { credits } = row;
    const charge = charges.findIndex((one) => one.credits === -credits);
    if (charge !== -1) refunded.push(...charges.splice(charge, 1));
  }
  return { refunded, charges };
}

function takeBest(rows: InvoiceRow[], known: KnownCharge): InvoiceRow | undefined {
  const points = (row: InvoiceRow) =>
    (hasPrice(row, known) ? 2 : 0) + (isInTime(row.when, known) ? 1 : 0);
  const most = Math.max(...rows.map(points));
  const [best] = rows.splice(
    rows.findIndex((row) => points(row) === most),
    1,
  );
  return best;
}

/** Whether fewer rows stand for all that was asked under one ticket, as a list may have one for a bulk call. */
function isBulk(charges: readonly InvoiceRow[], known: readonly KnownCharge[]): boolean {
  const paid = known.filter(({ credits }) => credits > 0);
  return (
    charges.length > 0 &&
    charges.length < paid.length &&
    charges.every(({ credits }) => credits !== null) &&
    known.every(({ outcome }) => isAnswered(outcome))
  );
}

/** The first row has the sum, and shows what is wrong with it. */
function judgeTogether(
  [first, ...others]: readonly InvoiceRow[],
  known: readonly KnownCharge[],
): Judged[] {
  const [dearest] = known;
  if (first === undefined || dearest === undefined) return [];
  const credits = sumCredits([first, ...others].map((row) => row.credits ?? 0));
  const whole = { ...dearest, credits: sumCredits(known.map((one) => one.credits)) };
  return [
    judgeOne({ ...first, credits }, whole),
    ...others.map(
      (row): Judged => ({
        finding: 'agreed',
        row: { ...row, credits: 0 },
        known: whole,
        over: 0,
      }),
    ),
  ];
}

function judgeOne(row: InvoiceRow, known: KnownCharge): Judged {
  const finding = findingOf(row, known);
  const isPriced = finding === 'other_price' || finding === 'nothing_found';
  const over = isPriced && row.credits !== null ? subtractCredits(row.credits, known.credits) : 0;
  return { finding, row, known, over };
}

function findingOf(row: InvoiceRow, known: KnownCharge): Finding {
  if (!isAnswered(known.outcome)) return 'unanswered';
  if (known.credits === 0) return 'nothing_found';
  if (!hasPrice(row, known)) return 'other_price';
  return isInTime(row.when, known) ? 'agreed' : 'other_date';
}

function isAnswered(outcome: KnownCharge['outcome']): boolean {
  return outcome !== 'unanswered' && outcome !== 'uncertain';
}

function hasPrice({ credits }: InvoiceRow, known: KnownCharge): boolean {
  return credits === null || credits === known.credits;
}

function isInTime(when: Span | null, { answeredAt, sentAt }: KnownCharge): boolean {
  if (when === null) return true;
  return when.until > sentAt - SLACK_MS && when.from < answeredAt + QUARTER_MS + SLACK_MS;
}
