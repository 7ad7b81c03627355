// Finds out which files Sluice wrote itself: only those are replaced without --force, and only for the same purpose.
import { REPORT_SIGN } from '../../html/report/report-sign.js';
import { EVENT_COLUMNS } from '../../model/events/event-columns.js';
import { DELIMITERS } from '../../model/lead.js';
import type { KnownFiles, WrittenFile } from '../../ports/store/files.js';
import type { Store } from '../../ports/store/store.js';
import { headOf, type Purpose, placeOf, type Target, targetsOf, type Write } from './target.js';

/** The job that writes, and the files it needs itself. */
export interface Writer {
  /** Empty if no job writes the file. */
  readonly job: string;
  readonly sources: readonly string[];
  readonly state?: string | null | undefined;
  readonly dialect?: string | undefined;
  /** The job's own file. */
  readonly file?: string | undefined;
}

/**
 * The text near the beginning of every file of a purpose; a column's name is longer if the input has one of that name.
 */
const SIGNS: Readonly<Partial<Record<Purpose, string>> & { readonly table: string }> = {
  table: 'sluice_status',
  positions: 'position_number',
  companies: 'company_key',
  changes: 'email_status_before',
  claims: 'known_credits',
  dictionary: '/tableschema.json"',
  report: REPORT_SIGN,
};
const REJECTS = /^\uFEFF?source([,;|\t])line\1reason\1raw\r?\n/;
/** Tables whose columns are not in their first bytes: any file of the format counts as ours. */
const BINARY = [
  [/\.xlsx$/i, 'PK\u0003\u0004'],
  [/\.parquet$/i, 'PAR1'],
] as const;
const METRICS = /^# (?:HELP|TYPE) sluice_/;

/** Whether Sluice wrote the existing file, for the same purpose. */
export async function isOwn(write: Write, wish: Writer, store: Store): Promise<boolean> {
  const [target] = targetsOf([write]);
  return target !== undefined && isOwnFile(target, wish, await store.knownFiles());
}

/** A row alone proves nothing: the state file may be a stranger's, and the file may have been replaced since. */
export function isOwnFile(target: Target, writer: Writer, known: KnownFiles): boolean {
  const { place, purpose } = target;
  // Counters continue from the file's values, whichever job wrote it.
  if (purpose === 'metrics') return holdsMetrics(place);
  const row = ownRow(target, writer, known);
  return row !== undefined && (isUnchanged(target, row) || isLikeOurs(target));
}

export function ownRow(target: Target, writer: Writer, known: KnownFiles): WrittenFile | undefined {
  return known.written.find(
    ({ path, role, job }) =>
      path === target.place &&
      role === target.purpose &&
      (job === writer.job || isOfSame(job, writer, known)),
  );
}

/** Whether a table begins like ours, as one does that was edited. */
function isLikeOurs({ place, purpose }: Target): boolean {
  const head = headOf(place, 65_536);
  const binary = BINARY.find(([ending]) => ending.test(place));
  if (binary !== undefined) return head.startsWith(binary[1]);
  if (purpose === 'events') return isTableOfEvents(place);
  return purpose === 'rejects' ? REJECTS.test(head) : head.includes(SIGNS[purpose] ?? SIGNS.table);
}

/** Whether a file holds metrics that Sluice wrote. */
export function holdsMetrics(path: string): boolean {
  return METRICS.test(headOf(path, 64));
}

/** Whether `writer` reads every input of `job`: then it is the same table, and only the job has another name. */
function isOfSame(job: string, { sources }: Writer, { read }: KnownFiles): boolean {
  const places = new Set(sources.filter((source) => source !== '-').map(placeOf));
  const inputs = read.filter((file) => file.job === job && file.role === 'input');
  return inputs.length > 0 && inputs.every(({ path }) => places.has(path));
}

export function isAsWritten(target: Target, { written }: KnownFiles): boolean {
  const row = written.find(({ path }) => path === target.place);
  return row === undefined || isUnchanged(target, row);
}

function isUnchanged({ found }: Target, { size, modifiedAt }: WrittenFile): boolean {
  return found?.size === size && Math.floor(found?.mtimeMs ?? 0) === modifiedAt;
}

function isTableOfEvents(path: string): boolean {
  const [line = ''] = headOf(path, 4_096)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/, 1);
  const names = EVENT_COLUMNS.map(({ name }) => name);
  // The first line of NDJSON may be longer than the part that was read.
  const isCsv = DELIMITERS.some((delimiter) => line === names.join(delimiter));
  return (
    isCsv || names.slice(0, 3).every((name, n) => line.includes(`${n === 0 ? '{' : ','}"${name}":`))
  );
}
