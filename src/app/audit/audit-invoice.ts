// Compares a platform's list of charges with what the state knows was sent, answered and charged, and writes the table
// of claims. It changes nothing.
import { CLAIM_TABLE, TOTAL_TABLE } from '../../model/audit/claim-table.js';
import type { InvoicePart, InvoiceRow } from '../../model/audit/invoice.js';
import {
  createTotals,
  type JudgedTotal,
  judgeTotals,
  PERIODS_MAX,
} from '../../model/audit/judge-totals.js';
import { DAY_MS } from '../../model/audit/zoned-time.js';
import { sumCredits } from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import type { Span } from '../../ports/store/charges.js';
import type { Store } from '../../ports/store/store.js';
import { type InvoiceScratch, openInvoiceScratch } from '../../store/sqlite/scratch-invoice.js';
import { checkWrites } from '../files/check-writes.js';
import { noStream } from '../results/export-run.js';
import {
  ALWAYS,
  auditTickets,
  isTicketAuditOff,
  type TicketAudit,
  widened,
} from './audit-tickets.js';
import { type ClaimWish, type ClaimWriter, openClaims } from './claim-writer.js';
import { type InvoiceSource, readInvoice, type Unreadable } from './read-invoice.js';

const UNREADABLE_SHOWN = 5;

export interface AuditWish extends InvoiceSource, ClaimWish {
  readonly account: string;
  /** The span that the list covers; null if the list has to say it. */
  readonly stated: Span | null;
  readonly force: boolean;
}

export interface AuditReport {
  readonly columns: Readonly<Partial<Record<InvoicePart, string>>>;
  readonly rows: number;
  /** The credits of all rows. */
  readonly credits: number;
  readonly unreadable: { readonly count: number; readonly first: readonly Unreadable[] };
  /** Null for a list with sums alone. */
  readonly tickets: TicketAudit | null;
  /** Null for a list with tickets. */
  readonly totals: {
    readonly periods: readonly JudgedTotal[];
    readonly whole: JudgedTotal;
  } | null;
  readonly claims: { readonly out: string; readonly rows: number } | null;
  /** Whether anything is left that nothing explains. */
  readonly isUnexplained: boolean;
}

/**
 * @throws SluiceError `input` for a table that cannot be read, `usage` for one without the columns or an account from
 * which nothing was sent
 */
export async function auditInvoice(store: Store, wish: AuditWish): Promise<AuditReport> {
  const { account, claims, force, file, standardOutput, stated } = wish;
  if (claims === '-' && standardOutput === undefined) throw noStream('The table of claims');
  const writes = claims === undefined ? [] : [{ path: claims, purpose: 'claims' as const }];
  await checkWrites(writes, { job: '', sources: [file], isForced: force }, store);
  await demandAccount(store, account);
  const scratch = openInvoiceScratch();
  const read = createReading(wish, scratch);
  let writer: ClaimWriter | undefined;
  try {
    for await (const piece of readInvoice(wish, async (tickets) => {
      return (await store.chargesOf(account, tickets, false)).length;
    })) {
      read.add(piece.rows, piece.unreadable, piece.columns);
    }
    if (read.facts().credits < 0) {
      throw new SluiceError(
        'input',
        `The credits of ${file} add up to less than 0: charges are negative numbers there. Turn the signs of that column around, and audit it again.`,
        { file },
      );
    }
    const totals = read.totals();
    writer = await openClaims(store, wish, (totals === null ? CLAIM_TABLE : TOTAL_TABLE).columns);
    const summed = totals === null ? null : await auditTotals(store, account, totals, writer);
    const dates = read.dates();
    const auditing = { account, stated, dates, scratch, writer };
    const tickets = totals === null ? await auditTickets(store, auditing) : null;
    const written = await writer.commit();
    const facts = read.facts();
    const isOff =
      (tickets !== null && isTicketAuditOff(tickets)) ||
      (summed !== null && [...summed.periods, summed.whole].some(isTotalOff));
    return {
      ...facts,
      tickets,
      totals: summed,
      claims: written,
      isUnexplained: isOff || facts.unreadable.count > 0,
    };
  } finally {
    await writer?.discard();
    scratch.close();
  }
}

async function demandAccount(store: Store, account: string): Promise<void> {
  const accounts = await store.accounts();
  if (accounts.some((one) => one.account === account)) return;
  if ((await store.chargeSums(account, ALWAYS)).length > 0) return;
  throw new SluiceError(
    'usage',
    'Nothing was ever sent from this account with this state. Name the account with --url and --account as the runs did, or another state with --state.',
    { account },
  );
}

/** Takes the rows in: into the scratch by their tickets, or into sums if there are none. */
function createReading({ stated, zone }: AuditWish, scratch: InvoiceScratch) {
  let names: AuditReport['columns'] = {};
  let rowCount = 0;
  let unreadableCount = 0;
  const first: Unreadable[] = [];
  let credits = 0;
  let dates: Span | null = null;
  let totals: ReturnType<typeof createTotals> | undefined;
  let kind: 'month' | 'day' | undefined;

  const addToTotals = ({ line, when, credits: more }: InvoiceRow): void => {
    if (when === null) return;
    const own = when.kind === 'month' ? 'month' : 'day';
    kind ??= own;
    if (own !== kind) {
      throw new SluiceError(
        'usage',
        `Line ${line} of the invoice has a ${own}, and earlier ones have a ${kind}: audit sums for days and for months each by themselves.`,
        { line },
      );
    }
    totals ??= createTotals(kind, zone);
    if (!totals.add(when, more ?? 0)) throw tooLong();
  };

  return {
    add: (
      rows: readonly InvoiceRow[],
      unreadable: readonly Unreadable[],
      columns: AuditReport['columns'],
    ): void => {
      names = columns;
      unreadableCount += unreadable.length;
      first.push(...unreadable.slice(0, UNREADABLE_SHOWN - first.length));
      rowCount += rows.length;
      credits = sumCredits([credits, ...rows.map((row) => row.credits ?? 0)]);
      for (const row of rows) {
        if (row.ticket === null) addToTotals(row);
        else scratch.keep(row.ticket, JSON.stringify(row));
        if (row.when !== null) dates = widened(dates, row.when);
      }
    },
    /** The span of all dates; null without dates. */
    dates: (): Span | null => dates,
    totals: () => {
      if (names.ticket !== undefined || totals === undefined) return null;
      const all = totals.all(stated);
      if (all === null) throw tooLong();
      return all;
    },
    facts: () => ({
      columns: names,
      rows: rowCount,
      credits,
      unreadable: { count: unreadableCount, first },
    }),
  };
}

function tooLong(): SluiceError {
  return new SluiceError(
    'usage',
    `The dates of the invoice span more than ${PERIODS_MAX} days or months. Audit it in parts, or correct a date.`,
  );
}

async function auditTotals(
  store: Store,
  account: string,
  totals: Parameters<typeof judgeTotals>[0],
  writer: ClaimWriter,
) {
  const from = (totals[0]?.from ?? 0) - DAY_MS;
  const until = totals.at(-1)?.until ?? 0;
  const judged = judgeTotals(totals, await store.chargeSums(account, { from, until }));
  const off = judged.periods.filter(({ finding }) => finding !== 'agreed');
  await writer.write(off.map(TOTAL_TABLE.row));
  return judged;
}

function isTotalOff({ finding }: JudgedTotal): boolean {
  return finding === 'more' || finding === 'less';
}
