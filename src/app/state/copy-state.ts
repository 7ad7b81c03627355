// Copies a whole state to another place, and gives it to that one: sluice state copy.
//
// Both states are locked while it copies. The source's transaction ends first, with the mark that it was moved; then the
// target's, which cannot be opened before. A copy that is cut off has done nothing, or, between the two ends, is made
// anew by the same command.
import { createHash } from 'node:crypto';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { type LimitState, movedTo, ownersLeftMs } from '../../model/schedule/limit.js';
import type {
  ArchiveRow,
  ArchiveTable,
  StateArchive,
  StateContents,
  StateMark,
} from '../../ports/store/archive.js';
import { refuseHalf } from '../../store/moved.js';
import { ARCHIVE_TABLES, LIMITS } from '../../store/tables.js';

const ROWS = 2_000;
/** The greatest difference between a process's clock and the server's: no process works with more. */
const CLOCKS_APART_MS = 2_000;

interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** The SHA-256 over the rows in the order of their keys, in hexadecimal digits. */
  readonly digest: string;
}

/**
 * Fills the target with all rows of the source, compares each, and gives the state to the target. `tell` gets the number
 * of rows that are copied.
 * @throws SluiceError `busy` while processes work with the source; `usage` if the target holds anything, or the source
 * was moved already; `store` if a row has not become the same
 */
export async function copyState(
  source: StateArchive,
  target: StateArchive,
  tell: (rows: number) => void = () => undefined,
) {
  if (source.place === target.place) {
    throw wrongUse(`${source.place} cannot be copied to itself.`);
  }
  const known = await source.alone((from) => from.mark());
  const both = <R>(work: (from: StateContents, to: StateContents) => Promise<R>): Promise<R> =>
    target.alone(async (to) => {
      await refuseUsed(source, known, target, to);
      return source.alone(async (from) => {
        await refuseUnfit(source, from, target);
        return work(from, to);
      });
    });
  await both((_, to) => to.setMark({ movedTo: null, filledFrom: source.place }));
  return both(async (from, to) => {
    const tables: TableDigest[] = [];
    let rows = 0;
    for (const table of ARCHIVE_TABLES) {
      const copied = await copyTable(from, to, table, (count) => tell((rows += count)));
      if (copied === null) {
        throw new SluiceError(
          'store',
          `${target.place} does not keep what ${source.place} holds: a row of ${table.name} differs. Nothing was copied, and ${source.place} is used as before.`,
        );
      }
      tables.push(copied);
    }
    await copyLimits(from, to);
    await to.setMark({ movedTo: null, filledFrom: null });
    await from.setMark({ movedTo: target.place, filledFrom: null });
    return { rows, tables };
  });
}

async function refuseUsed(
  source: StateArchive,
  known: StateMark,
  target: StateArchive,
  to: StateContents,
): Promise<void> {
  const { filledFrom, movedTo } = await to.mark();
  if (filledFrom !== null && filledFrom !== source.place) {
    refuseHalf(target.place, { filledFrom, movedTo });
  }
  const table = await to.holds();
  if (table === null && movedTo === null) return;
  if (known.movedTo !== null) throw wasMoved(source, known.movedTo);
  throw new SluiceError(
    'usage',
    `${target.place} is a state already${table === null ? '' : ` (it has ${table})`}, and a copy never mixes with another: name a new file, or an empty database or schema.`,
  );
}

async function refuseUnfit(
  source: StateArchive,
  from: StateContents,
  target: StateArchive,
): Promise<void> {
  const mark = await from.mark();
  refuseHalf(source.place, mark);
  if (mark.movedTo !== null && mark.movedTo !== target.place) throw wasMoved(source, mark.movedTo);
  const jobs = await from.busyJobs();
  // Commands for lists, hooks and the like send without a job, too.
  const sendingMs = await longestSenderMs(from);
  const [first] = jobs;
  if (first === undefined && sendingMs === 0) return;
  const leftMs = Math.max(sendingMs, ...jobs.map((one) => one.leftMs ?? 0));
  const says =
    first === undefined
      ? `A process sends requests, by the rate limit that it keeps in ${source.place}.`
      : `A process is working on the job ${first.job} with ${source.place}.`;
  // The end of a process that was killed is seen at once, or after a while.
  const killed = leftMs === 0 ? '' : `, or in ${Math.ceil(leftMs / 1_000)} s where it was killed`;
  throw new SluiceError(
    'busy',
    `${says} Nothing was copied: try again when that has ended${killed}.`,
    { ...(first !== undefined && { job: first.job }) },
  );
}

async function longestSenderMs(from: StateContents): Promise<number> {
  const now = { at: Date.now(), steady: null };
  let longestMs = 0;
  for await (const { limit } of limitsOf(from)) {
    longestMs = Math.max(longestMs, ownersLeftMs(limit, now));
  }
  return longestMs;
}

/** Copies a table. Returns null if a row there is not what it is here. */
async function copyTable(
  from: StateContents,
  to: StateContents,
  table: ArchiveTable,
  tell: (rows: number) => void,
): Promise<TableDigest | null> {
  const hash = createHash('sha256');
  const copies = rowsOf(to, table);
  let rows = 0;
  for await (const page of pagesOf(from, table)) {
    await to.write(table, page);
    for (const row of page) {
      const text = textOf(row, table);
      const { value: copy } = await copies.next();
      if (copy === undefined || textOf(copy, table) !== text) return null;
      hash.update(`${text}\n`);
    }
    rows += page.length;
    tell(page.length);
  }
  if ((await copies.next()).value !== undefined) return null;
  await to.complete(table);
  return { table: table.name, rows, digest: hash.digest('hex') };
}

async function* pagesOf(
  contents: StateContents,
  table: ArchiveTable,
): AsyncGenerator<ArchiveRow[], undefined> {
  for (let after: ArchiveRow | null = null; ; ) {
    const rows: ArchiveRow[] = await contents.read(table, after, ROWS);
    after = rows.at(-1) ?? null;
    if (after === null) return;
    yield rows;
  }
}

async function* rowsOf(
  contents: StateContents,
  table: ArchiveTable,
): AsyncGenerator<ArchiveRow, undefined> {
  for await (const page of pagesOf(contents, table)) yield* page;
}

/** The same for rows with the same content. */
function textOf(row: ArchiveRow, { columns }: ArchiveTable): string {
  const values = Object.keys(columns).map((name) => {
    const value = row[name] ?? null;
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  });
  return JSON.stringify(values);
}

async function* limitsOf(
  from: StateContents,
): AsyncGenerator<{ account: ArchiveRow[string]; limit: LimitState }> {
  for await (const { account = null, state } of rowsOf(from, LIMITS)) {
    if (state !== null) yield { account, limit: JSON.parse(String(state)) as LimitState };
  }
}

/**
 * Copies the limits by the wall clock alone. The target's may be ahead of it: no slot is free there before it is free
 * here.
 */
async function copyLimits(from: StateContents, to: StateContents): Promise<void> {
  for await (const { account, limit } of limitsOf(from)) {
    const state = JSON.stringify(movedTo(limit, CLOCKS_APART_MS));
    await to.write(LIMITS, [{ account, state }]);
  }
}

function wasMoved({ place }: StateArchive, to: string): SluiceError {
  return new SluiceError('usage', `${place} was moved to ${to} already: name that one instead.`, {
    moved_to: to,
  });
}
