// The verbs of the port, for both databases, from the files with their statements. Verbs that a database has in its own
// way stand in its folder.
import { aboutReads } from './about-person.js';
import { accountReads, accountWrites } from './accounts.js';
import { chargeReads } from './charges.js';
import { listReads, listWrites } from './contact-lists.js';
import { addressedReads } from './deliveries/addressed.js';
import { deliveryReads, deliveryWrites } from './deliveries/deliveries.js';
import { handleWrites } from './deliveries/handle.js';
import { arrivalReads, arrivalWrites } from './deliveries/keep-arrivals.js';
import { ingestWrites } from './enrichments/ingest.js';
import { knownReads } from './enrichments/known.js';
import { retryWrites } from './enrichments/retry.js';
import { settleReads, settleWrites } from './enrichments/settle.js';
import { submitWrites } from './enrichments/submits.js';
import { workReads, workWrites } from './enrichments/work.js';
import { eventReads } from './events.js';
import { fileVerbs } from './files.js';
import { pruneReads } from './maintenance/prune.js';
import { pruneWrites } from './maintenance/prune-some.js';
import { markReads } from './moved.js';
import { pauseReads, pauseWrites } from './pauses.js';
import { lineReads } from './runs/line-history.js';
import { reportReads } from './runs/report.js';
import { runReads, runWrites } from './runs/runs.js';
import { seriesReads, seriesWrites } from './runs/series.js';
import { taskReads, taskWrites } from './runs/tasks.js';
import { waterfallReads, waterfallWrites } from './runs/waterfall.js';
import { suppressionReads, suppressionWrites } from './suppressions.js';

/** Verbs that read one snapshot, and change nothing. `stateFile`: its real path; null for a database. */
export function readsOf(stateFile: string | null) {
  return {
    ...knownReads,
    ...workReads,
    ...settleReads,
    ...runReads,
    ...reportReads,
    ...lineReads,
    ...seriesReads,
    ...taskReads,
    ...waterfallReads,
    ...addressedReads,
    ...arrivalReads,
    ...deliveryReads,
    ...eventReads,
    ...fileVerbs(stateFile).reads,
    ...listReads,
    ...accountReads,
    ...chargeReads,
    ...pauseReads,
    ...suppressionReads,
    ...aboutReads,
    ...markReads,
    ...pruneReads,
  };
}

/** Verbs that change rows: each has its effect once. */
export function writesOf(stateFile: string | null) {
  return {
    ...ingestWrites,
    ...submitWrites,
    ...settleWrites,
    ...retryWrites,
    ...workWrites,
    ...runWrites,
    ...seriesWrites,
    ...taskWrites,
    ...waterfallWrites,
    ...arrivalWrites,
    ...deliveryWrites,
    ...handleWrites,
    ...fileVerbs(stateFile).writes,
    ...listWrites,
    ...accountWrites,
    ...pauseWrites,
    ...suppressionWrites,
    ...pruneWrites,
  };
}
