// Runs a job for a person or a script: progress, signals, the summary, the exit code.

import { Writable } from 'node:stream';
import { environmentOf } from '../../../app/queue/accounts.js';
import { nameCommands, stateFlag } from '../../../app/results/name-commands.js';
import { runJob } from '../../../app/run/run-job.js';
import type { RunOptions, RunReport } from '../../../app/run/run-options.js';
import type { JobSettings } from '../../../app/settings/job-settings.js';
import { SluiceError } from '../../../model/errors.js';
import { advise, tellUncertain, tellWhy } from '../../../model/report/advice.js';
import { isAnswered } from '../../../model/report/fail-on.js';
import {
  askedLeads,
  describeLeadless,
  leadsIn,
  tellDoubtful,
  tellLacking,
  unansweredLeads,
} from '../../../model/tally.js';
import { URGENT } from '../../../model/telemetry/event-fields.js';
import type { RunEvent, RunObserver } from '../../../model/telemetry/observe.js';
import { formatCount, formatNumber } from '../../../model/text/count.js';
import { printable, printableJson } from '../../../model/text/printable.js';
import { ClosedPipe } from '../../../output/standard-output.js';
import { asJson } from '../../../tell/as-json.js';
import { asText } from '../../../tell/as-text.js';
import { runData } from '../../../tell/run-data.js';
import { tellRun } from '../../../tell/tell-run.js';
import { confirm } from '../../ask.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT, exitCodeOf } from '../../exit-codes.js';
import { describeEvent } from '../../print/describe-event.js';
import { notifyOfEnd, type RunEnd } from '../../print/notify-of-end.js';
import { createProgress, type Progress } from '../../print/progress.js';
import { drainOnSignals } from '../../signals.js';
import type { CommandLog } from '../../with-log.js';

export interface ReportOptions {
  /** The bytes that the input `-` reads. Default: the standard input. */
  readonly standardInput?: AsyncIterable<Uint8Array>;
  /** Called instead of printing the table and the summary of a run that has ended. */
  readonly onReport?: (report: RunReport) => Promise<void>;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly run: RunOptions;
  /** The file of the accounts that steps of a waterfall name. */
  readonly credentials?: string | undefined;
  /** The command that continues this run, as a user would type it. */
  readonly commandToContinue: string;
}

const STOPPING =
  'Stopping: nothing more is sent; what is under way is being saved (again: stop at once).';

