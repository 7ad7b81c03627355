// The SQLite store: each verb of the port is one synchronous transaction, one sync for a whole batch.
import type Database from 'better-sqlite3';
import type { Store } from '../ports/store/store.js';
import { groupCommits } from './database/group-commits.js';
import { guardDatabase } from './database/guard-database.js';
import { cannotOpen, openDatabase } from './database/open-database.js';
import { prepareDeliveries } from './deliveries/deliveries.js';
import { prepareEvents } from './deliveries/events.js';
import { prepareKeepArrivals } from './deliveries/keep-arrivals.js';
import { prepareAnswers } from './enrichments/answers.js';
import { prepareIngest } from './enrichments/ingest.js';
import { prepareSteer } from './enrichments/steer.js';
import { prepareSubmits } from './enrichments/submits.js';
import { prepareUnread } from './enrichments/unread.js';
import { prepareWork } from './enrichments/work.js';
import { prepareDoneFiles } from './files/done-files.js';
import { prepareFileRegister } from './files/file-register.js';
import { prepareBackup } from './maintenance/backup.js';
import { prepareCheckWriting } from './maintenance/check-writing.js';
import { prepareForget } from './maintenance/forget.js';
import { preparePrune } from './maintenance/prune.js';
import { prepareSeenFields } from './maintenance/seen-fields.js';
import { createReserve } from './reserve.js';
import { prepareLineHistory } from './runs/line-history.js';
import { prepareLists } from './runs/lists.js';
import { isJobLocked, prepareJobLock } from './runs/lock-job.js';
import { preparePauses } from './runs/pauses.js';
import { prepareReport } from './runs/report.js';
import { prepareRuns } from './runs/runs.js';
import { prepareSending } from './runs/sending.js';
import { prepareTally } from './runs/tally.js';

/**
 * Opens the state file at `path`, creating it and its folder where missing.
 * @throws SluiceError `store`
 */
export function openSqliteStore(path: string): Store {
  const db = openDatabase(path);
  try {
    return prepareStore(db, path);
  } catch (cause) {
    db.close();
    throw cannotOpen(path, cause);
  }
}

function prepareStore(db: Database.Database, path: string): Store {
  const reserve = createReserve(path);
  const guard = guardDatabase(path);
  const commits = groupCommits(db);
  const sending = prepareSending(db, path, reserve);
  const ways: Ways = {
    guard,
    hot: (verb) => guard(reserve.shuts(commits.join(verb))),
    saving: (verb) => guard(reserve.serves(verb)),
    hotSaving: (verb) => guard(reserve.serves(commits.join(verb))),
  };

  return {
    lockJob: guard(prepareJobLock(db, path)),
    isLocked: guard((job: string) => isJobLocked(path, job)),
    beginSending: guard(sending.begin),
    endSending: guard(sending.end),
    ...runVerbs(db, ways),
    ...fileVerbs(db, path, ways),
    ...enrichmentVerbs(db, ways),
    ...deliveryVerbs(db, ways),
    ...steeringVerbs(db, ways),
    ...listVerbs(db, ways),
    ...maintenanceVerbs(db, ways),
    close: async () => {
      commits.flush();
      sending.close();
      db.close();
    },
  };
}

type Way = ReturnType<typeof guardDatabase>;

/** How a verb is called. */
interface Ways {
  /** Its failures are told in sentences. */
  readonly guard: Way;
  /** One of the hot path: those share their syncs, and fail once the reserve is given up. */
  readonly hot: SyncWay;
  /** One that keeps what is paid for: it may have the reserve. */
  readonly saving: SyncWay;
  readonly hotSaving: SyncWay;
}

type SyncWay = <A extends unknown[], R>(verb: (...args: A) => R) => (...args: A) => Promise<R>;

