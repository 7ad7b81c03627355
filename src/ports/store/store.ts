// The store: every lead, request and result of every run, and the only record of what was paid for.
//
// The contract takes batches and is asynchronous, so that a store with several workers can implement it. Every verb is
// one atomic step, durable when its promise resolves. Its conformance suite: `test/contract/store.ts`.
//
// A new verb has a line in one of the interfaces below, beside the verb that is most like it; a test in the file or
// folder of `test/contract/` that is named like the interface's file; and its work and its marks (`src/store/verb.ts`) in
// `src/store/`, in the file or folder of the same name. `test/store/sqlite/query-plans.test.ts` and
// `test/store/postgres/rows-read.test.ts` hold verbs to their indexes.
//
// Three things tie an enrichment to a run. A run works on it (`run_id`): that run sends it and asks for its answer. A
// run paid for it (`paid_by`): that run sent it last, and it counts for that run's budget. And a run shows it: a lead
// of that run refers to it (`enrichment_id` in `leads`). If a verb speaks of enrichments "of the run" it means the run
// that works on them; for the other two it says "what the run paid for" and "of the run's leads".
import type { AccountStore } from './accounts.js';
import type { ChargeRegister } from './charges.js';
import type { ContactListStore } from './contact-lists.js';
import type { DeliveryJournal } from './deliveries.js';
import type { EnrichmentStore } from './enrichments.js';
import type { EventJournal } from './events.js';
import type { FileRegister } from './files.js';
import type { JobStore, LockHolder, TaskStore } from './jobs.js';
import type { Maintenance } from './maintenance.js';
import type { RunStore } from './runs.js';
import type { SuppressionStore } from './suppressions.js';

export type JobLock =
  | {
      readonly kind: 'taken';
      /** The store for the holder of the lock: once another process has taken the job over, it writes nothing. */
      readonly store: Store;
      /** Idempotent. */
      release(): Promise<void>;
    }
  | {
      readonly kind: 'busy';
      readonly holder: LockHolder | null;
      /** The time at which the job is free if the holder stays silent; null if only its end frees it. */
      readonly leftMs: number | null;
    };

export interface Store
  extends RunStore,
    TaskStore,
    EnrichmentStore,
    DeliveryJournal,
    EventJournal,
    JobStore,
    AccountStore,
    ChargeRegister,
    FileRegister,
    ContactListStore,
    SuppressionStore,
    Maintenance {
  /**
   * The state that this one had been moved to when it was opened, as it is shown to people; null for one that is in use.
   * One that was moved answers verbs that change nothing, leaves out notes of files, and refuses all others.
   */
  readonly movedTo: string | null;
  /**
   * Takes the job for this process: one run at a time for each job of a store. In a file the lock ends with the
   * process, however it dies, so that the next one need not wait. In a database it is a lease, which its holder renews:
   * it ends 30 s after the last renewal, and at once if the holder was a process of the same machine that has ended. A
   * holder that was cut off, or frozen, and comes back after another process has taken the job over, writes nothing any
   * more: verbs of its store throw `busy`.
   */
  lockJob(job: string, holder: LockHolder): Promise<JobLock>;
  /** Idempotent. */
  close(): Promise<void>;
}