export async function runAndReport(
  settings: JobSettings,
  options: ReportOptions,
  log: CommandLog,
): Promise<void> {
  const isQuiet = options.isQuiet || options.isJson || log.isAlone;
  let progress = createProgress(process.stderr, isQuiet);
  if (!isQuiet) log.writeThrough((line) => progress.say(line.trimEnd()));
  const draining = drainOnSignals(() => progress.say(STOPPING));
  // The run of this command that has not ended.
  let current: number | null = null;
  let stopped: RunReport | undefined;
  let early: Promise<unknown> | undefined;
  const notify = notifier(settings, options, log);
  const observe = (event: RunEvent): void => {
    log.watch.observe(event);
    progress.observe(event);
    if (event.kind === 'run.started') {
      current = event.run.id;
      // To the pages that have started this command, unless they have ended.
      process.send?.({ run: current }, () => undefined);
    }
    const line = describeEvent(event, settings, options);
    if (line === undefined) return;
    if (event.kind === 'run.warned' && URGENT.has(event.warning)) {
      const end = { run: current, exitCode: null, warning: line };
      early = Promise.all([early, notify(end, log.watch.observe)]);
    }
    if (!isQuiet) progress.say(line);
    else if (isToldQuietly(event) && !log.isAlone) {
      process.stderr.write(`${warning(line, options)}\n`);
    }
  };
  try {
    const environment = commandEnvironment();
    const reports = await runJob(settings, {
      environment,
      environmentOf: await environmentOf(environment, options.credentials),
      standardInput: options.standardInput ?? process.stdin,
      standardOutput: options.onReport === undefined ? process.stdout : nowhere(),
      ...options.run,
      drain: draining.signal,
      observesRequests: log.watch.observesRequests,
      observe,
      mayPayAnew: (sentence) => {
        // The standard input holds leads, and no answer.
        if (settings.input.includes('-') && options.standardInput === undefined) {
          return Promise.resolve(undefined);
        }
        progress.stop();
        progress = createProgress(process.stderr, isQuiet);
        return confirm(`${printable(sentence)} Pay for that?`);
      },
      onStopped: (report) => {
        stopped = report;
        progress.stop();
        if (options.onReport === undefined && (options.isJson || !isQuiet)) {
          printSummary(report, settings, options, progress, []);
        }
      },
      onEnded: async (report, observeEnd) => {
        progress.stop();
        if (options.onReport !== undefined) await options.onReport(report);
        // If only the log writes to standard error, it has reported the end.
        else if (options.isJson || !log.isAlone) printReport(report, settings, options, progress);
        const exitCode = draining.exitCode() ?? exitCodeOfReport(report, settings);
        await early;
        await notify({ run: report.run.id, report, exitCode }, observeEnd);
        current = null;
        progress = createProgress(process.stderr, isQuiet);
      },
    });
    process.exitCode =
      draining.exitCode() ??
      Math.max(EXIT.ok, ...reports.map((report) => exitCodeOfReport(report, settings)));
  } catch (thrown) {
    const error = current === null ? thrown : withWayOn(thrown, options, stopped);
    if (!(error instanceof ClosedPipe)) {
      progress.stop();
      await early;
      await notify({ run: current, exitCode: exitCodeOf(error), error }, observe);
      throw error;
    }
    process.exitCode = draining.exitCode() ?? EXIT.ok;
    await notify({ run: current, exitCode: process.exitCode }, observe);
  } finally {
    progress.stop();
    draining.stop();
    // Otherwise a silent pipe would keep the process alive after the run has drained.
    if (settings.input.includes('-')) process.stdin.destroy();
  }
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** Sends the notice of an end; trouble with it is reported to the observer and on standard error. */
function notifier(settings: JobSettings, options: ReportOptions, log: CommandLog) {
  return (end: RunEnd, report: RunObserver): Promise<void> =>
    notifyOfEnd(settings, end, ({ message, logged }) => {
      report({ kind: 'run.warned', warning: 'notice_not_sent', message: logged });
      if (options.isJson || !log.isAlone) process.stderr.write(`${warning(message, options)}\n`);
    });
}

/** Adds to an error of the platform that nothing is lost, what is uncertain, and how to continue. */
function withWayOn(
  error: unknown,
  { commandToContinue }: ReportOptions,
  report: RunReport | undefined,
): unknown {
  if (!(error instanceof SluiceError) || error.code !== 'platform') return error;
  const isUnsure = report !== undefined && leadsIn(report.tally, 'uncertain') > 0;
  const unsure = isUnsure ? `${tellUncertain(report.tally)} ` : '';
  return error.amended(`${unsure}Everything so far is saved; continue with: ${commandToContinue}`);
}

/**
 * Whether a quiet command reports it, too: a name that may be mistyped, because everything would be paid for again, a
 * new state on the disk of another machine, and a wait of more than ten minutes.
 */
function isToldQuietly(event: RunEvent): boolean {
  if (event.kind === 'run.warned') return event.warning === 'waits_long';
  return event.kind === 'state.new' && (event.beside !== null || event.isRemote);
}

/** Also printed with `--quiet`. */
function warning(message: string, { isJson }: ReportOptions): string {
  return isJson ? JSON.stringify({ warning: { message } }) : `sluice: ${message}`;
}

/** The exit code of a run that was not stopped by an error. */
export function exitCodeOfReport({ tally }: RunReport, { failOn }: JobSettings): number {
  return isAnswered(tally, failOn) ? EXIT.ok : EXIT.unanswered;
}

function printReport(
  report: RunReport,
  settings: JobSettings,
  options: ReportOptions,
  progress: Progress,
): void {
  if (options.isQuiet && !options.isJson) {
    const silent = unansweredLine(report, settings);
    if (silent !== undefined) process.stderr.write(`${silent}\n`);
    return;
  }
  printSummary(report, settings, options, progress, nextOf(report, settings, options));
}

/** What the user may want to know, or do next. */
function nextOf(
  report: RunReport,
  { collect, state }: JobSettings,
  { commandToContinue }: ReportOptions,
): string[] {
  const { exported, isFinished, renames, run, tally } = report;
  const isDelivered = collect !== 'poll' && leadsIn(tally, 'awaiting') > 0;
  return [
    ...renames.map(
      ({ name, renamedTo }) =>
        `The input has a column ${name} already: Sluice's own is called ${renamedTo}.`,
    ),
    ...(isFinished ? [] : [`Continue with: ${commandToContinue}`]),
    ...(!isFinished && isDelivered
      ? ['Meanwhile, "sluice listen" with the same state keeps what is delivered.']
      : []),
    ...(isFinished && tally.leads === 0 && (exported?.out ?? null) === null
      ? [`The input has no leads: ${LEFT_ALONE}.`]
      : []),
    ...advise(report, nameCommands(run.job, state, commandEnvironment(), commandToContinue)),
  ];
}

function printSummary(
  report: RunReport,
  { out }: JobSettings,
  { isJson }: ReportOptions,
  progress: Progress,
  next: readonly string[],
): void {
  const { run, tally } = report;
  if (isJson) {
    const text = `${printableJson(JSON.stringify(asJson(runData({ run, tally, report }))))}\n`;
    // If the table goes to standard output, the summary must not be mixed into it.
    (out === '-' ? process.stderr : process.stdout).write(text);
    return;
  }
  for (const line of asText(tellRun({ run, tally, report, next }).parts)) progress.say(line);
}

const LEFT_ALONE = 'the table was left as it was';

/** The line of a quiet run about leads without an answer, and files without a lead; undefined if it is no failure. */
function unansweredLine(
  { exported, run, tally }: RunReport,
  { failOn, state }: JobSettings,
): string | undefined {
  if (isAnswered(tally, failOn)) return undefined;
  const leadless = describeLeadless(tally, run.sources);
  const rejects = exported?.rejects ?? null;
  const count = unansweredLeads(tally);
  const parts = tellLacking(tally.byStatus) || `${formatNumber(count)} skipped`;
  const said = [
    count > 0 &&
      `${formatNumber(count)} of ${formatCount(askedLeads(tally), 'lead')} got no answer (${parts})`,
    tellDoubtful(tally),
    leadless && (rejects === null ? leadless : `${leadless} (their reasons: ${rejects})`),
    leadless && tally.leads === 0 && (exported?.out ?? null) === null && LEFT_ALONE,
  ].filter(Boolean);
  if (said.length === 0) return undefined;
  const why = tellWhy(run, { state: stateFlag(state, commandEnvironment()) });
  return printable(`sluice: Run ${run.id} of ${run.job}: ${said.join('; ')}. ${why}`);
}
