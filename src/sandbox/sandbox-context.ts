// What a route may use. A route added later finds everything here and registers itself in create-server.ts.
import type { Authenticator } from './authenticate.js';
import type { Ledger } from './ledger.js';
import type { Traffic } from './traffic.js';

export interface SandboxContext {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly seed: number;
  readonly ledger: Ledger;
  readonly traffic: Traffic;
  readonly isAuthorised: Authenticator;
}
