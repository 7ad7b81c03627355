// The options of a run besides its job, the task that they come to, and the report of a run. Options that a program
// leaves out are not taken from the process: no variable, no stream, no signal.
import { Readable, Writable } from 'node:stream';
import type { Dialect } from '../../dialect/dialect.js';
import type { LeadsInMemory } from '../../input/leads-as-lines.js';
import type { ColumnRename } from '../../model/columns/output-columns.js';
import type { Row } from '../../model/columns/row.js';
import { wrongUse } from '../../model/errors.js';
import type { BudgetUse } from '../../model/report/next-step.js';
import type { OpenCharges } from '../../model/report/open-charges.js';
import type { AskCost } from '../../model/report/run-figures.js';
import type { Run, TableNames } from '../../model/run.js';
import type { RunTally } from '../../model/tally.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { Waterfall } from '../../model/waterfall/waterfall.js';
import type { Carrying } from '../../platform/wire/carry.js';
import type { StatedCertificates } from '../../platform/wire/wire.js';
import { type Clock, steadied } from '../../ports/clock.js';
import type { RefusedDeliveries } from '../../ports/store/deliveries.js';
import type { ListPlan, ListReport } from '../../run/list-leads.js';
import type { Reading } from '../../telemetry/open-metrics.js';
import type { ChangesSince } from '../report/write-report.js';
import type { ExportReport } from '../results/export-run.js';
import { type Environment, NO_ENVIRONMENT } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { systemClock } from '../system-clock.js';
import type { Step } from './waterfall/steps.js';

/** The report of a run that has ended. */
export interface RunReport {
  readonly run: Run;
  readonly tally: RunTally;
  readonly isFinished: boolean;
  readonly exported: ExportReport | null;
  readonly listed: ListReport | null;
  readonly renames: readonly ColumnRename[];
  readonly startedAt: number;
  readonly endedAt: number;
  /** The open charges, beside the known cost (`tally.credits`). */
  readonly charges: OpenCharges;
  /** The cost by ask; null if it asks several things of many leads. */
  readonly byAsk: readonly AskCost[] | null;
  /** Null if it has no budget. */
  readonly budget: BudgetUse | null;
  /** Absent if the dialect has no balance call, nothing was sent, or the platform did not answer it. */
  readonly balance?: BalanceReport;
  /** Deliveries to its account that were refused meanwhile, though their key was genuine. */
  readonly refused: readonly RefusedDeliveries[];
  /** The report page; null if the job wants none, or it could not be written. */
  readonly reportFile: string | null;
  /** The table of changes; null as the report, and for the first run of a job. */
  readonly changes: ChangesSince | null;
}

/** The report before its listener is closed and its page is written. */
export interface EndedRun extends Omit<RunReport, 'changes' | 'refused' | 'reportFile'> {
  /** The error that stopped it, once its table was written. */
  readonly stopped?: unknown;
}

/** The balance of the account around a run, and what the run counted meanwhile, in credits. */
export interface BalanceReport {
  readonly before: number;
  readonly after: number;
  readonly counted: number;
}

/** The lead of a row. */
export interface RowPlace {
  readonly run: number;
  /** The position, from 1, over all sources, in input order. */
  readonly position: number;
  /** The file, or `-` for a stream or leads from memory. */
  readonly source: string;
  readonly line: number;
}

/** Called with the rows of one lead: several if each position has a row. */
export type OnRow = (row: Row, place: RowPlace) => unknown;

