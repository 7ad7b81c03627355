// Notes how a run was left before it was finished, for everybody who looks at it later. The process of the run notes
// that once, or the one that cancelled or replaced it; a process that was cut off notes nothing.
import { SluiceError, wrongUse } from '../../../model/errors.js';
import { isOpen, type Run, type RunLeft } from '../../../model/run.js';
import type { RunTally } from '../../../model/tally.js';
import type { Clock } from '../../../ports/clock.js';
import type { Store } from '../../../ports/store/store.js';

/** Called when the process of the run ends. @returns the run as it is now */
export async function noteEnd(
  store: Store,
  id: number,
  { clock, error }: { readonly clock: Clock; readonly error?: unknown },
): Promise<Run> {
  const run = (await store.findRun(id)) as Run;
  const at = clock.now();
  if (isOpen(run.state)) await store.changeRun(id, { left: { at, ...causeOf(error) } });
  else if (run.state === 'cancelled') await noteCancelled(store, id, at);
  return (await store.findRun(id)) as Run;
}

function causeOf(error: unknown): Pick<RunLeft, 'by' | 'said'> {
  if (error === undefined) return { by: 'signal' };
  if (error instanceof SluiceError) return { by: error.code, said: error.logged };
  return { by: 'bug', said: 'This is a bug in Sluice.' };
}

async function noteCancelled(store: Store, id: number, at: number): Promise<RunTally> {
  const tally = await store.tally(id);
  await store.changeRun(id, { left: { at, by: 'cancelled', tally } });
  return tally;
}

/** Returns its numbers at that time. @throws SluiceError `usage` if it has ended */
export async function cancelRun(store: Store, run: Run, at: number): Promise<RunTally> {
  const { id } = run;
  if (await store.endRun(id, 'cancelled', at)) return noteCancelled(store, id, at);
  const { state } = (await store.findRun(id)) ?? run;
  const message = `Run ${id} is ${state}: there is nothing to cancel.`;
  throw wrongUse(message);
}
