// A state file with which nothing has run: where its name was mistyped, everything is paid for again.

import type { RunObserver } from '../model/telemetry/run-event.js';
import type { Store } from '../ports/store/store.js';
import { stateBeside } from '../store/state-beside.js';

/** Tells of it, before anything is sent. */
export async function tellNew(store: Store, path: string, observe: RunObserver): Promise<void> {
  const runs = await store.listRuns(1);
  if (runs.length === 0) observe({ kind: 'state.new', path, beside: stateBeside(path) });
}
