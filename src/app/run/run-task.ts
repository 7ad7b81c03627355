// The task of a command that makes runs.
import type { Dialect } from '../../dialect/dialect.js';
import type { TableNames } from '../../model/run.js';
import type { ListPlan } from '../../run/list-leads.js';
import type { JobSettings } from '../settings/job-settings.js';
import type { Measuring } from './measure-run.js';
import type { SettledOptions } from './run-options.js';

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
}
