import { openTableWriter } from '../../output/open-table-writer.js';
import type { OutputColumn } from '../../ports/table-writer.js';
import type { InvoiceCharge } from '../../sandbox/ledger/invoice.js';
import { checkWrites } from '../files/check-writes.js';

const COLUMNS: readonly OutputColumn[] = [
  { name: 'ticket', key: 'ticket', kind: 'text' },
  { name: 'date', key: 'date', kind: 'dateTime' },
  { name: 'credits', key: 'credits', kind: 'number' },
];
const AT_ONCE = 1_000;

/** @throws SluiceError `usage` if no table can be written there, or something is there already */
export async function checkInvoicePlace(path: string, isForced: boolean): Promise<void> {
  const writes = [{ path, purpose: 'invoice' as const }];
  await checkWrites(writes, { job: '', sources: [], isForced }, undefined);
}

export async function writeInvoice(path: string, charges: readonly InvoiceCharge[]): Promise<void> {
  const writer = await openTableWriter(path, COLUMNS, { standardOutput: process.stdout });
  try {
    for (let from = 0; from < charges.length; from += AT_ONCE) {
      const page = charges.slice(from, from + AT_ONCE);
      await writer.write(
        page.map(({ chargedAt, credits, ticket }) => [
          ticket,
          new Date(chargedAt).toISOString(),
          credits,
        ]),
      );
    }
    await writer.commit();
  } finally {
    await writer.discard();
  }
}
