// Finds out which files Sluice wrote itself: only those are replaced without --force, and only for the same purpose.
import { lookOf } from '../../output/table-file.js';
import type { KnownFiles, WrittenFile } from '../../ports/store/files.js';
import type { Store } from '../../ports/store/store.js';
import { headOf, placeOf, type Target, targetsOf, type Write } from './target.js';

export interface Writer {
  /** Empty if no job writes the file. */
  readonly job: string;
  readonly sources: readonly string[];
  readonly state?: string | null | undefined;
  readonly dialect?: string | undefined;
  readonly file?: string | undefined;
}

const METRICS = /^# (?:HELP|TYPE) sluice_/;
/** An invoice of the sandbox, as CSV or NDJSON: one with its tickets, or with no row. */
const INVOICE = /^(?:ticket,date,credits\n(?:enr_|$)|\{"ticket":"enr_)/;

export async function isOwn(write: Write, wish: Writer, store: Store): Promise<boolean> {
  const [target] = targetsOf([write]);
  return target !== undefined && isOwnFile(target, wish, await store.knownFiles());
}

/** A row alone proves nothing: somebody else may have made the state file, and the file may have been replaced since. */
export function isOwnFile(target: Target, writer: Writer, known: KnownFiles): boolean {
  // Counters continue from the file's values, whichever job wrote it.
  if (target.purpose === 'metrics') return holdsMetrics(target.place);
  // The sandbox has no state that knows its files.
  if (target.purpose === 'invoice') return INVOICE.test(headOf(target.place, 64));
  const look = target.found && lookOf(target.found);
  const looks = ownRow(target, writer, known)?.looks ?? [];
  return looks.some(
    ({ modifiedAt, size }) => size === look?.size && modifiedAt === look.modifiedAt,
  );
}

export function ownRow(target: Target, writer: Writer, known: KnownFiles): WrittenFile | undefined {
  return known.written.find(
    ({ path, role, job }) =>
      path === target.place &&
      role === target.purpose &&
      (job === writer.job || isOfSame(job, writer, known)),
  );
}

export function holdsMetrics(path: string): boolean {
  return METRICS.test(headOf(path, 64));
}

/** Whether `writer` reads every input of `job`: then it is the same table, and only the job has another name. */
function isOfSame(job: string, { sources }: Writer, { read }: KnownFiles): boolean {
  const places = new Set(sources.filter((source) => source !== '-').map(placeOf));
  const inputs = read.filter((file) => file.job === job && file.role === 'input');
  return inputs.length > 0 && inputs.every(({ path }) => places.has(path));
}
