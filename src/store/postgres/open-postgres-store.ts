import { SluiceError } from '../../model/errors.js';
import type { LockHolder } from '../../ports/store/jobs.js';
import type { JobLock, Store } from '../../ports/store/store.js';
import { forget } from '../maintenance/forget.js';
import { prune } from '../maintenance/prune.js';
import { sizeVerbs } from '../maintenance/size.js';
import { readMark, refuseHalf, refuseMoved } from '../moved.js';
import { callsOf, type Verbs, write } from '../verb.js';
import { verbsOf } from '../verbs.js';
import { askOnceForAll } from './ask-once-for-all.js';
import { backupSaid, parseDatabaseAddress } from './database/address.js';
import {
  type Database,
  type DatabaseOptions,
  dropTokens,
  openDatabase,
  type Sql,
} from './database/database.js';
import { checkSchema, migrate } from './database/schema.js';
import {
  endLease,
  holdLease,
  jobVerbs,
  LEASE_MS,
  type Lease,
  leaseLeft,
  RENEW_MS,
  renewLease,
  SEND_MARGIN_MS,
  takeLease,
} from './jobs.js';
import { limitVerbs } from './limit.js';
import { diskOf, measure } from './maintenance/disk.js';
import {
  checkSending,
  lookAtServer,
  refuseOtherServer,
  type ServerLook,
  trustServer,
} from './sending.js';

export { openPostgresArchive } from './archive.js';
export { troubleOf, whyAway } from './database/failures.js';

const VERBS = {
  ...verbsOf(null),
  ...jobVerbs,
  ...limitVerbs,
  ...sizeVerbs(measure),
  // Every write adds a token (database.ts), and fails if the database cannot be written.
  checkWriting: write(async () => {}),
} satisfies Partial<Verbs>;

export interface PostgresStoreOptions extends DatabaseOptions {
  readonly leaseMs?: number;
  /** This machine's clock, which has to agree with the server's. */
  readonly now?: () => number;
}

type LockTerms = Required<Pick<PostgresStoreOptions, 'leaseMs' | 'now'>>;

