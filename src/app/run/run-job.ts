import { Writable } from 'node:stream';
import { loadJobDialect } from '../../config/load-dialect.js';
import { isDropFolder, isStillEmpty } from '../../input/sources/drop-folder.js';
import { wrongUse } from '../../model/errors.js';
import { filesAtEnd } from '../../model/run.js';
import { whileOpen } from '../../model/while-open.js';
import type { LeadReader } from '../../ports/lead-reader.js';
import type { Store } from '../../ports/store/store.js';
import { isStateThere, openStore } from '../../store/open-store.js';
import { checkMetrics, checkNames, checkPlace, checkTable } from '../files/check-table.js';
import { nameTables } from '../files/name-table.js';
import { planList } from '../plan/plan-run.js';
import { readInput } from '../plan/read-input.js';
import { takeLeads } from '../plan/take-leads.js';
import { checkAccount } from '../platform/account.js';
import { dialectAt } from '../platform/dialect-at.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkKeep, keepState } from '../state/keep-state.js';
import { whileJobLocked } from '../state/lock-job.js';
import { reportNewState, watchDatabase } from '../state/state-file.js';
import { refuseRows } from './begin/accept-rows.js';
import { refuseMissingCalls } from './how-to-ask.js';
import { measureRun } from './measure-run.js';
import { runFolder } from './run-folder.js';
import { runOnce } from './run-once.js';
import {
  dialectsOf,
  type RunOptions,
  type RunReport,
  type RunTask,
  type SettledOptions,
  settleRunOptions,
} from './run-options.js';
import { checkSteps, readSteps, waterfallOf } from './waterfall/steps.js';

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
  // Rows that are handed on need no table.
  const isTable = job.out !== undefined || wishes.onRow === undefined;
  const stated = isTable ? job : { ...job, out: '-' };
  const standardOutput = isTable ? wishes.standardOutput : nowhere();
  const { settings, standardInput } = takeLeads(stated, wishes);
  const options = settleRunOptions(settings, { ...wishes, standardInput, standardOutput });
  await checkMetrics(settings, options.force);
  return measureRun(settings, options, async (measured, lookLast) =>
    runTask({ ...(await prepareTask(settings, measured)), lookLast }),
  );
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** @throws SluiceError `usage` if the job cannot be run, after every check that needs no state */
export async function prepareTask(
  settings: JobSettings,
  options: SettledOptions,
): Promise<RunTask> {
  const { job, out } = settings;
  if (out === undefined) {
    throw wrongUse(
      'The output is missing: give --out FILE, or out: in the job (- is standard output).',
    );
  }
  const startedAt = options.clock.now();
  const list = planList(settings, startedAt);
  const tables = { out, further: settings.further, ...filesAtEnd(settings) };
  await checkNames(tables, { job, startedAt }, options.isElsewhere);
  await checkKeep(settings, undefined);
  const steps = await readSteps(settings, options);
  for (const step of steps) refuseMissingCalls(step.settings, step.dialect);
  const dialect = steps[0]?.dialect ?? dialectAt(settings, await loadJobDialect(settings));
  if (steps.length === 0) refuseMissingCalls(settings, dialect);
  return {
    ...options,
    ...(steps.length > 0 && { waterfall: { plan: waterfallOf(settings, steps), steps } }),
    settings,
    tables,
    dialect,
    list,
  };
}

async function runTask(task: RunTask): Promise<readonly RunReport[]> {
  const { observe, settings, waterfall } = task;
  // Throws for a wrong address or missing credentials, before a state is made.
  if (waterfall === undefined) checkAccount(task);
  else await checkSteps(waterfall.steps, checkAccount);
  if (await isDropFolder(settings.input)) {
    if (!isStateThere(settings.state) && (await isStillEmpty(settings.input))) {
      observe({ kind: 'folder.unchanged', files: 0, hashed: 0 });
      return [];
    }
    return await openJob(task, (store) => runFolder(task, store));
  }
  // Checked before a state is made.
  const ready = isStateThere(settings.state) ? undefined : await openInput(task, undefined);
  return await openJob(task, async (store) => {
    const reader = ready ?? (await openInput(task, store));
    return [await runOnce(task, store, { reader })];
  });
}

export async function openInput(task: RunTask, store: Store | undefined): Promise<LeadReader> {
  const { clock, force, isElsewhere, settings, standardInput, tables } = task;
  const reader = await readInput(settings, { dialects: dialectsOf(task), standardInput, store });
  const { sources } = reader;
  const isFirst = store === undefined;
  const named = { startedAt: clock.now(), sources, job: settings.job, id: isFirst ? 1 : 0 };
  const names = nameTables(tables, named);
  await checkPlace(settings, names, sources, isElsewhere);
  if (isFirst) {
    refuseRows(reader, settings);
    await checkTable(settings, names, { sources, isForced: force }, undefined);
  }
  return reader;
}

async function openJob(
  task: RunTask,
  work: (store: Store) => Promise<readonly RunReport[]>,
): Promise<readonly RunReport[]> {
  const { clock, observe, settings } = task;
  const onTrouble = watchDatabase(observe, clock);
  const store = await openStore(settings.state, { onTrouble });
  return whileOpen(store, () => holdJob(task, store, work));
}

/** Locks the job while the work lasts. At its end, data that is too old to be kept is removed. */
export async function holdJob(
  { clock, drain, observe, settings }: RunTask,
  store: Store,
  work: (store: Store) => Promise<readonly RunReport[]>,
): Promise<readonly RunReport[]> {
  const { job, state } = settings;
  return await whileJobLocked({ store, job, state, clock, observe }, async (store) => {
    await reportNewState(store, state, observe);
    await checkKeep(settings, store);
    await store.noteSize(clock.now());
    const reports = await work(store);
    const leads = reports.reduce((sum, { tally }) => sum + tally.leads, 0);
    await keepState(store, settings, { leads, clock, drain, observe });
    const { keepDeliveriesMs } = settings;
    if (keepDeliveriesMs !== undefined) await store.dropBodies(clock.now() - keepDeliveriesMs);
    return reports;
  });
}
