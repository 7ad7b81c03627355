// The records of the sandbox. The ledger of enrichments, the contact lists and the book of deliveries outlive its process:
// they write to one ledger file and are restored from it. Hooks and emitted activities do not.
import { Activities } from '../activities/activities.js';
import type { settleOptions } from '../sandbox-options.js';
import type { Traffic } from '../traffic.js';
import { DeliveryBook } from '../webhooks/delivery-book.js';
import { HookRegister } from '../webhooks/hook-register.js';
import { Ledger } from './ledger.js';
import { type LedgerFile, openLedgerFile } from './ledger-file.js';
import type { LedgerLine } from './ledger-lines.js';
import { ListRegister } from './list-register.js';

export interface Records {
  readonly ledger: Ledger;
  readonly lists: ListRegister;
  readonly hooks: HookRegister;
  readonly activities: Activities;
  readonly book: DeliveryBook;
  /** Idempotent. */
  close(): void;
}

/** @throws SluiceError `store` when the ledger file cannot be used */
export function openRecords(settings: ReturnType<typeof settleOptions>, traffic: Traffic): Records {
  const { knows, seed, latency, now, ledgerFile: path, dialect } = settings;
  const { prices } = dialect;
  let file: LedgerFile | undefined;
  const write = (lines: readonly LedgerLine[]): void => file?.append(lines);
  const book = new DeliveryBook(write);
  const lists = new ListRegister({ seed, now, write });
  const ledger = new Ledger({ knows, seed, latency, prices, traffic, book, lists, now, write });
  const hooks = new HookRegister({ seed, now });
  const activities = new Activities({ seed, now });
  const records = { ledger, lists, hooks, activities, book, close: () => file?.close() };
  if (path !== undefined) {
    file = openLedgerFile({ path, seed, onLine: (line) => restore(line, records) });
  }
  return records;
}

function restore(line: LedgerLine, { ledger, lists, book }: Records): void {
  switch (line.kind) {
    case 'accepted':
      ledger.restore(line);
      return;
    case 'list':
      lists.restore(line);
      return;
    case 'list-members':
      lists.restoreMembers(line);
      return;
    case 'delivered':
    case 'given-up':
      book.restore(line.id);
      return;
    case 'opened':
  }
}
