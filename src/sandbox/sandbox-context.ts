// The parts of the sandbox that a route may use, and its records.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../dialect/dialect.js';
import { Activities } from './activities.js';
import type { People } from './answers/answer-enrichment.js';
import type { FaultGate, Faults } from './faults.js';
import { type Account, Ledger } from './ledger/ledger.js';
import { type LedgerFile, type LedgerLine, openLedgerFile } from './ledger/ledger-file.js';
import { ListRegister } from './ledger/list-register.js';
import type { settleOptions } from './sandbox-options.js';
import type { Traffic } from './traffic.js';
import { DeliveryBook } from './webhooks/delivery-book.js';
import { HookRegister } from './webhooks/hook-register.js';
import type { Webhooks } from './webhooks/webhooks.js';

export interface SandboxContext extends Records {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly people: People;
  /** The neutral wire, with what is sold. */
  readonly dialect: Dialect;
  readonly atOnce: boolean;
  readonly account: Account;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  readonly faultGate: FaultGate;
  readonly traffic: Traffic;
  readonly isAuthorised: (headers: IncomingHttpHeaders) => boolean;
}

/** Ledger, lists and the book of deliveries are restored from one ledger file; hooks and activities are not kept. */
interface Records {
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
