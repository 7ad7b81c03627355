// Decides whether a paid request may leave: not once another process has taken over the job, nor before an answer was
// read, nor after answers that cannot be read.
import { SluiceError } from '../../model/errors.js';
import { formatCount } from '../../model/text/count.js';
import { shellWord } from '../../model/text/printable.js';
import type { RunContext } from '../run-context.js';

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
    );
  };
}

/** The number of unread answers after which sending on would only add more of them. */
export const UNREAD_MAX = 5;

export function hasManyUnread({ backlog }: RunContext): boolean {
  return backlog.unread >= UNREAD_MAX;
}

export async function firstRoom({ firstBatch, readings, run, store }: RunContext): Promise<number> {
  if (readings.size > 0 || firstBatch === undefined) return Number.POSITIVE_INFINITY;
  const { submitting, awaiting, unread } = await store.work(run.id);
  return Math.max(0, firstBatch - submitting - awaiting - unread);
}

export function unreadProblem({ backlog, readings, run }: RunContext): SluiceError {
  const problem =
    readings.problem ?? new SluiceError('platform', 'Answers came that the dialect cannot read.');
  return problem.amended(
    `Run ${run.id} keeps ${formatCount(backlog.unread, 'answer as it', 'answers as they')} came, and none counts as not found. Correct the dialect and start the job again: it reads them without asking, and without paying again.`,
    { unread: backlog.unread },
  );
}
