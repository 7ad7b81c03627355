// Helpers of commands that open a state.
import { dirname, join } from 'node:path';
import { DEFAULTS } from '../../config/defaults.js';
import { digestHex } from '../../identity/digest.js';
import { createKeyring } from '../../identity/keyring.js';
import type { Keyring } from '../../model/correlation-key.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';
import { isDatabase } from '../../store/open-store.js';
import { isRemoteFile, stateBeside } from '../../store/sqlite/database/state-file.js';

/** Creates the state's signing key if needed. `secret` is that of the account's hooks. */
export async function openKeyring(store: Store, secret?: string): Promise<Keyring> {
  return createKeyring(await store.signingKey(), secret);
}

/** Reports that a database has gone, and that it is back: once, however many operations wait for it. */
export function watchDatabase(
  observe: RunObserver,
  clock: Pick<Clock, 'now'>,
): (why: string | null) => void {
  let goneAt: number | undefined;
  return (why) => {
    if (why === null) {
      if (goneAt !== undefined) observe({ kind: 'state.back', durationMs: clock.now() - goneAt });
      goneAt = undefined;
    } else if (goneAt === undefined) {
      goneAt = clock.now();
      const message = `The database has gone: ${why}. It is waited for; nothing that was paid for is lost.`;
      observe({ kind: 'run.warned', warning: 'database_gone', message });
    }
  };
}

/** Reports a state without runs: if its name was mistyped, everything is paid for again. */
export async function reportNewState(
  store: Store,
  path: string,
  observe: RunObserver,
  isRemote: (path: string) => boolean = isRemoteFile,
): Promise<void> {
  const runs = await store.listRuns(1);
  if (runs.length > 0) return;
  const ofFile = isDatabase(path)
    ? { beside: null, isRemote: false }
    : { beside: stateBeside(path), isRemote: isRemote(path) };
  observe({ kind: 'state.new', path, ...ofFile });
}

/** For a database that of the default state file, in the folder where the command is started. */
export function folderBeside(state: string): string {
  return dirname(isDatabase(state) ? DEFAULTS.state : state);
}

export function sandboxLedgerOf(state: string): string {
  if (!isDatabase(state)) return `${state}-sandbox.ndjson`;
  return join(folderBeside(state), `${digestHex(state).slice(0, 12)}-sandbox.ndjson`);
}
