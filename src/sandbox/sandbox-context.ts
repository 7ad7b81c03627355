// What a route may use. A route added later finds everything here and registers itself in create-server.ts.
import type { Dialect } from '../dialect/dialect.js';
import type { Activities } from './activities/activities.js';
import type { FaultGate } from './create-fault-gate.js';
import type { Authenticator } from './create-gate.js';
import type { Faults } from './faults.js';
import type { Account } from './ledger/account.js';
import type { Ledger } from './ledger/ledger.js';
import type { ListRegister } from './ledger/list-register.js';
import type { Traffic } from './traffic.js';
import type { HookRegister } from './webhooks/hook-register.js';
import type { Webhooks } from './webhooks/webhooks.js';

export interface SandboxContext {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly seed: number;
  readonly dialect: Dialect;
  readonly ledger: Ledger;
  readonly account: Account;
  readonly lists: ListRegister;
  readonly hooks: HookRegister;
  readonly activities: Activities;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  readonly faultGate: FaultGate;
  readonly traffic: Traffic;
  readonly isAuthorised: Authenticator;
}