export interface RunOptions {
  /** The source of the credentials; the sandbox in the process needs none. */
  readonly environment?: Environment | undefined;
  /** The credentials of the accounts that the steps of a waterfall name. Default: none is known. */
  readonly environmentOf?: ((account: string) => Environment | undefined) | undefined;
  /** Gets every event as it happens. An error that it throws ends the run. */
  readonly observe?: RunObserver | undefined;
  /** Whether `observe` gets each request as well. Default: false. */
  readonly observesRequests?: boolean | undefined;
  /** A signal that makes the run drain: nothing new is sent, requests under way are saved, the table is written. */
  readonly drain?: AbortSignal | undefined;
  /** Whether to send uncertain enrichments again; they may be paid for twice. Default: false. */
  readonly resendUncertain?: boolean | undefined;
  /** For a drop folder: whether to run finished files again. Default: false. */
  readonly again?: boolean | undefined;
  /**
   * For a drop folder: whether to read every file to know whether it is done, also those that look unchanged. Default:
   * false.
   */
  readonly verify?: boolean | undefined;
  /**
   * Whether to replace files that Sluice did not write for the same purpose; never an input, a job or a state. Default:
   * false.
   */
  readonly force?: boolean | undefined;
  /**
   * Called with each run that has ended without an error, before the next one begins. The `observe` it gets also feeds
   * the metrics.
   */
  readonly onEnded?: ((report: RunReport, observe: RunObserver) => Promise<void>) | undefined;
  /** Called with a run that an error has stopped, once its table is written, before the error is thrown. */
  readonly onStopped?: ((report: RunReport) => void) | undefined;
  /**
   * Called with a sentence if leads that are known under another account of the address would be paid for again. True:
   * they are paid for. Default: no question is asked, and the run ends with a `usage` error.
   */
  readonly mayPayAnew?: ((sentence: string) => Promise<boolean | undefined>) | undefined;
  /**
   * Objects, each a lead, in place of the job's `input`: read once, and as fast as they are stored. An error of the
   * iterable ends the run, with everything before it saved.
   */
  readonly leads?: LeadsInMemory | undefined;
  /**
   * Called with the row of each lead once its answer is final, and at the end with all others: one at a time, in the
   * order in which they become final. A promise is awaited before the next row, which holds up the end of the run and
   * nothing else. An error that it throws ends the run, with everything saved.
   */
  readonly onRow?: OnRow | undefined;
  /** The stream of the input `-`. */
  readonly standardInput?: AsyncIterable<Uint8Array> | undefined;
  /** The stream of the table `-`; it is not ended. */
  readonly standardOutput?: Writable | undefined;
  readonly clock?: Clock | undefined;
  /** Carries each request to the platform, as `fetch` does: to record it, or to answer in the platform's place. */
  readonly carrying?: Carrying | undefined;
  /** Certificates in PEM that may have signed the platform's, beside those that Node knows. */
  readonly ca?: StatedCertificates | undefined;
}

type Optional = 'onRow' | 'carrying' | 'ca';

/** The options with their defaults; leads in memory are the `standardInput`. */
export type SettledOptions = {
  readonly [K in Exclude<keyof RunOptions, 'leads' | Optional>]-?: NonNullable<RunOptions[K]>;
} & Pick<RunOptions, Optional> & {
    /** Whether another machine may write the tables: a folder that is missing here is no fault. Default: false. */
    readonly isElsewhere?: boolean;
  };

/** The task of every run of a command: the options of the caller, and what its job comes to. */
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

/** Those of the steps of a waterfall, or the job's own alone. */
export function dialectsOf({ dialect, waterfall }: RunTask): readonly Dialect[] {
  return waterfall?.steps.map((step) => step.dialect) ?? [dialect];
}

/** @throws SluiceError `usage` if the job reads or writes `-` and the stream is missing */
export function settleRunOptions(settings: JobSettings, wishes: RunOptions): SettledOptions {
  if (settings.input.includes('-')) {
    demand(wishes.standardInput, 'reads no file', 'input', 'leads or standardInput');
  }
  if (settings.out === '-') {
    demand(wishes.standardOutput, 'writes no file', 'out', 'standardOutput');
  }
  return {
    environment: wishes.environment ?? NO_ENVIRONMENT,
    environmentOf: wishes.environmentOf ?? (() => undefined),
    observe: wishes.observe ?? (() => undefined),
    observesRequests: wishes.observesRequests ?? false,
    drain: wishes.drain ?? new AbortController().signal,
    resendUncertain: wishes.resendUncertain ?? false,
    again: wishes.again ?? false,
    verify: wishes.verify ?? false,
    force: wishes.force ?? false,
    onEnded: wishes.onEnded ?? (() => Promise.resolve()),
    onStopped: wishes.onStopped ?? (() => undefined),
    standardInput: wishes.standardInput ?? Readable.from([]),
    standardOutput: wishes.standardOutput ?? new Writable(),
    // A run goes by the time at which it was begun, whoever sets the machine's clock meanwhile.
    clock: steadied(wishes.clock ?? systemClock),
    mayPayAnew: wishes.mayPayAnew ?? (() => Promise.resolve(undefined)),
    onRow: wishes.onRow,
    carrying: wishes.carrying,
    ca: wishes.ca,
  };
}

function demand(stream: unknown, what: string, key: 'input' | 'out', option: string): void {
  if (stream !== undefined) return;
  const message = `The job ${what} (${key} is -), so ${option} must be given to runJob.`;
  throw wrongUse(message);
}
