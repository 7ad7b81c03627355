// The dialect that is spoken at an address: a sandbox has the neutral wire, and sells what the dialect does.
import type { Dialect } from '../../dialect/dialect.js';
import { sandboxDialect } from '../../dialect/sandbox-dialect.js';
import { SANDBOX_URL } from '../settings/environment.js';

interface Where {
  readonly url?: string | undefined;
  /** Whether the job says that a sandbox is at this address. */
  readonly sandbox?: boolean | undefined;
}

export function isSandbox({ sandbox = false, url }: Where): boolean {
  return sandbox || url === SANDBOX_URL;
}

export function dialectAt(where: Where, dialect: Dialect): Dialect {
  return isSandbox(where) ? sandboxDialect(dialect) : dialect;
}
