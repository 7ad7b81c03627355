// The task of a command that makes runs, or continues one.
import { loadJobDialect } from '../../config/load-dialect.js';
import type { Dialect } from '../../dialect/dialect.js';
import { SluiceError } from '../../model/errors.js';
import type { Run, TableNames } from '../../model/run.js';
import type { Waterfall } from '../../model/waterfall/waterfall.js';
import type { ListPlan } from '../../run/list-leads.js';
import { checkNames } from '../files/check-table.js';
import { planList } from '../plan/plan-run.js';
import { dialectAt } from '../platform/dialect-at.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkKeep } from '../state/keep-state.js';
import { bulkMaxOf, refuseMissingCalls } from './how-to-ask.js';
import type { Measuring } from './measure-run.js';
import type { SettledOptions } from './run-options.js';
import { readSteps, type Step, waterfallOf } from './waterfall/steps.js';

/** The parts that every run of a command shares. */
export interface RunTask extends SettledOptions {
  readonly settings: JobSettings;
  /** The names of the tables, with their placeholders. */
  readonly tables: TableNames;
  readonly dialect: Dialect;
  /** The number of enrichments for which one request may ask. */
  readonly bulkMax: number;
  readonly list: ListPlan | null;
  readonly measuring: Measuring;
  /** Whether the tables are written at the end. Default: always. */
  readonly writesTables?: ((isFinished: boolean) => boolean) | undefined;
  /** Whether it may receive webhooks itself. Default: true. */
  readonly listens?: boolean | undefined;
  /** The steps that ask for the leads, in place of the job's own platform. */
  readonly waterfall?: { readonly plan: Waterfall; readonly steps: readonly Step[] } | undefined;
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
  const steps = await readSteps(settings, options);
  for (const step of steps) refuseMissingCalls(step.settings, step.dialect);
  const dialect = steps[0]?.dialect ?? dialectAt(settings, await loadJobDialect(settings));
  const bulkMax = bulkMaxOf(settings, dialect);
  if (steps.length === 0) refuseMissingCalls(settings, dialect);
  return {
    ...(steps.length > 0 && { waterfall: { plan: waterfallOf(settings, steps), steps } }),
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

/** The part of a task that follows from a run that is continued: its leads are all in. */
export function continuedTask(
  run: Run,
  settings: JobSettings,
  dialect: Dialect,
): Pick<RunTask, 'bulkMax' | 'dialect' | 'list' | 'settings' | 'tables'> {
  return {
    settings,
    tables: run.output,
    dialect,
    bulkMax: bulkMaxOf(settings, dialect),
    list: planList(settings, run.startedAt),
  };
}

function noOutput(): SluiceError {
  return new SluiceError(
    'usage',
    'The output is missing: give --out FILE, or out: in the job (- is standard output).',
    { key: 'out' },
  );
}
