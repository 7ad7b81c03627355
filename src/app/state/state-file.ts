// What commands share that open a state file: its signing keys, whether it is new, and what the sandbox keeps beside it.
import { createKeyring } from '../../identity/keyring.js';
import type { Keyring } from '../../model/correlation-key.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { Store } from '../../ports/store/store.js';
import { stateBeside } from '../../store/database/state-file.js';

/** The keys of this state file. `secret` is that of the account's hooks; the state file makes its signing key here. */
export async function openKeyring(
  store: Pick<Store, 'signingKey'>,
  secret?: string,
): Promise<Keyring> {
  return createKeyring(await store.signingKey(), secret);
}

/** Reports a state file with which nothing has run: where its name was mistyped, everything is paid for again. */
export async function reportNewState(
  store: Store,
  path: string,
  observe: RunObserver,
): Promise<void> {
  const runs = await store.listRuns(1);
  if (runs.length === 0) observe({ kind: 'state.new', path, beside: stateBeside(path) });
}

/** Where the sandbox inside a run remembers what it accepted: beside the state file, and no part of it. */
export function sandboxLedgerOf(state: string): string {
  return `${state}-sandbox.ndjson`;
}
