// The events of a run, in sentences.

import type { RunOptions } from '../../app/run/run-options.js';
import type { JobSettings } from '../../app/settings/job-settings.js';
import { nameOfMapped } from '../../model/mapping/find-column.js';
import { tellMapping, tellSheets } from '../../model/mapping/tell-columns.js';
import type { Run } from '../../model/run.js';
import type { Warning } from '../../model/telemetry/event-fields.js';
import type { RunEvent } from '../../model/telemetry/observe.js';
import { formatCount } from '../../model/text/count.js';
import { formatDuration } from '../../model/text/format-time.js';
import { printable } from '../../model/text/printable.js';
import type { Detection } from '../../ports/lead-reader.js';
import { isDatabase } from '../../store/open-store.js';

interface Started {
  /** The command that continues this run, as a user would type it. */
  readonly commandToContinue: string;
  readonly run: RunOptions;
}

/** The sentence that a user sees about an event; undefined for most events. */
export function describeEvent(
  event: RunEvent,
  settings: JobSettings,
  started: Started,
): string | undefined {
  const said = sentenceOf(event, settings, started);
  if (said === undefined || event.step === undefined) return said;
  return `Step ${printable(event.step)}: ${said}`;
}

function sentenceOf(
  event: RunEvent,
  { input }: JobSettings,
  { commandToContinue, run: { resendUncertain } }: Started,
): string | undefined {
  if (event.kind === 'run.mapped') {
    const isEvident = event.mapping.every((one) => nameOfMapped(one) === one.input);
    return isEvident ? undefined : `Columns: ${tellMapping(event.mapping)}`;
  }
  if (event.kind === 'run.detected') return describeDetection(event.detection);
  // A failed notice is printed elsewhere, even by a quiet command.
  if (event.kind === 'run.warned' && event.warning === 'notice_not_sent') return undefined;
  if (event.kind === 'run.warned') return printable(event.message);
  if (event.kind === 'platform.back') {
    return `The platform answers again, after ${formatDuration(event.durationMs)}.`;
  }
  const ofState = aboutState(event);
  if (ofState !== undefined) return ofState;
  if (event.kind === 'write.repeated') {
    return event.attempt === 1
      ? `${printable(event.reason)} Tickets wait to be saved: it is tried for 20 s more.`
      : undefined;
  }
  if (event.kind === 'folder.unchanged') {
    const said = unchanged(event.files, input.map(printable).join(', '));
    if (resendUncertain !== true) return said;
    return `${said} So --resend-uncertain had nothing to send: name the run with sluice retry RUN --only uncertain, then ${commandToContinue}`;
  }
  if (event.kind !== 'run.started') return undefined;
  const { run } = event;
  const leads = run.leadCount === 0 ? '' : ` (${formatCount(run.leadCount, 'lead')})`;
  return event.isContinued
    ? `Continuing run ${run.id} of ${run.job}${leads}`
    : `Run ${run.id} of ${run.job}${describeFiles(run)}${describeLimit(run)}`;
}

/** The table of an earlier run may have had more rows. */
function describeLimit({ limit, output: { out } }: Run): string {
  if (limit === undefined) return '';
  const table = out === '-' ? 'the table' : printable(out);
  return ` (by the limit, only the first ${formatCount(limit, 'lead')} will be in ${table})`;
}

function unchanged(files: number, patterns: string): string {
  return files === 0
    ? `Nothing new: no file matches ${patterns}.`
    : `Nothing new: what matches ${patterns} was read before (${formatCount(files, 'file')}). Use --again to run it again.`;
}

const OF_PLACE: ReadonlySet<Warning> = new Set<Warning>([
  'database_gone',
  'database_slow',
  'deliveries_refused',
  'no_deliveries',
]);

/**
 * The sentence of an event about its state: it is new, nothing is delivered into it, or its database has gone, is back
 * or is slow. Undefined for any other event.
 */
export function aboutState(event: RunEvent): string | undefined {
  if (event.kind === 'state.new') return newState(event);
  if (event.kind === 'run.warned' && OF_PLACE.has(event.warning)) return printable(event.message);
  if (event.kind !== 'state.back') return undefined;
  return `The database answers again, after ${formatDuration(event.durationMs)}.`;
}

/** `The state file data/sluise.db, beside data/sluice.db, holds no run yet: …` */
function newState({ beside, isRemote, path }: Extract<RunEvent, { kind: 'state.new' }>): string {
  const where = beside === null ? path : `${path}, beside ${beside},`;
  const what = isDatabase(path) ? 'state in the database' : 'state file';
  const remote = isRemote
    ? ' It is on the disk of another machine, where its locks and its log are not reliable: name a file on a disk of this machine with --state or SLUICE_STATE.'
    : '';
  const other = beside === null ? '' : ' If that is not wanted, look at --state and SLUICE_STATE.';
  return `The ${what} ${printable(where)} holds no run yet: what was paid for before is not known here.${other}${remote}`;
}

/** The files of a drop folder that this run reads. */
function describeFiles({ digests, sources }: Run): string {
  if (digests === undefined) return '';
  const [only = ''] = sources;
  return `: ${sources.length === 1 ? printable(only) : formatCount(sources.length, 'new file')}`;
}

const DETECTED = {
  encoding: ['Encoding', 'guessed from'],
  delimiter: ['Delimiter', 'guessed from'],
  sheet: ['Sheet', 'of several in'],
  header: ['Line of the header', 'the lines above it are ignored in'],
  short: ['Short rows', 'in'],
  hidden: ['Hidden', 'in'],
  merged: ['Merged cells', 'in'],
} as const;

/** `Encoding: windows-1252 (guessed from leads.csv)`. */
export function describeDetection({ others = [], what, value, source }: Detection): string {
  const shown = value === '\t' ? 'tab' : printable(value);
  const [name, how] = DETECTED[what];
  const more =
    others.length === 0 ? '' : `; the key sheet takes another: ${printable(tellSheets(others))}`;
  return `${name}: ${shown} (${how} ${printable(source)}${more})`;
}
