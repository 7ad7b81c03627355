// What may be written where: the one rule for tables, rejects, events, metrics and backups. A file is replaced only
// where Sluice wrote it for the same purpose. What else stands there needs --force, and nothing takes the place of
// what somebody lives on: leads, jobs, dialects, .env, state files, and tables of files that are done.
import {
  closeSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { SluiceError } from '../../model/errors.js';
import { EVENT_COLUMNS } from '../../model/events/event-columns.js';
import { checkWritable } from '../../output/target-file.js';
import type {
  KnownFiles,
  ReadFile,
  ReadRole,
  WrittenFile,
  WrittenRole,
} from '../../ports/store/files.js';
import type { Store } from '../../ports/store/store.js';
import { ENV_FILE } from '../env-file.js';

type Purpose = WrittenRole | 'metrics' | 'backup' | 'job' | 'example';

export interface Write {
  readonly path: string;
  readonly purpose: Purpose;
}

/** Who writes, and what it lives on itself. */
export interface Writer {
  /** Empty for what is no job's. */
  readonly job: string;
  readonly sources: readonly string[];
  readonly state?: string | null | undefined;
  readonly dialect?: string | undefined;
  /** The job's own file. */
  readonly file?: string | undefined;
}

export interface WriteWish extends Writer {
  readonly isForced: boolean;
  /** The run whose leads are written; null where it has no number yet, or there is none. */
  readonly run?: number | null;
  /** Of the files of a drop folder that are written. */
  readonly digests?: readonly string[] | undefined;
  /** What to say of a table whose files are done. */
  readonly ifDone?: DoneAdvice | undefined;
}

export interface DoneAdvice {
  readonly whose: string;
  readonly wayOut: string;
}

const NAMES: Readonly<Record<Purpose, string>> = {
  table: 'The table',
  rejects: 'The file of rejects',
  events: 'The table of events',
  metrics: 'The metrics',
  backup: 'The backup',
  job: 'The job',
  example: 'The example',
};
const BY_OUT = 'name another file with --out';
const ELSEWHERE: Readonly<Record<Purpose, string>> = {
  table: BY_OUT,
  rejects: BY_OUT,
  events: BY_OUT,
  metrics: 'name another file with --metrics-file',
  backup: 'name another file',
  job: 'give another name with --name',
  example: 'move it away',
};
const ROLES: Readonly<Record<ReadRole, string>> = {
  input: 'input file',
  job: 'job file',
  dialect: 'dialect file',
};
/** Beside a state file lie its log, its locks and the sandbox's ledger, all under its name. */
const BESIDE_STATE = /-(?:wal|shm|journal|lock-[0-9a-f]{12}|sandbox\.ndjson)$/;
const DATABASE = 'SQLite format 3\0';
/** Every table of a run has it, also where an input's column of that name made it longer. */
const STATUS_COLUMN = 'sluice_status';
const REJECTS = /^\uFEFF?source,line,reason,raw\r?\n/;
const METRICS = /^# (?:HELP|TYPE) sluice_/;

/** A file that is to be written. */
interface Target extends Write {
  readonly place: string;
  /** What stands there. */
  readonly found: Stats | undefined;
}

/**
 * As far as it is known without a state file.
 * @throws SluiceError `usage` where two files are to be written to one place, or one would replace what it lives on
 */
export function refuseOwnFiles(writes: readonly Write[], writer: Writer): void {
  const targets = targetsOf(writes);
  for (const [n, target] of targets.entries()) {
    const twin = targets.slice(0, n).find(({ place }) => isAt(target, place));
    if (twin !== undefined) throw twins(twin, target);
    refuseOwn(target, writer);
  }
}

/**
 * Without a store nothing is known, as before a state file is made.
 * @throws SluiceError `usage` where one of them must not be written, or cannot be
 */
export async function checkWrites(
  writes: readonly Write[],
  wish: WriteWish,
  store: Store | undefined,
): Promise<void> {
  const known = (await store?.knownFiles()) ?? { state: null, read: [], written: [] };
  refuseOwnFiles(writes, { ...wish, state: wish.state ?? known.state });
  for (const target of targetsOf(writes)) {
    await checkWritable(target.path, NAMES[target.purpose]);
    if (target.found === undefined) continue;
    if (store !== undefined) await keepDone(target, wish, known, store);
    const isOwn = isOwnFile(target, wish, known);
    const read = known.read.find(({ path }) => isAt(target, path));
    // What was read here may be what another job has written, and writes again; unless somebody has changed it.
    if (read !== undefined && !(isOwn && isAsWritten(target, known))) throw isRead(target, read);
    // An empty file holds nothing: somebody has made it to set its permissions.
    if (!isOwn && !wish.isForced && target.found.size > 0) throw isThere(target, wish, known);
  }
}

/** A run's table, and what goes beside it. */
export function tableWrites(out: string, rejects: string | null): readonly Write[] {
  const table: Write = { path: out, purpose: 'table' };
  return rejects === null ? [table] : [table, { path: rejects, purpose: 'rejects' }];
}

/** Whether Sluice wrote what stands there, for the same purpose. */
export async function isOwn(write: Write, wish: Writer, store: Store): Promise<boolean> {
  const [target] = targetsOf([write]);
  return target !== undefined && isOwnFile(target, wish, await store.knownFiles());
}

/** The same for all ways to write a path. */
export function placeOf(path: string): string {
  const whole = resolve(path);
  for (const known of [whole, dirname(whole)]) {
    try {
      return known === whole ? realpathSync(whole) : join(realpathSync(known), basename(whole));
    } catch {
      // A file that is not there yet has a folder that is.
    }
  }
  return whole;
}

function targetsOf(writes: readonly Write[]): Target[] {
  return writes
    .filter(({ path }) => path !== '-')
    .map((write) => ({ ...write, place: placeOf(write.path), found: find(write.path) }));
}

function find(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** By its name, or as another name of the same file. */
function isAt({ place, found }: Target, path: string): boolean {
  if (place === path || place === placeOf(path)) return true;
  if (found === undefined) return false;
  const other = find(path);
  return other !== undefined && other.dev === found.dev && other.ino === found.ino;
}

function refuseOwn(target: Target, { sources, state, dialect, file }: Writer): void {
  for (const source of sources) {
    if (source !== '-' && isAt(target, source)) throw wouldReplace(target, ROLES.input, source);
  }
  if (state !== undefined && state !== null) {
    const isState = isAt(target, state) || target.place.startsWith(`${placeOf(state)}-`);
    if (isState) throw wouldReplace(target, 'state file', shown(state));
  }
  if (dialect !== undefined && isAt(target, dialect)) {
    throw wouldReplace(target, ROLES.dialect, dialect);
  }
  const jobs = [...(file === undefined ? [] : [file]), ...jobFiles()];
  for (const job of target.purpose === 'job' ? [] : jobs) {
    if (isAt(target, job)) throw wouldReplace(target, ROLES.job, job);
  }
  if (basename(target.place) === ENV_FILE || isAt(target, ENV_FILE)) {
    throw wouldReplace(target, 'file of variables', target.path);
  }
  const base = target.place.replace(BESIDE_STATE, '');
  if (headOf(base, DATABASE.length) === DATABASE) {
    throw wouldReplace(target, 'state file', shown(base));
  }
}

/** Those of the folder in which jobs are found by their names. */
function jobFiles(): string[] {
  try {
    return readdirSync('jobs')
      .filter((name) => /\.ya?ml$/i.test(name))
      .map((name) => join('jobs', name));
  } catch {
    return [];
  }
}

/** A row alone proves nothing: the state file may be a stranger's, and the file another one by now. */
function isOwnFile(target: Target, writer: Writer, known: KnownFiles): boolean {
  const { place, purpose } = target;
  // Counters go on from what the file holds, whichever job has written it.
  if (purpose === 'metrics') return holdsMetrics(place);
  // What an earlier release wrote of events no state file knows.
  const isUnknown = known.written.every(({ path }) => path !== place);
  if (purpose === 'events' && isUnknown) return isTableOfEvents(place);
  const row = ownRow(target, writer, known);
  return row !== undefined && (isUnchanged(target, row) || isLikeOurs(target));
}

function ownRow(target: Target, writer: Writer, known: KnownFiles): WrittenFile | undefined {
  return known.written.find(
    ({ path, role, job }) =>
      path === target.place &&
      role === target.purpose &&
      (job === writer.job || isOfSame(job, writer, known)),
  );
}

/** A table that was edited, or that an earlier release wrote, still begins as we begin it. */
function isLikeOurs({ place, purpose }: Target): boolean {
  if (purpose === 'events') return isTableOfEvents(place);
  const head = headOf(place, 65_536);
  return purpose === 'rejects' ? REJECTS.test(head) : head.includes(STATUS_COLUMN);
}

/** Whether a file is one of metrics that Sluice wrote. */
export function holdsMetrics(path: string): boolean {
  return METRICS.test(headOf(path, 64));
}

/** Whether everything that a job has read is read here too: the same table under another name of the job. */
function isOfSame(job: string, { sources }: Writer, { read }: KnownFiles): boolean {
  const places = new Set(sources.filter((source) => source !== '-').map(placeOf));
  const inputs = read.filter((file) => file.job === job && file.role === 'input');
  return inputs.length > 0 && inputs.every(({ path }) => places.has(path));
}

function isAsWritten(target: Target, { written }: KnownFiles): boolean {
  const row = written.find(({ path }) => path === target.place);
  return row === undefined || row.size === null || isUnchanged(target, row);
}

function isUnchanged({ found }: Target, { size, modifiedAt }: WrittenFile): boolean {
  return found?.size === size && Math.floor(found?.mtimeMs ?? 0) === modifiedAt;
}

function isTableOfEvents(path: string): boolean {
  const [line = ''] = headOf(path, 4_096)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/, 1);
  const names = EVENT_COLUMNS.map(({ name }) => name);
  // Of NDJSON the first line may be longer than what was read of it.
  const isCsv = line === names.join(',');
  return (
    isCsv || names.slice(0, 3).every((name, n) => line.includes(`${n === 0 ? '{' : ','}"${name}":`))
  );
}

/** The beginning of a file; empty where it cannot be read. */
function headOf(path: string, length: number): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(length);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** The files of another run are not read again: nothing without them takes the place of their table. */
async function keepDone(
  { path, place, purpose }: Target,
  { run = null, digests = [], ifDone }: WriteWish,
  { written }: KnownFiles,
  store: Store,
): Promise<void> {
  const wroteIt = new Set(written.filter((file) => file.path === place).map((file) => file.run));
  const isIt = (out: string, id: number): boolean =>
    (out !== '-' && placeOf(out) === place) || wroteIt.has(id);
  const other = await store.runOfTable(isIt, purpose === 'table' ? run : null);
  const own = new Set(purpose === 'table' ? digests : []);
  if (other === null || other.digests.every((digest) => own.has(digest))) return;
  const { whose, wayOut } = ifDone ?? {
    whose: 'the new one',
    wayOut: ELSEWHERE[purpose],
  };
  throw new SluiceError(
    'usage',
    `${path} is the table of run ${other.run}, whose files are done and would not be in ${whose}. Move it away, or ${wayOut}.`,
    { out: path, tableOf: other.run },
  );
}

function twins(one: Target, { path, purpose }: Target): SluiceError {
  const second = NAMES[purpose].replace('The', 'the');
  return new SluiceError(
    'usage',
    `${NAMES[one.purpose]} and ${second} would both be written to ${path}. For one of them, ${ELSEWHERE[purpose]}.`,
    { path },
  );
}

function isRead(target: Target, { path, role, run }: ReadFile): SluiceError {
  return wouldReplace(target, ROLES[role], `${shown(path)} of run ${run}`);
}

function wouldReplace({ path, purpose }: Target, what: string, which: string): SluiceError {
  const pattern = what === ROLES.input ? ', or a pattern that does not match it' : '';
  const wayOut = ELSEWHERE[purpose];
  return new SluiceError(
    'usage',
    `${NAMES[purpose]} ${path} would replace the ${what} ${which}. ${wayOut.charAt(0).toUpperCase()}${wayOut.slice(1)}${pattern}.`,
    { out: path, path: which },
  );
}

function isThere(target: Target, writer: Writer, known: KnownFiles): SluiceError {
  const { path, purpose } = target;
  return new SluiceError(
    'usage',
    `${path} ${whatStands(target, writer, known)}. Move it away, ${ELSEWHERE[purpose]}, or replace it with --force.`,
    { path },
  );
}

function whatStands(target: Target, writer: Writer, known: KnownFiles): string {
  if (ownRow(target, writer, known) !== undefined) {
    return 'is not what Sluice wrote there, nor like it';
  }
  const row = known.written.find(({ path }) => path === target.place);
  if (row === undefined) {
    return 'is there already, and this state file does not know it as one that Sluice wrote';
  }
  return `is ${row.role === 'events' ? 'a table of events' : `the ${row.role} of job ${row.job}`}`;
}

/** From the folder that the command is started in, where it lies below. */
function shown(path: string): string {
  const short = relative('', path);
  return short.startsWith('..') ? path : short;
}
