// The stores of a plan, which leaves nothing behind: the state if there is one, and others that are removed with it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../ports/store/store.js';
import { isStateThere, openStore } from '../../store/open-store.js';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.js';
import { openScratch } from '../../store/sqlite/scratch.js';

export interface PlanStores extends AsyncDisposable {
  /** Undefined if there is no state yet. */
  readonly state: Store | undefined;
  /** The state, or an empty store in its place. */
  readonly store: Store;
  /** An empty store to be thrown away. */
  readonly scratch: Store;
  /** The digests that a count of the plan has seen. */
  readonly seen: ReturnType<typeof openScratch>;
}

export async function openPlanStores(place: string): Promise<PlanStores> {
  const state = isStateThere(place) ? await openStore(place) : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-plan-'));
  const scratch = openSqliteStore(join(folder, 'scratch.db'));
  const seen = openScratch();
  return {
    state,
    store: state ?? scratch,
    scratch,
    seen,
    [Symbol.asyncDispose]: async () => {
      seen.close();
      await scratch.close();
      await state?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
