// Copies a whole state to another place: sluice state copy. src/ports/store/archive.ts says how it is kept from being
// used in two places.
import { randomUUID } from 'node:crypto';
import { SluiceError } from '../../model/errors.js';
import { sendersLeftMs } from '../../model/schedule/limit-shares.js';
import type { LimitState } from '../../model/schedule/limit-state.js';
import type {
  ArchiveRow,
  ArchiveTable,
  CopyMark,
  StateArchive,
} from '../../ports/store/archive.js';
import { copying } from '../../store/moved.js';
import { ARCHIVE_TABLES, LIMITS } from '../../store/tables.js';
import { compareTable, type TableDigest } from './compare-states.js';

/** The number of rows in one transaction. */
const ROWS = 2_000;
/** The greatest difference between a process's clock and the server's: no process works with more. */
const CLOCKS_APART_MS = 2_000;

export interface CopyProgress {
  readonly step: 'copy' | 'check';
  readonly rows: number;
  readonly of: number;
}

export interface CopyReport {
  readonly rows: number;
  /** The number of these rows that were there when this copy began. */
  readonly rowsBefore: number;
  readonly tables: readonly TableDigest[];
}

/**
 * Fills the target with all rows of the source, checks them, and gives the state to the target. If it is cut off at any
 * moment, the next start goes on where it was.
 * @throws SluiceError `busy` while processes work with the source; `usage` if the target holds anything else, or the
 * source was moved already; `store` if the target has not become the same
 */
export async function copyState(
  source: StateArchive,
  target: StateArchive,
  tell: (progress: CopyProgress) => void = () => undefined,
): Promise<CopyReport> {
  const token = await begin(source, target);
  const counts = await Promise.all(ARCHIVE_TABLES.map((table) => source.count(table)));
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const there = await Promise.all(ARCHIVE_TABLES.map((table) => target.count(table)));
  const rowsBefore = there.reduce((sum, count) => sum + count, 0);

  let done = rowsBefore;
  for (const table of ARCHIVE_TABLES) {
    for await (const count of copyTable(source, target, table)) {
      tell({ step: 'copy', rows: (done += count), of: rows });
    }
  }
  await target.complete();
  done = 0;
  const tables: TableDigest[] = [];
  for (const table of ARCHIVE_TABLES) {
    const digest = await compareTable({ source, target, table, rows: ROWS });
    tables.push(digest);
    tell({ step: 'check', rows: (done += digest.rows), of: rows });
  }
  await copyLimits(source, target);
  await finish(source, target, token);
  return { rows, rowsBefore, tables };
}

/**
 * Gives up a copy: the source can be used again, and the rows in the target cannot. Returns the target.
 * @throws SluiceError `usage` if the source is not being moved, or was moved
 */
export async function giveUpCopy(source: StateArchive): Promise<string> {
  const mark = await source.mark();
  if (mark?.kind !== 'source') {
    throw new SluiceError(
      'usage',
      `${source.place} is not being moved anywhere: there is nothing to give up.`,
    );
  }
  await source.removeMark(mark.token);
  if ((await source.mark()) !== null) throw wasMoved(source, mark);
  return mark.place;
}

/** Marks both states; returns the token of the copy. */
async function begin(source: StateArchive, target: StateArchive): Promise<string> {
  if (source.place === target.place) {
    throw new SluiceError('usage', `${source.place} cannot be copied to itself.`);
  }
  const [mark, found] = [await source.mark(), await target.mark()];
  if (mark?.kind === 'target') throw isHalf(source, mark);
  const isOwn = mark !== null && found?.kind === 'target' && found.token === mark.token;
  if (mark?.isWhole === true && !isOwn) throw wasMoved(source, mark);
  if (!isOwn) await refuseForeign(target, found);
  if (mark !== null && !isOwn && mark.place !== target.place) throw isElsewhere(source, mark);
  const token = mark?.token ?? randomUUID();
  if (mark === null) await markSource(source, target.place, token);
  await refuseBusy(source, token);
  if (!isOwn) await markTarget(source, target, token);
  return token;
}

async function markSource(source: StateArchive, place: string, token: string): Promise<void> {
  if (await source.setMark({ kind: 'source', place, token })) return;
  throw isBusy(`Another process has begun to copy ${source.place}.`);
}

/**
 * Refuses while processes work. A process that took a job, or joined a limit, before the mark was there goes on; a
 * later one is refused.
 */
async function refuseBusy(source: StateArchive, token: string): Promise<void> {
  const jobs = await source.busyJobs();
  const sendingMs = await longestSenderMs(source);
  const [first] = jobs;
  if (first === undefined && sendingMs === 0) return;
  await source.removeMark(token);
  const leftMs = Math.max(sendingMs, ...jobs.map((one) => one.leftMs ?? 0));
  if (first === undefined) {
    const says = `A process sends requests, by the rate limit that it keeps in ${source.place}.`;
    throw isBusy(says, { leftMs });
  }
  const { job } = first;
  throw isBusy(`A process is working on the job ${job} with ${source.place}.`, { job, leftMs });
}

