// A job from beginning to end: checks it, then makes its run or its runs.
import { loadJobDialect } from '../../config/load-dialect.js';
import { isDropFolder, isStillEmpty } from '../../input/sources/drop-folder.js';
import { SluiceError } from '../../model/errors.js';
import type { LeadReader } from '../../ports/lead-reader.js';
import type { Store } from '../../ports/store/store.js';
import { isStateThere, openStore } from '../../store/open-store.js';
import { checkMetrics, checkNames, checkPlace, checkTable } from '../files/check-table.js';
import { nameTables } from '../files/name-table.js';
import { planList } from '../plan/plan-run.js';
import { readInput } from '../plan/read-input.js';
import { takeLeads } from '../plan/take-leads.js';
import { checkAccount } from '../platform/account.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkKeep, keepState } from '../state/keep-state.js';
import { whileJobLocked } from '../state/lock-job.js';
import { reportNewState, watchDatabase } from '../state/state-file.js';
import { bulkMaxOf, refuseMissingCalls } from './how-to-ask.js';
import { type Measuring, measureRun } from './measure-run.js';
import { runFolder } from './run-folder.js';
import { runOnce } from './run-once.js';
import type { RunReport } from './run-options.js';
import { type RunOptions, type SettledOptions, settleRunOptions } from './run-options.js';
import type { RunTask } from './run-task.js';

/**
 * Runs a job, or continues it: one run, except with a drop folder. There the interrupted run comes first, then the new
 * files; without new files there is no run.
 * @returns the report of each run
 * @throws SluiceError once every answer is saved and the table is written as far as it is known
 */
export async function runJob(
  job: JobSettings,
  wishes: RunOptions = {},
): Promise<readonly RunReport[]> {
  const { settings, standardInput } = takeLeads(job, wishes);
  const options = settleRunOptions(settings, { ...wishes, standardInput });
  const { clock, force, observe, observesRequests } = options;
  await checkMetrics(settings, force);
  return measureRun(settings, { observe, observesRequests }, clock, (measuring) =>
    runMeasured(settings, options, measuring),
  );
}

async function runMeasured(
  settings: JobSettings,
  options: SettledOptions,
  measuring: Measuring,
): Promise<readonly RunReport[]> {
  const task = await prepareTask(settings, options, measuring);
  // Throws for a wrong address or missing credentials, before a state is made.
  checkAccount(task);
  const { observe } = task;
  if (await isDropFolder(settings.input)) {
    if (!isStateThere(settings.state) && (await isStillEmpty(settings.input))) {
      observe({ kind: 'folder.unchanged', files: 0, hashed: 0 });
      return [];
    }
    return await withJob(task, (store) => runFolder(task, store));
  }
  // Checked before a state is made.
  const ready = isStateThere(settings.state) ? undefined : await openInput(task, undefined);
  return await withJob(task, async (store) => {
    const reader = ready ?? (await openInput(task, store));
    return [await runOnce(task, store, { reader })];
  });
}

/**
 * The task that a job's runs share, after every check that needs no state.
 * @throws SluiceError `usage` if the job cannot be run
 */
export async function prepareTask(
  settings: JobSettings,
  options: SettledOptions,
  measuring: Measuring,
): Promise<RunTask> {
  const { clock } = options;
  const { job, out, report } = settings;
  const { observe } = measuring.watch;
  if (out === undefined) throw noOutput();
  const list = planList(settings, clock.now());
  const tables = { out, further: settings.further, report };
  await checkNames(tables, { job, startedAt: clock.now() });
  await checkKeep(settings, undefined);
  const dialect = await loadJobDialect(settings);
  const bulkMax = bulkMaxOf(settings, dialect);
  refuseMissingCalls(settings, dialect);
  return {
    ...options,
    observe,
    measuring,
    settings,
    tables,
    dialect,
    bulkMax,
    list,
  };
}

/** The input, after the checks that it can be read, and that its table may be written. */
export async function openInput(
  { clock, dialect, force, settings, standardInput, tables }: RunTask,
  store: Store | undefined,
): Promise<LeadReader> {
  const reader = await readInput(settings, { dialect, standardInput, store });
  const { sources } = reader;
  const isFirst = store === undefined;
  const named = { startedAt: clock.now(), sources, job: settings.job, id: isFirst ? 1 : 0 };
  const names = nameTables(tables, named);
  await checkPlace(settings, names, sources);
  if (isFirst) await checkTable(settings, names, { sources, isForced: force }, undefined);
  return reader;
}

async function withJob(
  task: RunTask,
  work: (store: Store) => Promise<readonly RunReport[]>,
): Promise<readonly RunReport[]> {
  const { clock, observe, settings } = task;
  const onTrouble = watchDatabase(observe, clock);
  const store = await openStore(settings.state, { onTrouble });
  try {
    return await workOnJob(task, store, work);
  } finally {
    await store.close();
  }
}

/** Locks the job while the work lasts. At its end, data that is too old to be kept is removed. */
export async function workOnJob(
  { clock, drain, measuring, observe, settings }: RunTask,
  store: Store,
  work: (store: Store) => Promise<readonly RunReport[]>,
): Promise<readonly RunReport[]> {
  const { job, state } = settings;
  return await whileJobLocked({ store, job, state, clock, observe }, async (store) => {
    await reportNewState(store, state, observe);
    await checkKeep(settings, store);
    await store.noteSize(clock.now());
    await measuring.serve();
    const reports = await work(store);
    const leads = reports.reduce((sum, { tally }) => sum + tally.leads, 0);
    await keepState(store, settings, { leads, clock, drain, observe });
    const { keepDeliveriesMs } = settings;
    if (keepDeliveriesMs !== undefined) await store.dropBodies(clock.now() - keepDeliveriesMs);
    return reports;
  });
}

function noOutput(): SluiceError {
  return new SluiceError(
    'usage',
    'The output is missing: give --out FILE, or out: in the job (- is standard output).',
    { key: 'out' },
  );
}
