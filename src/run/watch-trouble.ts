// Tells once that the platform does not answer, and once that it does again: a run that goes on asking must not be
// silent about it.
import type { SluiceError } from '../model/errors.js';
import type { BulkAnswer, Platform, ReadAnswer, SubmitAnswer } from '../ports/platform.js';
import type { RunContext } from './run-context.js';
import { createTroubleCounter } from './trouble-counter.js';

/** Failures in a row, of sends and polls together, that are more than a passing trouble; fewer than end the sending. */
const TOLD_AFTER = 4;
const GOES_ON = 'The run goes on asking, less and less often; stopping it loses nothing.';

/** The platform of the run; what it answers is looked at on its way. */
export function watchTrouble({
  clock,
  drain,
  observe,
  platform,
}: Pick<RunContext, 'clock' | 'drain' | 'observe' | 'platform'>): Platform {
  const trouble = createTroubleCounter(TOLD_AFTER);
  let since = 0;
  let isTold = false;

  const failed = (problem: SluiceError, begun: number): void => {
    // What the drain itself kept from being sent says nothing about the platform.
    if (drain.aborted) return;
    if (trouble.pauseMs() === 0) since = clock.now();
    if (!trouble.failed(begun) || isTold) return;
    isTold = true;
    const message = `${problem.logged} ${GOES_ON}`;
    observe({ kind: 'run.warned', warning: 'platform_silent', message });
  };

  const succeeded = (): void => {
    trouble.succeeded();
    if (!isTold) return;
    isTold = false;
    observe({ kind: 'platform.back', durationMs: clock.now() - since });
  };

  const note = <A extends SubmitAnswer | BulkAnswer | ReadAnswer>(answer: A, begun: number): A => {
    switch (answer.kind) {
      case 'uncertain':
        failed(answer.problem, begun);
        break;
      case 'unsent':
      case 'unavailable':
        // A final one ends what asked, and is told by that.
        if (!answer.isFinal) failed(answer.problem, begun);
        break;
      case 'throttled':
        break;
      case 'accepted':
      case 'answered':
      case 'done':
      case 'failed':
      case 'pending':
      case 'refused':
      case 'unknown':
        succeeded();
    }
    return answer;
  };

  return {
    ...platform,
    submit: async (...asked) => {
      const begun = trouble.begin();
      return note(await platform.submit(...asked), begun);
    },
    submitMany: async (...asked) => {
      const begun = trouble.begin();
      return note(await platform.submitMany(...asked), begun);
    },
    read: async (...asked) => {
      const begun = trouble.begin();
      return note(await platform.read(...asked), begun);
    },
  };
}
