// What a route may use. A route added later finds everything here and registers itself in create-server.ts.
import type { Dialect } from '../dialect/dialect.js';
import type { Account } from './account.js';
import type { Activities } from './activities/activities.js';
import type { Authenticator } from './authenticate.js';
import type { FaultGate } from './faults/create-fault-gate.js';
import type { Faults } from './faults/faults.js';
import type { Ledger } from './ledger/ledger.js';
import type { ListRegister } from './lists/list-register.js';
import type { Traffic } from './traffic/traffic.js';
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
