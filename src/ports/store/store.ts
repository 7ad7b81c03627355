// The store: every lead, request and result of every run, and the only record of what was paid for.
//
// The contract takes batches and is asynchronous, so that a store with several workers can implement it. Every verb is
// one atomic step, durable when its promise resolves. Its conformance suite: `test/contract/store.ts`.
//
// A new verb has a line in one of the interfaces below, beside the verb that is most like it; a test in the file or folder
// of `test/contract/` that is named like the interface's file; and an implementation in each store. For SQLite that is in
// the file or folder of `src/store/` of the same name, and in `prepareVerbs` of `open-sqlite-store.ts`;
// `test/store/query-plans.test.ts` holds its statements to their indexes.
//
// Three things tie an enrichment to a run. A run works on it (`run_id`): that run sends it and asks for its answer.
// A run paid for it (`paid_by`): that run sent it last, and it counts for that run's budget. And a run shows it: a lead of
// that run refers to it (`enrichment_id` in `leads`). Where a verb speaks of enrichments "of the run" it means the run that
// works on them; what it means of the other two it says: "what the run paid for", "of the run's leads".
import type { AccountStore } from './accounts.js';
import type { ContactListStore } from './contact-lists.js';
import type { DeliveryJournal } from './deliveries.js';
import type { EnrichmentStore } from './enrichments.js';
import type { EventJournal } from './events.js';
import type { FileRegister } from './files.js';
import type { JobStore } from './jobs.js';
import type { Maintenance } from './maintenance.js';
import type { RunStore } from './runs.js';
import type { SeriesStore } from './series.js';

export interface Store
  extends RunStore,
    SeriesStore,
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