/** The longest wait for senders: commands for lists, hooks and the like send without a job, too. */
async function longestSenderMs(source: StateArchive): Promise<number> {
  const now = { at: Date.now(), steady: null };
  let longestMs = 0;
  for await (const limits of limitsOf(source)) {
    for (const { limit } of limits) longestMs = Math.max(longestMs, sendersLeftMs(limit, now));
  }
  return longestMs;
}

interface LimitRow {
  readonly account: ArchiveRow[string];
  readonly limit: LimitState;
}

async function* limitsOf(source: StateArchive): AsyncGenerator<LimitRow[]> {
  for (let after: ArchiveRow | null = null; ; ) {
    const rows: ArchiveRow[] = await source.read(LIMITS, after, ROWS);
    after = rows.at(-1) ?? null;
    if (after === null) return;
    const held = rows.filter(({ state }) => state !== null);
    yield held.map(({ account = null, state }) => ({
      account,
      limit: JSON.parse(String(state)) as LimitState,
    }));
  }
}

async function markTarget(
  source: StateArchive,
  target: StateArchive,
  token: string,
): Promise<void> {
  if (await target.setMark({ kind: 'target', place: source.place, token })) {
    // A process that opened it before the mark was there may have begun with it.
    const table = await target.holds();
    if (table === null) return;
    await target.removeMark(token);
  }
  await source.removeMark(token);
  throw isForeign(target, await target.holds());
}

async function refuseForeign(target: StateArchive, mark: CopyMark | null): Promise<void> {
  if (mark?.kind === 'target') throw isHalf(target, mark);
  const table = await target.holds();
  if (mark !== null || table !== null) throw isForeign(target, table);
}

function isForeign({ place }: StateArchive, table: string | null): SluiceError {
  return new SluiceError(
    'usage',
    `${place} is a state already${table === null ? '' : ` (it has ${table})`}, and a copy never mixes with another: name a new file, or an empty database or schema.`,
    { path: place },
  );
}

async function* copyTable(
  source: StateArchive,
  target: StateArchive,
  table: ArchiveTable,
): AsyncGenerator<number> {
  for (let after = await target.last(table); ; ) {
    const rows = await source.read(table, after, ROWS);
    const last = rows.at(-1);
    if (last === undefined) return;
    await target.write(table, rows);
    after = last;
    yield rows.length;
  }
}

/**
 * Copies the limits by the wall clock alone. The target's may be ahead of it: no slot is free there before it is free
 * here.
 */
async function copyLimits(source: StateArchive, target: StateArchive): Promise<void> {
  await target.clear(LIMITS);
  for await (const limits of limitsOf(source)) {
    await target.write(
      LIMITS,
      limits.map(({ account, limit }) => {
        const asOf = { at: limit.asOf.at + CLOCKS_APART_MS, steady: null };
        return { account, state: JSON.stringify({ ...limit, asOf } satisfies LimitState) };
      }),
    );
  }
}

/** Ends the copy. The source is told first: whatever happens in between, at most one of the two can be used. */
async function finish(source: StateArchive, target: StateArchive, token: string): Promise<void> {
  if (!(await source.noteWhole(token))) {
    throw new SluiceError(
      'usage',
      `The copy of ${source.place} was given up meanwhile: ${target.place} stays unusable, and can be removed.`,
    );
  }
  await target.removeMark(token);
}

/**
 * The error for a busy source. `leftMs`: how long to wait for a process that was killed; absent, or 0, if its end is
 * seen at once.
 */
function isBusy(says: string, facts: { readonly job?: string; leftMs?: number } = {}): SluiceError {
  const { leftMs = 0 } = facts;
  const killed = leftMs === 0 ? '' : `, or in ${Math.ceil(leftMs / 1_000)} s where it was killed`;
  return new SluiceError(
    'busy',
    `${says} Nothing was copied: try again when that has ended${killed}.`,
    facts,
  );
}

function isHalf({ place }: StateArchive, { place: from }: CopyMark): SluiceError {
  return new SluiceError(
    'usage',
    `${place} is half a copy of ${from}. To go on with that: ${copying(from, place)}`,
    { path: place, from },
  );
}

function isElsewhere({ place }: StateArchive, { place: to }: CopyMark): SluiceError {
  return new SluiceError(
    'usage',
    `${place} is being moved to ${to} already. To go on with that: ${copying(place, to)}. To give it up, add --give-up.`,
    { path: place, moved_to: to },
  );
}

function wasMoved({ place }: StateArchive, { place: to }: CopyMark): SluiceError {
  return new SluiceError('usage', `${place} was moved to ${to} already: name that one instead.`, {
    path: place,
    moved_to: to,
  });
}
