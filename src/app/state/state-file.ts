// Helpers of commands that open a state file: its signing keys, whether it is new, and the sandbox's ledger beside it.
import { createKeyring } from '../../identity/keyring.js';
import type { Keyring } from '../../model/correlation-key.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { Store } from '../../ports/store/store.js';
import { stateBeside } from '../../store/database/state-file.js';

/**
 * The keys of this state file, which creates its signing key if needed. `secret` is the secret of the account's hooks.
 */
export async function openKeyring(
  store: Pick<Store, 'signingKey'>,
  secret?: string,
): Promise<Keyring> {
  return createKeyring(await store.signingKey(), secret);
}

/** Reports a state file without runs: if its name was mistyped, everything is paid for again. */
export async function reportNewState(
  store: Store,
  path: string,
  observe: RunObserver,
): Promise<void> {
  const runs = await store.listRuns(1);
  if (runs.length === 0) observe({ kind: 'state.new', path, beside: stateBeside(path) });
}

/** The file beside the state file in which the sandbox of a run remembers what it accepted. */
export function sandboxLedgerOf(state: string): string {
  return `${state}-sandbox.ndjson`;
}
