// The records of the sandbox that outlive its process: the ledger of enrichments, the contact lists, the hooks, the
// emitted activities and the book of deliveries. All of them write to one ledger file and are restored from it.
import { Activities } from '../activities/activities.js';
import type { settleOptions } from '../sandbox-options.js';
import type { Traffic } from '../traffic.js';
import { DeliveryBook } from '../webhooks/delivery-book.js';
import { createSecretBox, HookRegister } from '../webhooks/hook-register.js';
import { BulkCalls } from './bulk-calls.js';
import { Ledger } from './ledger.js';
import { type LedgerFile, openLedgerFile } from './ledger-file.js';
import type { LedgerLine } from './ledger-lines.js';
import { ListRegister } from './list-register.js';

export interface Records {
  readonly ledger: Ledger;
  readonly bulkCalls: BulkCalls;
  readonly lists: ListRegister;
  readonly hooks: HookRegister;
  readonly activities: Activities;
  readonly book: DeliveryBook;
  /** Idempotent. */
  close(): void;
}

/**
 * Empty records, or those that the ledger file remembers.
 * @throws SluiceError `store` when the file cannot be used
 */
export function openRecords(settings: ReturnType<typeof settleOptions>, traffic: Traffic): Records {
  const { knows, seed, latency, now, ledgerFile: path, password, dialect } = settings;
  const { prices } = dialect;
  let file: LedgerFile | undefined;
  const write = (lines: readonly LedgerLine[]): void => file?.append(lines);
  const book = new DeliveryBook(write);
  const lists = new ListRegister({ seed, now, write });
  const ledger = new Ledger({ knows, seed, latency, prices, traffic, book, lists, now, write });
  const bulkCalls = new BulkCalls({ ledger, write });
  const hooks = new HookRegister({ seed, now, secrets: createSecretBox(password), write });
  const activities = new Activities({ seed, now, write });
  const records = { ledger, bulkCalls, lists, hooks, activities, book, close: () => file?.close() };
  if (path !== undefined) {
    file = openLedgerFile({ path, seed, onLine: (line) => restore(line, records) });
  }
  return records;
}

function restore(line: LedgerLine, records: Records): void {
  const { ledger, bulkCalls, lists, hooks, activities, book } = records;
  switch (line.kind) {
    case 'accepted':
      ledger.restore(line);
      return;
    case 'bulk-call':
      bulkCalls.restore(line);
      return;
    case 'hook':
      hooks.restore(line);
      return;
    case 'hook-deleted':
      hooks.forget(line.id);
      return;
    case 'hook-off':
      hooks.switchOff(line.id);
      return;
    case 'list':
      lists.restore(line);
      return;
    case 'list-members':
      lists.restoreMembers(line);
      return;
    case 'emitted':
      activities.restore(line);
      return;
    case 'delivered':
    case 'given-up':
      book.restore(line.id, line.hook);
      return;
    case 'opened':
  }
}
