// Whether a paid request may still leave. Another process takes over a job whose holder was not heard of.
import { SluiceError } from '../../model/errors.js';
import { shellWord } from '../../model/text/printable.js';
import type { RunContext } from '../run-context.js';

/** As `SubmitOptions.obstacle`: the store is asked. */
export function obstacleTo({ run, store }: Pick<RunContext, 'run' | 'store'>) {
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
