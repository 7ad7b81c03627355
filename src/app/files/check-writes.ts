// The one rule about places for tables, rejects, events, metrics and backups. A file is replaced only if Sluice
// wrote it for the same purpose, and it is as it was then (own-files.ts); any other file needs --force. And nothing
// replaces the files that Sluice needs itself: leads, jobs, dialects, .env, state files, and tables of files that
// are done.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { AT_END } from '../../model/run.js';
import { checkWritable } from '../../output/target-file.js';
import type { KnownFiles, ReadFile, ReadRole } from '../../ports/store/files.js';
import type { Store } from '../../ports/store/store.js';
import { isDatabase } from '../../store/open-store.js';
import { ENV_FILE } from '../settings/env-file.js';
import { isOwnFile, ownRow, type Writer } from './own-files.js';
import {
  headOf,
  isAt,
  type Purpose,
  placeOf,
  type Target,
  targetsOf,
  type Write,
} from './target.js';

export interface WriteWish extends Writer {
  readonly isForced: boolean;
  /** The run whose leads are written; null if it has no number yet, or there is no run. */
  readonly run?: number | null;
  /** Digests of the drop folder's files that the table covers. */
  readonly digests?: readonly string[] | undefined;
  readonly ifDone?: DoneAdvice | undefined;
  /** Whether they may be written on another machine: a folder that is missing here is no fault. */
  readonly isElsewhere?: boolean | undefined;
}

export interface DoneAdvice {
  readonly whose: string;
  readonly wayOut: string;
}

const BY_OUT = 'name another file with --out';
/** The name of each kind of file, and the advice if it cannot be written. */
const PURPOSES: Readonly<Record<Purpose, { readonly name: string; readonly instead: string }>> = {
  table: { name: 'The table', instead: BY_OUT },
  positions: {
    name: 'The table of positions',
    instead: 'name another file with the key out.positions',
  },
  companies: {
    name: 'The table of companies',
    instead: 'name another file with the key out.companies',
  },
  rejects: { name: 'The file of rejects', instead: BY_OUT },
  events: { name: 'The table of events', instead: BY_OUT },
  changes: {
    name: 'The table of changes',
    instead: 'name another file with --changes (of a job: the key changes)',
  },
  claims: { name: 'The table of claims', instead: 'name another file with --claims' },
  report: { name: 'The report', instead: 'name another file' },
  metrics: { name: 'The metrics', instead: 'name another file with the key metrics-file' },
  backup: { name: 'The backup', instead: 'name another file' },
  invoice: { name: 'The invoice', instead: 'name another file with --invoice' },
  job: { name: 'The job', instead: 'give another name with --name' },
  example: { name: 'The example', instead: 'move it away' },
};
const ROLES: Readonly<Record<ReadRole, string>> = {
  input: 'input file',
  job: 'job file',
  dialect: 'dialect file',
};
/** Names of files beside a state file: its log, its locks and the sandbox's ledger, all under its name. */
const BESIDE_STATE = /-(?:wal|shm|journal|lock-[0-9a-f]{12}|sandbox\.ndjson)$/;
/** The sandbox's ledger of a state in a database (`sandboxLedgerOf`). */
const LEDGER = /^[0-9a-f]{12}-sandbox\.ndjson$/;
const DATABASE = 'SQLite format 3\0';

/** Whatever is there. @throws SluiceError `usage` if no files can be made at the paths */
export async function checkPlaces(
  writes: readonly Write[],
  isElsewhere: boolean | undefined = false,
): Promise<void> {
  for (const { path, purpose } of writes) {
    if (isElsewhere && !existsSync(dirname(path))) continue;
    await checkWritable(path, PURPOSES[purpose].name, purpose !== 'report');
  }
}

/** Needs no state. @throws SluiceError `usage` for two files at one place, or one in the place of a needed file */
export function refuseOwnFiles(writes: readonly Write[], writer: Writer): void {
  const targets = targetsOf(writes);
  for (const [n, target] of targets.entries()) {
    const other = targets.slice(0, n).find(({ place }) => isAt(target, place));
    if (other !== undefined) throw samePlace(other, target);
    refuseOwn(target, writer);
  }
}

/** Without a store no file is known. @throws SluiceError `usage` if a file must not or cannot be written */
export async function checkWrites(
  writes: readonly Write[],
  wish: WriteWish,
  store: Store | undefined,
): Promise<void> {
  const known = (await store?.knownFiles()) ?? { state: null, read: [], written: [] };
  refuseOwnFiles(writes, { ...wish, state: wish.state ?? known.state });
  for (const target of targetsOf(writes)) {
    await checkPlaces([target], wish.isElsewhere);
    if (target.found === undefined) continue;
    if (store !== undefined) await refuseTableOfDone(target, wish, known, store);
    const isOwn = isOwnFile(target, wish, known);
    const read = known.read.find(({ path }) => isAt(target, path));
    // A file that was read may be the table of another job, which may replace it.
    if (read !== undefined && !isOwn) throw isRead(target, read);
    // An empty file may be replaced: it was made to set its permissions.
    if (!isOwn && !wish.isForced && target.found.size > 0) throw isThere(target, wish, known);
  }
}