function runVerbs(db: Database.Database, { guard }: Ways) {
  const runs = prepareRuns(db);
  const report = prepareReport(db);
  const story = prepareLineHistory(db);

  return {
    findOpenRun: guard(runs.findOpen),
    startRun: guard(runs.start),
    redirectRun: guard(runs.redirect),
    findRun: guard(runs.find),
    hasRun: guard(runs.has),
    listRuns: guard(runs.list),
    finishReading: guard(runs.finishReading),
    finishRun: guard(runs.finish),
    tally: guard(prepareTally(db).tally),
    answers: guard(report.answers),
    rejects: guard(report.rejects),
    peek: guard(report.peek),
    lineHistory: guard(story.line),
    deliveriesAbout: guard(story.deliveriesAbout),
  };
}

function fileVerbs(db: Database.Database, path: string, { guard }: Ways) {
  const files = prepareDoneFiles(db);
  const register = prepareFileRegister(db, path);

  return {
    doneFiles: guard(files.done),
    runOfTable: guard(files.runOfTable),
    knownFiles: guard(register.known),
    noteRead: guard(register.noteRead),
    noteWritten: guard(register.noteWritten),
    noteRemoved: guard(register.noteRemoved),
  };
}

function enrichmentVerbs(db: Database.Database, { guard, hot, hotSaving }: Ways) {
  const submits = prepareSubmits(db);
  const answers = prepareAnswers(db);
  const work = prepareWork(db);
  const unread = prepareUnread(db);

  return {
    ingest: hot(prepareIngest(db)),
    recover: guard(work.recover),
    adopt: guard(work.adopt),
    requeueUncertain: guard(work.requeueUncertain),
    work: guard(work.work),
    claim: hot(submits.claim),
    recordSubmits: hotSaving(submits.record),
    awaited: guard(answers.awaited),
    pollSooner: guard(answers.pollSooner),
    postpone: hot(answers.postpone),
    settle: hot(answers.settle),
    keepUnread: hot(unread.keep),
    reviveUnread: guard(unread.revive),
    pendUnreadDeliveries: guard(unread.pendDeliveries),
    readings: guard(unread.readings),
    noteReadings: guard(unread.note),
  };
}

function deliveryVerbs(db: Database.Database, { guard, hot }: Ways) {
  const arrivals = prepareKeepArrivals(db);
  const deliveries = prepareDeliveries(db);
  const events = prepareEvents(db);

  return {
    signingKey: guard(deliveries.signingKey),
    keepArrivals: hot(arrivals.keep),
    countUnkept: guard(arrivals.countUnkept),
    pendingDeliveries: guard(deliveries.pending),
    addressed: guard(deliveries.addressed),
    handleDeliveries: hot(deliveries.handle),
    replayDeliveries: guard(deliveries.replay),
    listDeliveries: guard(deliveries.list),
    countPending: guard(deliveries.countPending),
    checkWriting: guard(prepareCheckWriting(db)),
    eventsAfter: guard(events.after),
    lastEvents: guard(events.last),
    disturbances: guard(events.disturbances),
  };
}

function steeringVerbs(db: Database.Database, { guard }: Ways) {
  const steer = prepareSteer(db);
  const pauses = preparePauses(db);

  return {
    commitment: guard(steer.commitment),
    retry: guard(steer.retry),
    cancelRun: guard(steer.cancel),
    pauseJob: guard(pauses.pause),
    resumeJob: guard(pauses.resume),
    pausedSince: guard(pauses.since),
  };
}

function listVerbs(db: Database.Database, { guard, saving }: Ways) {
  const lists = prepareLists(db);

  return {
    wantList: guard(lists.want),
    findList: guard(lists.find),
    beginList: guard(lists.begin),
    recordList: saving(lists.record),
    adoptList: guard(lists.adopt),
    advanceList: guard(lists.advance),
  };
}

function maintenanceVerbs(db: Database.Database, { guard }: Ways) {
  const pruning = preparePrune(db);

  return {
    exchangePeopleFields: guard(prepareSeenFields(db).exchange),
    backup: guard(prepareBackup(db)),
    forget: guard(prepareForget(db)),
    longestFreshFor: guard(pruning.longestFreshFor),
    prune: guard(pruning.prune),
  };
}
