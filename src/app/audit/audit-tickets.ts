// Judges a list of charges with tickets, some hundred tickets at a time, and looks for what is not on it.
import type { InvoiceRow } from '../../model/audit/invoice.js';
import {
  FINDINGS,
  type Finding,
  type Judged,
  judgeTicket,
  notCharged,
  UNEXPLAINED,
} from '../../model/audit/judge-tickets.js';
import { sumCredits } from '../../model/credits.js';
import { groupBy } from '../../model/group-by.js';
import { type KnownCharge, QUARTER_MS, type Span } from '../../ports/store/charges.js';
import type { Store } from '../../ports/store/store.js';
import type { InvoiceScratch } from '../../store/sqlite/scratch-invoice.js';
import { widened } from './read-invoice.js';

const AT_ONCE = 500;
const DAY_MS = 86_400_000;
export const ALWAYS: Span = { from: 0, until: Number.MAX_SAFE_INTEGER };

interface AuditSum {
  charges: number;
  /** As the list has them: those of all findings are its sum. */
  credits: number;
  /** The credits among them that are too many; below 0 for too few. */
  over: number;
}

export interface TicketAudit {
  readonly findings: Readonly<Record<Finding, Readonly<AuditSum>>>;
  /** Sends of that time without a known ticket. */
  readonly unnamed: number;
  /** The span in which charges that are not on the list were looked for; null if nothing says it. */
  readonly looked: Span | null;
}

interface Auditing {
  readonly account: string;
  /** The span of all dates of the list; null without dates. */
  readonly dates: Span | null;
  readonly scratch: InvoiceScratch;
  /** Takes what nothing explains. */
  readonly claim: (judged: readonly Judged[]) => Promise<void>;
}

export async function auditTickets(
  store: Store,
  { account, claim, dates, scratch }: Auditing,
): Promise<TicketAudit> {
  // Those shortly before the list may be on it.
  const near = dates === null ? ALWAYS : { from: dates.from - DAY_MS, until: dates.until };
  const { hasSharedTickets, unnamed } = await store.countSends(account, near);
  const count = createCount();
  let agreed: Span | null = null;
  for (let last = 0; ; ) {
    const page = scratch.tickets(last, AT_ONCE);
    if (page.length === 0) break;
    last = page.at(-1)?.number ?? last;
    const groups = page.map(({ rows }) => rows.map((row) => JSON.parse(row) as InvoiceRow));
    const known = await chargesByTicket(store, account, groups.map(ticketOf), hasSharedTickets);
    const judged = groups.flatMap((rows) => {
      const charges = known.get(ticketOf(rows)) ?? [];
      const all = judgeTicket(rows, charges, unnamed);
      if (all.some(({ finding }) => finding !== 'refunded')) {
        for (const { key } of charges) scratch.note(key);
      }
      return all;
    });
    for (const { finding, known: charge, row } of judged) {
      if (finding === 'agreed' && charge !== null && row !== null)
        agreed = widened(agreed, spanOf(charge));
    }
    await claim(count.add(judged));
  }
  // Without dates on the list, a ticket of long ago would make everything since then look as if it were missing.
  const looked = dates === null ? null : agreed;
  if (looked !== null) {
    for await (const missing of missingCharges(store, account, looked, scratch)) {
      await claim(count.add(missing.map(notCharged)));
    }
  }
  return { findings: count.findings, unnamed, looked };
}

function ticketOf(rows: readonly InvoiceRow[]): string {
  return rows[0]?.ticket ?? '';
}

function spanOf({ answeredAt, sentAt }: KnownCharge): Span {
  return { from: sentAt, until: answeredAt + QUARTER_MS };
}

async function chargesByTicket(
  store: Store,
  account: string,
  tickets: readonly string[],
  mayBeShared: boolean,
): Promise<Map<string, KnownCharge[]>> {
  return groupBy(await store.chargesOf(account, tickets, mayBeShared), ({ ticket }) => ticket);
}

async function* missingCharges(
  store: Store,
  account: string,
  span: Span,
  scratch: InvoiceScratch,
): AsyncGenerator<KnownCharge[], void> {
  for (let after: string | null = null; ; ) {
    const page = await store.paidCharges(account, span, after, AT_ONCE);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.key;
    yield page.filter(({ key }) => !scratch.isNoted(key));
  }
}

function createCount() {
  const findings = Object.fromEntries(
    FINDINGS.map((finding) => [finding, { charges: 0, credits: 0, over: 0 }]),
  ) as Record<Finding, AuditSum>;
  return {
    findings,
    add: (judged: readonly Judged[]): Judged[] => {
      for (const { finding, known, over, row } of judged) {
        const sum = findings[finding];
        sum.charges += 1;
        const listed = row === null ? 0 : (row.credits ?? known?.credits ?? 0);
        sum.credits = sumCredits([sum.credits, listed]);
        sum.over = sumCredits([sum.over, over]);
      }
      return judged.filter(
        ({ finding }) => UNEXPLAINED.has(finding) || finding === 'unknown_ticket',
      );
    },
  };
}

export function isTicketAuditOff({ findings, unnamed }: TicketAudit): boolean {
  return (
    FINDINGS.some((finding) => UNEXPLAINED.has(finding) && findings[finding].charges > 0) ||
    findings.unknown_ticket.charges > unnamed
  );
}
