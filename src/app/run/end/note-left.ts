// How a run was left before it was finished: what its process, or who cancelled or replaced it, says of that once, for
// everybody who looks at the run later. A process that was cut off says nothing.
import { SluiceError } from '../../../model/errors.js';
import { isOpen, type Run, type RunLeft } from '../../../model/run.js';
import type { Clock } from '../../../ports/clock.js';
import type { Store } from '../../../ports/store/store.js';

/** The process of the run ends: an error has stopped it, or it was told to. @returns the run as it is now */
export async function noteEnd(
  store: Store,
  id: number,
  { clock, error }: { readonly clock: Clock; readonly error?: unknown },
): Promise<Run> {
  const run = (await store.findRun(id)) as Run;
  const at = clock.now();
  if (isOpen(run.state)) await store.noteLeft(id, { at, ...causeOf(error) });
  else if (run.state === 'cancelled') await noteCancelled(store, id, at);
  return (await store.findRun(id)) as Run;
}

function causeOf(error: unknown): Pick<RunLeft, 'by' | 'said'> {
  if (error === undefined) return { by: 'signal' };
  if (error instanceof SluiceError) return { by: error.code, said: error.logged };
  return { by: 'bug', said: 'This is a bug in Sluice.' };
}

async function noteCancelled(store: Store, id: number, at: number): Promise<void> {
  await store.noteLeft(id, { at, by: 'cancelled', tally: await store.tally(id) });
}

/** False where the run had ended. */
export async function cancelRun(store: Store, id: number, at: number): Promise<boolean> {
  const isCancelled = await store.cancelRun(id, at);
  if (isCancelled) await noteCancelled(store, id, at);
  return isCancelled;
}
