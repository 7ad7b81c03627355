// The parts of the sandbox that a route may use.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dialect } from '../dialect/dialect.js';
import type { FaultGate } from './fault-gate.js';
import type { Faults } from './faults.js';
import type { Account } from './ledger/account.js';
import type { Records } from './ledger/open-records.js';
import type { Traffic } from './traffic.js';
import type { Webhooks } from './webhooks/webhooks.js';

export interface SandboxContext extends Records {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly seed: number;
  readonly moved: number;
  readonly knows: number;
  /** The neutral wire, with what is sold. */
  readonly dialect: Dialect;
  readonly atOnce: boolean;
  readonly account: Account;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  readonly faultGate: FaultGate;
  readonly traffic: Traffic;
  readonly isAuthorised: (headers: IncomingHttpHeaders) => boolean;
}
