// Notes how a run was left before it was finished, for everybody who looks at it later. The process of the run notes
// that once, or the one that cancelled or replaced it; a process that was cut off notes nothing.
import { SluiceError } from '../../../model/errors.js';
import { isOpen, type Run, type RunLeft } from '../../../model/run.js';
import type { Clock } from '../../../ports/clock.js';
import type { Store } from '../../../ports/store/store.js';

/**
 * Called when the process of the run ends, because an error has stopped it, or it was told to.
 * @returns the run as it is now
 */
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

/** Cancels a run; false if it had ended. */
export async function cancelRun(store: Store, id: number, at: number): Promise<boolean> {
  const isCancelled = await store.cancelRun(id, at);
  if (isCancelled) await noteCancelled(store, id, at);
  return isCancelled;
}
