// Tells once that the platform does not answer, and once that it does again: a run that goes on asking must not be
// silent about it.
import type { SluiceError } from '../model/errors.js';
import type { BulkAnswer, Platform, ReadAnswer, SubmitAnswer } from '../ports/platform.js';
import type { RunContext } from './run-context.js';
import { createTroubleCounter } from './trouble-counter.js';

/** Failures in a row, of sends and polls together, that are more than a passing trouble; fewer than end the sending. */
const TOLD_AFTER = 4;
const GOES_ON = 'The run goes on asking, less and less often; stopping it loses nothing.';

type Answer = SubmitAnswer | BulkAnswer | ReadAnswer;

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

  const watched =
    <Q extends unknown[], A extends Answer>(ask: (...question: Q) => Promise<A>) =>
    async (...question: Q): Promise<A> => {
      const begun = trouble.begin();
      const answer = await ask(...question);
      const found = troubleOf(answer);
      if (found === 'none') succeeded();
      else if (found !== undefined) failed(found, begun);
      return answer;
    };

  return {
    ...platform,
    submit: watched((...question) => platform.submit(...question)),
    submitMany: watched((...question) => platform.submitMany(...question)),
    read: watched((...question) => platform.read(...question)),
  };
}

/** The trouble that an answer tells of; undefined where it says neither that there is some nor that there is `none`. */
function troubleOf(answer: Answer): SluiceError | 'none' | undefined {
  switch (answer.kind) {
    case 'uncertain':
      return answer.problem;
    case 'unsent':
    case 'unavailable':
      // A final one ends what asked, and is told by that.
      return answer.isFinal ? undefined : answer.problem;
    case 'throttled':
      return undefined;
    case 'accepted':
    case 'answered':
    case 'done':
    case 'failed':
    case 'pending':
    case 'refused':
    case 'unknown':
      return 'none';
  }
}
