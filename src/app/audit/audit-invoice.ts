// Compares a platform's list of charges with what the state knows was sent, and writes the table of claims.
import type { Writable } from 'node:stream';
import { CLAIM_COLUMNS, claimRow } from '../../model/audit/claim-table.js';
import type { Judged } from '../../model/audit/judge-tickets.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { openTableWriter } from '../../output/open-table-writer.js';
import type { Store } from '../../ports/store/store.js';
import type { TableWriter } from '../../ports/table-writer.js';
import { openInvoiceScratch } from '../../store/sqlite/scratch-invoice.js';
import { checkWrites } from '../files/check-writes.js';
import { noting } from '../results/write-tables.js';
import { ALWAYS, auditTickets, isTicketAuditOff, type TicketAudit } from './audit-tickets.js';
import { type InvoiceFacts, type InvoiceSource, readInvoice } from './read-invoice.js';

export interface AuditWish extends InvoiceSource {
  readonly account: string;
  /** The path of the table of claims; `-` for standard output. Default: it is not written. */
  readonly claims?: string | undefined;
  readonly standardOutput?: Writable | undefined;
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
  const { account, claims, force, file, standardOutput } = wish;
  const writes = claims === undefined ? [] : [{ path: claims, purpose: 'claims' as const }];
  await checkWrites(writes, { job: '', sources: [file], isForced: force }, store);
  const accounts = await store.accounts();
  const isKnown = accounts.some((one) => one.account === account && one.run > 0);
  // The runs of an account may be pruned.
  if (!isKnown && (await store.countSends(account, ALWAYS)).all === 0) {
    throw wrongUse(
      'Nothing was ever sent from this account with this state. Name the account with --url and --account as the runs did, or another state with --state.',
    );
  }
  const scratch = openInvoiceScratch();
  let writer: TableWriter | undefined;
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
    if (claims !== undefined) {
      const options = { standardOutput, onReady: noting(store, null, 'claims') };
      writer = await openTableWriter(claims, CLAIM_COLUMNS, options);
    }
    let rows = 0;
    const claim = async (judged: readonly Judged[]): Promise<void> => {
      rows += judged.length;
      if (judged.length > 0) await writer?.write(judged.map(claimRow));
    };
    const audit = await auditTickets(store, { account, dates: facts.dates, scratch, claim });
    await writer?.commit();
    return {
      ...facts,
      ...audit,
      claims: claims === undefined ? null : { out: claims, rows },
      isUnexplained: isTicketAuditOff(audit) || facts.unreadable.count > 0,
    };
  } finally {
    await writer?.discard();
    scratch.close();
  }
}