/** @throws SluiceError `store`; `usage` for an address that cannot be used */
export async function openPostgresStore(
  address: string,
  { leaseMs = LEASE_MS, now = Date.now, ...options }: PostgresStoreOptions = {},
): Promise<Store> {
  const database = openDatabase(parseDatabaseAddress(address), options);
  try {
    const mark = await checkSchema(database);
    refuseHalf(database.shown, mark);
    return { ...storeOf(database, undefined, { leaseMs, now }), movedTo: mark.movedTo };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The store. If a lease is given, writes are refused once another process has it. */
function storeOf(database: Database, lease: Lease | undefined, terms: LockTerms): Store {
  const disk = diskOf(database);
  const refuseIfMoved = async (sql: Sql): Promise<void> =>
    refuseMoved(database.shown, await readMark(sql));
  const unmoved: Database = {
    ...database,
    perform: (work, how) => database.perform(work, { ...how, guard: refuseIfMoved }),
  };
  const calls = callsOf(VERBS, ({ kind, marks }) => {
    const isBounded = marks.includes('hot') || marks.includes('bounded');
    if (kind === 'read') return (work) => database.perform(work, { kind: 'snapshot', isBounded });
    const guard = async (sql: Sql): Promise<void> => {
      // A state is not moved while a job is locked, and the move ends leases that are over.
      if (lease !== undefined && !marks.includes('unfenced')) await holdLease(sql, lease);
      else await refuseIfMoved(sql);
      if (marks.includes('paying')) await refuseOtherServer(sql, database.shown);
    };
    const isBrief = marks.includes('brief');
    return (work) => database.perform(work, { kind, guard, isBounded, isBrief });
  });
  return {
    movedTo: null,
    ...calls,
    lockJob: (job, holder) => lockJob(database, job, holder, terms),
    maySend:
      lease === undefined
        ? () => Promise.resolve(true)
        : askOnceForAll(() => maySend(database, lease, terms.leaseMs)),
    forget: (...args) => forget(unmoved, disk, ...args),
    prune: (...args) => prune(unmoved, disk, ...args),
    backup: (path) => Promise.reject(backupSaid(database, path)),
    close: () => database.close(),
  };
}

async function lockJob(
  database: Database,
  job: string,
  holder: LockHolder,
  terms: LockTerms,
): Promise<JobLock> {
  const { leaseMs, now } = terms;
  await checkSending(database, now);
  const take = async (sql: Sql) => {
    refuseMoved(database.shown, await readMark(sql));
    return takeLease(sql, job, holder, leaseMs);
  };
  const taken = await database.perform(take, { kind: 'write' });
  if ('holder' in taken) return { kind: 'busy', ...taken };
  const { lease } = taken;
  let renewing: Promise<unknown> | undefined;
  const keep = async (): Promise<void> => {
    await renewNow(database, lease, leaseMs);
    await database.perform((sql) => dropTokens(sql, database.schema), { kind: 'statement' });
  };
  const renew = (): void => {
    // If renewing fails, the lease ends, and the next write says why.
    renewing ??= keep()
      .catch(() => undefined)
      .finally(() => {
        renewing = undefined;
      });
  };
  const timer = setInterval(renew, Math.min(RENEW_MS, leaseMs / 3)).unref();
  return {
    kind: 'taken',
    store: storeOf(database, lease, terms),
    release: async () => {
      clearInterval(timer);
      await renewing;
      // If the database is gone, the lease ends by itself.
      await database.perform((sql) => endLease(sql, lease), { kind: 'write' }).catch(passOver);
    },
  };
}

function passOver(error: unknown): void {
  if (!(error instanceof SluiceError)) throw error;
}

/** A lease that ended while the database was gone is renewed first, unless another process has it. */
async function maySend(database: Database, lease: Lease, leaseMs: number): Promise<boolean> {
  if (await isLeft(database, lease)) return true;
  await renewNow(database, lease, leaseMs);
  if (await isLeft(database, lease)) return true;
  // A lease on another server does not count either, for another reason.
  await database.perform((sql) => refuseOtherServer(sql, database.shown), { kind: 'snapshot' });
  return false;
}

async function renewNow(database: Database, lease: Lease, leaseMs: number): Promise<void> {
  const { schema } = database;
  await database.perform((sql) => renewLease(sql, { lease, schema }, leaseMs), {
    kind: 'statement',
  });
}

/** The time of the question counts, also by the wall clock: the other clock stops while a machine sleeps. */
async function isLeft(database: Database, lease: Lease): Promise<boolean> {
  const [since, sinceAt] = [performance.now(), Date.now()];
  const { schema } = database;
  const look = (sql: Sql) => leaseLeft(sql, { lease, schema });
  const leftMs = await database.perform(look, { kind: 'statement' });
  const tookMs = Math.max(performance.now() - since, Math.abs(Date.now() - sinceAt));
  return leftMs - tookMs > SEND_MARGIN_MS;
}

/** Returns how many steps it took. */
export async function migrateDatabase(address: string): Promise<number> {
  return withDatabase(address, migrate);
}

/** Returns whether that was another server before. Throws SluiceError `store`. */
export async function trustDatabase(address: string): Promise<boolean> {
  return withDatabase(address, async (database) => {
    await checkSchema(database);
    return database.perform(trustServer, { kind: 'write' });
  });
}

export { openCheckup } from './state-checkup.js';

/** @throws SluiceError `store` */
export async function examineServer(address: string): Promise<ServerLook> {
  return withDatabase(address, lookAtServer);
}

async function withDatabase<R>(
  address: string,
  work: (database: Database) => Promise<R>,
): Promise<R> {
  const database = openDatabase(parseDatabaseAddress(address));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
