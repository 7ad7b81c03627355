// Compares a platform's list of charges with what the state knows was sent, and writes the table of claims.
import { SluiceError } from '../../model/errors.js';
import type { Store } from '../../ports/store/store.js';
import { openInvoiceScratch } from '../../store/sqlite/scratch-invoice.js';
import { checkWrites } from '../files/check-writes.js';
import { ALWAYS, auditTickets, isTicketAuditOff, type TicketAudit } from './audit-tickets.js';
import { type ClaimWish, type ClaimWriter, openClaims } from './claim-writer.js';
import { type InvoiceFacts, type InvoiceSource, readInvoice } from './read-invoice.js';

export interface AuditWish extends InvoiceSource, ClaimWish {
  readonly account: string;
  readonly force: boolean;
}

export interface AuditReport extends InvoiceFacts, TicketAudit {
  readonly claims: { readonly out: string; readonly rows: number } | null;
  /** Whether anything is left that nothing explains. */
  readonly isUnexplained: boolean;
}

/**
 * @throws SluiceError `input` for a table that cannot be read, `usage` for one without tickets or an account from which
 * nothing was sent
 */
export async function auditInvoice(store: Store, wish: AuditWish): Promise<AuditReport> {
  const { account, claims, force, file } = wish;
  const writes = claims === undefined ? [] : [{ path: claims, purpose: 'claims' as const }];
  await checkWrites(writes, { job: '', sources: [file], isForced: force }, store);
  const accounts = await store.accounts();
  const isKnown = accounts.some((one) => one.account === account && one.run > 0);
  // The runs of an account may be pruned.
  if (!isKnown && (await store.countSends(account, ALWAYS)).all === 0) {
    throw new SluiceError(
      'usage',
      'Nothing was ever sent from this account with this state. Name the account with --url and --account as the runs did, or another state with --state.',
    );
  }
  const scratch = openInvoiceScratch();
  let writer: ClaimWriter | undefined;
  try {
    const facts = await readInvoice(
      wish,
      async (tickets) => (await store.chargesOf(account, tickets, false)).length,
      (row) => scratch.keep(row.ticket, JSON.stringify(row)),
    );
    if (facts.credits < 0) {
      throw new SluiceError(
        'input',
        `The credits of ${file} add up to less than 0: charges are negative numbers there. Turn the signs of that column around, and audit it again.`,
      );
    }
    writer = await openClaims(store, wish);
    const audit = await auditTickets(store, { account, dates: facts.dates, scratch, writer });
    return {
      ...facts,
      ...audit,
      claims: await writer.commit(),
      isUnexplained: isTicketAuditOff(audit) || facts.unreadable.count > 0,
    };
  } finally {
    await writer?.discard();
    scratch.close();
  }
}
