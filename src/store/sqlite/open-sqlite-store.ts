// The SQLite store: each verb of the port is one synchronous transaction, one sync for a whole batch. `prepareVerbs` lists
// the files with the SQL of the verbs; `HOT` and `SAVING` name the verbs that are called in another way.
import type Database from 'better-sqlite3';
import { SluiceError } from '../../model/errors.js';
import type { Store } from '../../ports/store/store.js';
import { readingOnly, refuseHalf } from '../moved.js';
import { prepareAccounts } from './accounts.js';
import { prepareContactLists } from './contact-lists.js';
import { cannotOpen, guardDatabase } from './database/failures.js';
import { openDatabase } from './database/open-database.js';
import { groupCommits, type Verbs } from './database/transactions.js';
import { prepareDeliveries, preparePendUnread } from './deliveries/deliveries.js';
import { prepareKeepArrivals } from './deliveries/keep-arrivals.js';
import { prepareIngest } from './enrichments/ingest.js';
import { preparePeek } from './enrichments/peek.js';
import { prepareRetries } from './enrichments/retry.js';
import { prepareServing } from './enrichments/serve.js';
import { prepareSettle } from './enrichments/settle.js';
import { prepareSubmits } from './enrichments/submits.js';
import { prepareCommitment, prepareWork } from './enrichments/work.js';
import { prepareEvents } from './events.js';
import { prepareFiles } from './files.js';
import { prepareJobs } from './jobs.js';
import { prepareLimit } from './limit.js';
import { prepareBackup } from './maintenance/backup.js';
import { prepareCheckWriting } from './maintenance/check-writing.js';
import { prepareForget } from './maintenance/forget.js';
import { prepareReadMark, prepareUnlessMoved } from './maintenance/mark.js';
import { preparePrune } from './maintenance/prune.js';
import { preparePruneSome } from './maintenance/prune-some.js';
import { prepareSize } from './maintenance/size.js';
import { createReserve, type Reserve } from './reserve.js';
import { prepareLineHistory } from './runs/line-history.js';
import { prepareReport } from './runs/report.js';
import { prepareRuns } from './runs/runs.js';
import { prepareSeries } from './runs/series.js';
import { prepareTally } from './runs/tally.js';
import { prepareTasks } from './runs/tasks.js';

/** Verbs of the hot path: they share their syncs, and fail once the reserve is given up. */
const HOT: ReadonlySet<string> = new Set<keyof Store>([
  'ingest',
  'claim',
  'recordSubmits',
  'postpone',
  'settle',
  'keepUnread',
  'keepArrivals',
  'handleDeliveries',
  'noteRequests',
]);
/** Verbs that keep what is paid for: these may use the disk reserve (reserve.ts). */
const SAVING: ReadonlySet<string> = new Set<keyof Store>(['recordSubmits', 'recordList']);

/**
 * Opens the state file at `path`, creating it and its folder where missing.
 * @throws SluiceError `store`
 */
export function openSqliteStore(path: string): Store {
  const db = openDatabase(path);
  try {
    const mark = prepareReadMark(db)();
    refuseHalf(path, mark);
    const reserve = createReserve(path);
    const commits = groupCommits(db);
    const guard = guardDatabase(path);
    const { close, lockJob, ...verbs } = prepareVerbs(db, path, reserve);
    const toPromise = (name: string, verb: Verb) => {
      if (!HOT.has(name)) return guard(SAVING.has(name) ? reserve.serves(verb) : verb);
      const joined = commits.join(verb);
      return guard(SAVING.has(name) ? reserve.serves(joined) : reserve.shuts(joined));
    };
    const promised = Object.entries(verbs).map(([name, verb]) => [name, toPromise(name, verb)]);
    const lock = guard(lockJob);
    const store: Store = {
      ...(Object.fromEntries(promised) as Omit<Store, 'lockJob' | 'close'>),
      lockJob: async (...args) => {
        const taken = await lock(...args);
        return taken.kind === 'taken' ? { ...taken, store } : taken;
      },
      close: async () => {
        commits.flush();
        close();
        db.close();
      },
    };
    return mark === null ? store : readingOnly(store, path, mark);
  } catch (cause) {
    db.close();
    throw cause instanceof SluiceError ? cause : cannotOpen(path, cause);
  }
}

type Verb = (...args: never[]) => unknown;

function prepareVerbs(db: Database.Database, path: string, reserve: Reserve) {
  const unlessMoved = prepareUnlessMoved(db, path);
  const { keepArrivals, ...arrivals } = prepareKeepArrivals(db);
  const readMark = prepareReadMark(db);
  return {
    ...prepareRuns(db),
    ...prepareTally(db),
    ...prepareTasks(db),
    ...prepareSeries(db),
    ...prepareReport(db),
    ...prepareLineHistory(db),
    ingest: prepareIngest(db),
    ...prepareSubmits(db),
    ...prepareSettle(db),
    ...prepareWork(db),
    commitment: prepareCommitment(db),
    ...prepareRetries(db),
    peek: preparePeek(db),
    ...prepareServing(db),
    ...arrivals,
    keepArrivals: unlessMoved(keepArrivals),
    ...prepareDeliveries(db),
    pendUnreadDeliveries: preparePendUnread(db),
    ...prepareEvents(db),
    ...prepareJobs(db, path),
    ...prepareAccounts(db),
    ...prepareLimit(db, path, reserve),
    ...prepareFiles(db, path),
    ...prepareContactLists(db),
    checkWriting: unlessMoved(prepareCheckWriting(db)),
    backup: prepareBackup(db),
    forget: prepareForget(db),
    ...preparePrune(db),
    ...preparePruneSome(db),
    ...prepareSize(db),
    movedTo: () => readMark()?.place ?? null,
  } satisfies Partial<Verbs>;
}
