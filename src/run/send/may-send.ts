// Decides whether a paid request may still leave. Another process takes over a job whose holder was silent for too
// long.
import { SluiceError } from '../../model/errors.js';
import { shellWord } from '../../model/text/printable.js';
import type { RunContext } from '../run-context.js';

/** Makes `SubmitOptions.obstacle`, which asks the store. */
export function obstacleTo({ run, store }: RunContext) {
  return async (): Promise<SluiceError | null> => {
    try {
      if (await store.maySend()) return null;
    } catch (error) {
      if (error instanceof SluiceError) return error;
      throw error;
    }
    return new SluiceError(
      'busy',
      `Another process has taken over ${run.job}, or could at any moment, because this one was not heard of: nothing more was sent here. To see who works on it: sluice status ${shellWord(run.job)}. If none does, start it again.`,
      { job: run.job, run: run.id },
    );
  };
}