function refuseState(target: Target, state: string): void {
  if (isDatabase(state)) return;
  const isState = isAt(target, state) || target.place.startsWith(`${placeOf(state)}-`);
  if (isState) throw wouldReplace(target, 'state file', shown(state));
}

function refuseOwn(target: Target, { sources, state, dialect, file }: Writer): void {
  for (const source of sources) {
    if (source !== '-' && isAt(target, source)) throw wouldReplace(target, ROLES.input, source);
  }
  if (state !== undefined && state !== null) {
    refuseState(target, state);
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
  if (LEDGER.test(basename(target.place))) {
    throw wouldReplace(target, "sandbox's ledger", target.path);
  }
  const base = target.place.replace(BESIDE_STATE, '');
  if (headOf(base, DATABASE.length) === DATABASE) {
    throw wouldReplace(target, 'state file', shown(base));
  }
}

function jobFiles(): string[] {
  try {
    return readdirSync('jobs')
      .filter((name) => /\.ya?ml$/i.test(name))
      .map((name) => join('jobs', name));
  } catch {
    return [];
  }
}

/** Finished files are not read again, so no table without them may replace theirs. */
async function refuseTableOfDone(
  { path, place, purpose }: Target,
  { run = null, digests = [], ifDone }: WriteWish,
  { written }: KnownFiles,
  store: Store,
): Promise<void> {
  // A file that is written at the end can be made again from the state.
  const tables = written.filter(
    (file) => file.path === place && !AT_END.some((role) => role === file.role),
  );
  const wroteIt = new Set(tables.map((file) => file.run));
  const isIt = (out: string, id: number): boolean =>
    (out !== '-' && placeOf(out) === place) || wroteIt.has(id);
  const isOfRun = purpose !== 'rejects' && purpose !== 'metrics';
  const other = await store.runOfTable(isIt, isOfRun ? run : null);
  const own = new Set(isOfRun ? digests : []);
  if (other === null || other.digests.every((digest) => own.has(digest))) return;
  const { whose, wayOut } = ifDone ?? { whose: 'the new one', wayOut: PURPOSES[purpose].instead };
  throw new SluiceError(
    'usage',
    `${path} is the table of run ${other.run}, whose files are done and would not be in ${whose}. Move it away, or ${wayOut}.`,
    { tableOf: other.run },
  );
}

function samePlace(one: Target, { path, purpose }: Target): SluiceError {
  const isSame = one.purpose === purpose;
  const second = isSame ? 'that of another table' : PURPOSES[purpose].name.replace('The', 'the');
  return wrongUse(
    `${PURPOSES[one.purpose].name} and ${second} would both be written to ${path}. For one of them, ${PURPOSES[purpose].instead}.`,
  );
}

function isRead(target: Target, { path, role, run }: ReadFile): SluiceError {
  return wouldReplace(target, ROLES[role], `${shown(path)} of run ${run}`);
}

function wouldReplace({ path, purpose }: Target, what: string, which: string): SluiceError {
  const pattern = what === ROLES.input ? ', or a pattern that does not match it' : '';
  const wayOut = PURPOSES[purpose].instead;
  return wrongUse(
    `${PURPOSES[purpose].name} ${path} would replace the ${what} ${which}. ${wayOut.charAt(0).toUpperCase()}${wayOut.slice(1)}${pattern}.`,
  );
}

function isThere(target: Target, writer: Writer, known: KnownFiles): SluiceError {
  const { path, purpose } = target;
  return wrongUse(
    `${path} ${whatIsThere(target, writer, known)}. Move it away, ${PURPOSES[purpose].instead}, or replace it with --force.`,
  );
}

function whatIsThere(target: Target, writer: Writer, known: KnownFiles): string {
  if (ownRow(target, writer, known) !== undefined) {
    return 'has changed since Sluice wrote it';
  }
  const row = known.written.find(({ path }) => path === target.place);
  if (row === undefined) {
    return 'is there already, and this state does not know it as one that Sluice wrote';
  }
  const isOfNoJob = ['events', 'changes', 'claims'].includes(row.role);
  return `is ${isOfNoJob ? `a table of ${row.role}` : `the ${row.role} of job ${row.job}`}`;
}

/** The path, relative to the folder in which the command is started, if it is inside it. */
function shown(path: string): string {
  const short = relative('', path);
  return short.startsWith('..') ? path : short;
}
