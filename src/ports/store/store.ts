// The store: every lead, request and result of every run, and the only record of what was paid for.
//
// The contract takes batches and is asynchronous, so that a store with several workers can implement it. Every verb is
// one atomic step, durable when its promise resolves. Its conformance suite: `test/contract/store.ts`.
//
// A new verb has a line in one of the interfaces below, a test beside those of that interface in `test/contract/`, and
// an implementation in each store; for SQLite in the folder or file of `src/store/` of the same name.
import type { AccountStore } from './accounts.js';
import type { ContactListStore } from './contact-lists.js';
import type { DeliveryJournal } from './deliveries.js';
import type { EnrichmentStore } from './enrichments.js';
import type { EventJournal } from './events.js';
import type { FileRegister } from './files.js';
import type { JobStore } from './jobs.js';
import type { Maintenance } from './maintenance.js';
import type { RunStore } from './runs.js';

export interface Store
  extends RunStore,
    EnrichmentStore,
    DeliveryJournal,
    EventJournal,
    JobStore,
    AccountStore,
    FileRegister,
    ContactListStore,
    Maintenance {
  /** Idempotent. */
  close(): Promise<void>;
}
