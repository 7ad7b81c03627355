// The verbs of the port, for both databases, from the files that declare them. Verbs that a database has in its own way
// stand in its folder.
import { aboutVerbs } from './about-person.js';
import { accountVerbs } from './accounts.js';
import { chargeVerbs } from './charges.js';
import { listVerbs } from './contact-lists.js';
import { addressedVerbs } from './deliveries/addressed.js';
import { deliveryVerbs } from './deliveries/deliveries.js';
import { handleVerbs } from './deliveries/handle.js';
import { arrivalVerbs } from './deliveries/keep-arrivals.js';
import { ingestVerbs } from './enrichments/ingest.js';
import { knownVerbs } from './enrichments/known.js';
import { retryVerbs } from './enrichments/retry.js';
import { settleVerbs } from './enrichments/settle.js';
import { submitVerbs } from './enrichments/submits.js';
import { workVerbs } from './enrichments/work.js';
import { eventVerbs } from './events.js';
import { fileVerbs } from './files.js';
import { jobVerbs } from './jobs.js';
import { pruneVerbs } from './maintenance/prune-some.js';
import { lineVerbs } from './runs/line-history.js';
import { reportVerbs } from './runs/report.js';
import { runVerbs } from './runs/runs.js';
import { seriesVerbs } from './runs/series.js';
import { waterfallVerbs } from './runs/waterfall.js';
import { suppressionVerbs } from './suppressions.js';

/** `stateFile`: its real path; null for a database. */
export function verbsOf(stateFile: string | null) {
  return {
    ...aboutVerbs,
    ...accountVerbs,
    ...chargeVerbs,
    ...listVerbs,
    ...addressedVerbs,
    ...deliveryVerbs,
    ...handleVerbs,
    ...arrivalVerbs,
    ...ingestVerbs,
    ...knownVerbs,
    ...retryVerbs,
    ...settleVerbs,
    ...submitVerbs,
    ...workVerbs,
    ...eventVerbs,
    ...fileVerbs(stateFile),
    ...pruneVerbs,
    ...jobVerbs,
    ...lineVerbs,
    ...reportVerbs,
    ...runVerbs,
    ...seriesVerbs,
    ...waterfallVerbs,
    ...suppressionVerbs,
  };
}
