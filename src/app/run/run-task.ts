// The task of a command that makes runs, or continues one.
import { loadJobDialect } from '../../config/load-dialect.js';
import type { Dialect } from '../../dialect/dialect.js';
import { SluiceError } from '../../model/errors.js';
import type { TableNames } from '../../model/run.js';
import type { Waterfall } from '../../model/waterfall/waterfall.js';
import type { ListPlan } from '../../run/list-leads.js';
import type { Reading } from '../../telemetry/open-metrics.js';
import { checkNames } from '../files/check-table.js';
import { planList } from '../plan/plan-run.js';
import { dialectAt } from '../platform/dialect-at.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkKeep } from '../state/keep-state.js';
import { refuseMissingCalls } from './how-to-ask.js';
import type { SettledOptions } from './run-options.js';
import { readSteps, type Step, waterfallOf } from './waterfall/steps.js';

/** What every run of a command is given: the options of the caller, and what its job comes to. */
export interface RunTask extends SettledOptions {
  readonly settings: JobSettings;
  /** The names of the tables, with their placeholders. */
  readonly tables: TableNames;
  readonly dialect: Dialect;
  readonly list: ListPlan | null;
  /** Reads the gauges a last time: the state is about to be closed. Never rejects. Absent without metrics. */
  readonly lookLast?: ((read: () => Promise<Reading>) => Promise<void>) | undefined;
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
): Promise<RunTask> {
  const { job, out, report } = settings;
  if (out === undefined) throw noOutput();
  const startedAt = options.clock.now();
  const list = planList(settings, startedAt);
  const tables = { out, further: settings.further, report };
  await checkNames(tables, { job, startedAt });
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

function noOutput(): SluiceError {
  return new SluiceError(
    'usage',
    'The output is missing: give --out FILE, or out: in the job (- is standard output).',
    { key: 'out' },
  );
}
