// The state file for commands that only look: it must be there already.
import { existsSync } from 'node:fs';
import { JOB_DEFAULTS } from '../app/job-settings.js';
import { SluiceError } from '../model/errors.js';
import type { Run } from '../model/run.js';
import type { Store } from '../ports/store/store.js';
import { openSqliteStore } from '../store/open-sqlite-store.js';
import { commandEnvironment } from './command-environment.js';

/** Opens the state file of `--state`, SLUICE_STATE or the default, and closes it after `work`. */
export async function withState(
  flag: string | undefined,
  work: (store: Store, path: string) => Promise<void>,
): Promise<void> {
  const path = flag ?? commandEnvironment().state ?? JOB_DEFAULTS.state;
  if (!existsSync(path)) {
    throw new SluiceError(
      'store',
      `There is no state file ${path} yet: nothing has run with it. Name another with --state.`,
      { path },
    );
  }
  const store = openSqliteStore(path);
  try {
    await work(store, path);
  } finally {
    await store.close();
  }
}

/** The run of that number, or the newest where none is given. */
export async function findRun(store: Store, path: string, id: number | undefined): Promise<Run> {
  if (id !== undefined && !Number.isSafeInteger(id)) {
    throw new SluiceError('usage', 'A run is named by its number; "sluice runs" lists them.');
  }
  const run = id === undefined ? (await store.listRuns(1))[0] : await store.findRun(id);
  if (run !== undefined && run !== null) return run;
  throw new SluiceError(
    'usage',
    id === undefined
      ? `Nothing has run with the state file ${path} yet.`
      : `There is no run ${id} in ${path}. "sluice runs" lists those there are.`,
    { path, run: id ?? null },
  );
}
