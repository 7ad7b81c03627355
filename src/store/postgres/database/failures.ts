// The codes of failures of PostgreSQL and of the network, and what each means for a verb (postgresql.org/docs, Appendix
// A).
import { errnoOf, SluiceError } from '../../../model/errors.js';

interface Coded {
  readonly message?: string;
  readonly role?: string | undefined;
}

const DENIED = '42501';

/** An error before the connection was made. Its cause is the server, the network or the setup, and no bug. */
export class NoConnection extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super((cause as Coded).message, { cause });
    this.code = errnoOf(cause) ?? '08001';
  }
}

export function noteRole(error: unknown, role: string | undefined): void {
  if (errnoOf(error) === DENIED) Object.assign(error as Error, { role });
}

/** The codes of lost connections beside class 08: the server's, then the system's. */
const LOST: ReadonlySet<string> = new Set(
  [
    '57P01 57P02 57P03 57P05 25P03 25006 53300',
    'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOENT EAI_AGAIN',
  ].flatMap((codes) => codes.split(' ')),
);

/**
 * Whether the connection or the server is gone, or the server takes no writes any more: uncommitted work is undone. A
 * connection that is cut fails without a code.
 */
export function isLost(error: unknown): boolean {
  if (error instanceof SluiceError) return false;
  const code = errnoOf(error);
  if (code === undefined) return error instanceof Error && isFromDriver(error);
  return code.startsWith('08') || LOST.has(code);
}

/** A clause that says why a database cannot be opened now but may be later; null if waiting does not help. */
export function whyAway(error: unknown): string | null {
  const cause = error instanceof SluiceError ? error.cause : undefined;
  return cause instanceof Error && isLost(cause) ? reasonOf(cause) : null;
}

/** Whether the message is one of `pg`, for a socket that ended or did not answer in time. */
function isFromDriver({ message }: Error): boolean {
  return /connection terminated|timeout|connection ended|client has encountered a connection error|not queryable/i.test(
    message,
  );
}

export function isReadOnly(error: unknown): boolean {
  return errnoOf(error) === '25006';
}

/** Whether PostgreSQL has undone the transaction because of another one, so that it can be performed again. */
export function isConflict(error: unknown): boolean {
  const code = errnoOf(error);
  return code === '40001' || code === '40P01';
}

export const NO_PASSWORD = {
  code: '28P01',
  words: 'the password is wrong, or none was given (PGPASSWORD, ~/.pgpass)',
} as const;

const WORDS: Readonly<Record<string, string>> = {
  [NO_PASSWORD.code]: NO_PASSWORD.words,
  '28000': 'no rule of the pg_hba.conf of the server admits this user',
  '3D000': 'there is no such database',
  '53100': 'its disk is full',
  '53200': 'it is out of memory',
  '53300': 'it has no connection left: too many clients',
  '25006': 'it takes no writes: it is a standby, or read-only',
  '57P01': 'it was stopped',
  '57P03': 'it is starting or stopping',
  '57014': 'a statement took too long',
  '55P03': 'a lock was not free in time',
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'there is no host of that name',
};

export function reasonOf(error: unknown, isSetup = false): string {
  const code = errnoOf(error);
  if (code === DENIED) {
    const { message, role = 'of this user' } = error as Coded;
    const who = isSetup
      ? 'only the owner of the database can make its tables, and has to say: sluice state migrate'
      : 'docs/several-machines.md says what it needs, under Rights';
    return `the role ${role} may not do that (${message}): ${who}`;
  }
  const known = code === undefined ? undefined : WORDS[code];
  return known ?? `the connection failed (${(error as Coded).message ?? code ?? 'unknown'})`;
}

/** As `reasonOf`; undefined for errors of our own, and for bugs. */
export function troubleOf(error: unknown, isSetup = false): string | undefined {
  if (error instanceof SluiceError) return undefined;
  const code = errnoOf(error);
  const isKnown = code === DENIED || (code !== undefined && WORDS[code] !== undefined);
  if (!isKnown && !(error instanceof NoConnection) && !isLost(error)) return undefined;
  return reasonOf(error, isSetup);
}

export function toStoreError(error: unknown, shown: string, isSetup = false): unknown {
  const trouble = troubleOf(error, isSetup);
  if (trouble === undefined) return error;
  return new SluiceError(
    'store',
    `The database ${shown} cannot be used: ${trouble}. Fix that and run the same command again: it continues.`,
    {},
    { cause: error },
  );
}
