// Leases of jobs: who works on each. The holder renews its lease.
//
// A lease has an epoch, and taking it over adds one. A write of the holder checks the epoch first, and locks it until
// its transaction ends: so a holder that was cut off or frozen writes nothing once another process has taken its place.
// Leases go by the server's clock alone.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf, SluiceError } from '../../model/errors.js';
import type { Origin } from '../../model/schedule/limit-words.js';
import type { LockHolder } from '../../ports/store/jobs.js';
import type { BusyJob } from '../../ports/store/state-checkup.js';
import { readJob } from '../jobs.js';
import type { Sql } from '../sql.js';
import { read, type Verbs } from '../verb.js';
import { SERVER_NOW } from './database/schema.js';

export const LEASE_MS = 30_000;
export const RENEW_MS = 5_000;
/** Nothing is sent if the lease ends sooner than this: a request has to leave before another holder can begin. */
export const SEND_MARGIN_MS = 10_000;

export interface Lease {
  readonly job: string;
  readonly epoch: number;
}

interface LeaseRow extends LockHolder, Lease {
  readonly realm: string | null;
  readonly leftMs: number;
}

const LEASES = `SELECT job, epoch, pid, host, realm, since,
    (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS left_ms FROM leases`;
const LEASE = `${LEASES} WHERE job = $1`;

/** Otherwise its holder, and when the lease ends if it is not renewed. */
export async function takeLease(
  sql: Sql,
  job: string,
  { pid, host, since }: LockHolder,
  leaseMs: number,
): Promise<{ readonly lease: Lease } | { readonly holder: LockHolder; readonly leftMs: number }> {
  const values = [job, pid, host, realmOf(), since, leaseMs];
  const made = await sql.value<number>(
    `INSERT INTO leases (job, epoch, pid, host, realm, since, expires_at)
     VALUES ($1, 1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 ms')
     ON CONFLICT DO NOTHING RETURNING epoch`,
    values,
  );
  if (made !== undefined) return { lease: { job, epoch: made } };
  // FOR UPDATE, because FOR KEY SHARE neither waits for nor sees an update of the epoch alone.
  const row = await sql.row<LeaseRow>(`${LEASE} FOR UPDATE`, [job]);
  if (row === undefined) throw new Error(`the lease of ${job} is neither there nor not there`);
  if (row.leftMs > 0 && !isDead(row)) {
    const { host, leftMs, pid, since } = row;
    return { holder: { pid, host, since }, leftMs };
  }
  const taken = await sql.value<number>(
    `UPDATE leases SET epoch = epoch + 1, pid = $2, host = $3, realm = $4, since = $5,
       expires_at = clock_timestamp() + $6 * interval '1 ms'
     WHERE job = $1 RETURNING epoch`,
    values,
  );
  return { lease: { job, epoch: taken as number } };
}

/**
 * Checks the lease before a write of its holder. Until the transaction ends, the lease cannot be taken over, even after
 * its time; its holder can renew it.
 * @throws SluiceError `busy` if another process has it
 */
export async function holdLease(sql: Sql, { epoch, job }: Lease): Promise<void> {
  const row = await sql.row<LeaseRow>(`${LEASE} FOR KEY SHARE`, [job]);
  if (row?.epoch !== epoch) throw isTakenOver(job);
}

function isTakenOver(job: string): SluiceError {
  return new SluiceError(
    'busy',
    `Another process has taken over the job ${job}, because this one was not heard of for ${LEASE_MS / 1_000} s. Nothing more is done here. "sluice status" says whether it goes on there; if not, start it again.`,
  );
}

interface LeaseIn {
  readonly lease: Lease;
  readonly schema: string;
}

/** Renews the lease unless another process has it. It is one statement. */
export async function renewLease(
  sql: Sql,
  { lease: { epoch, job }, schema }: LeaseIn,
  leaseMs: number,
): Promise<void> {
  await sql.run(
    `UPDATE "${schema}".leases SET expires_at = clock_timestamp() + $3 * interval '1 ms' WHERE job = $1 AND epoch = $2`,
    [job, epoch, leaseMs],
  );
}

export async function endLease(sql: Sql, { epoch, job }: Lease): Promise<void> {
  await sql.run('UPDATE leases SET expires_at = clock_timestamp() WHERE job = $1 AND epoch = $2', [
    job,
    epoch,
  ]);
}

/** In ms by the server's clock; 0 if it is another's, or the state was written on another server. One statement. */
export async function leaseLeft(
  sql: Sql,
  { lease: { epoch, job }, schema }: LeaseIn,
): Promise<number> {
  const ms = await sql.value<number>(
    `SELECT (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8
     FROM "${schema}".leases, "${schema}".identity, (${SERVER_NOW}) AS now
     WHERE job = $1 AND epoch = $2 AND identity.server = now.server AND identity.timeline = now.timeline`,
    [job, epoch],
  );
  return Math.max(0, ms ?? 0);
}

/** Undefined before it was read. Each question about the limit needs it, and it stays the same. */
let ownRealm: string | null | undefined;

/** The space in which a pid means one process: one start of a machine, and one namespace of processes in it. */
export function realmOf(): string | null {
  if (ownRealm === undefined) ownRealm = readRealm();
  return ownRealm;
}

function readRealm(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // This system is not Linux.
    return null;
  }
}

/** Whether the holder was a process of this machine that has ended: its lease need not be waited for. */
export function isDead({ host, pid, realm }: Origin): boolean {
  if (realm === null || realm !== realmOf() || host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    // A killed process whose parent has not collected it is still listed (proc(5): Z).
    return /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return ['ESRCH', 'ENOENT'].includes(errnoOf(error) ?? '');
  }
}

async function findHolder(sql: Sql, job: string): Promise<LockHolder | null> {
  const row = await sql.row<LeaseRow>(LEASE, [job]);
  if (row === undefined || row.leftMs <= 0 || isDead(row)) return null;
  return { pid: row.pid, host: row.host, since: row.since };
}

export async function busyJobs(sql: Sql): Promise<BusyJob[]> {
  const held = await sql.rows<LeaseRow>(
    `${LEASES} WHERE expires_at > clock_timestamp() ORDER BY job`,
  );
  return held
    .filter((lease) => !isDead(lease))
    .map(({ job, leftMs, pid, host, since }) => ({ job, holder: { pid, host, since }, leftMs }));
}

export const jobVerbs = {
  jobNow: read(async (sql, job) => {
    const holder = await findHolder(sql, job);
    return { ...(await readJob(sql, job)), isLocked: holder !== null, holder };
  }),
} satisfies Partial<Verbs>;
