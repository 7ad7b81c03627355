// Counts failures in a row: pauses grow with them, after some number going on is useless, and the user is told of a
// platform that does not answer. Requests that were under way together and failed together count as one failure.
import type { SluiceError } from '../model/errors.js';
import type { RequestKind } from '../model/schedule/rate.js';
import type { BulkAnswer, Platform, ReadAnswer, SubmitAnswer } from '../ports/platform.js';
import type { RunContext } from './run-context.js';

const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 30_000;
/** Of sends and polls together: more than a passing trouble; fewer than end the sending. */
const REPORTED_AFTER = 4;
const GOES_ON = 'The run goes on asking, less and less often; stopping it loses nothing.';

export function createTroubleCounter(inARowMax: number) {
  let inARow = 0;
  let noted = 0;
  return {
    /** Call it before a request is sent, and pass its return value to `failed`: which failures were known by then. */
    begin: () => noted,
    /** Notes a failure, unless another was noted since `begin`; true if there were too many in a row. */
    failed: (since: number, times = 1): boolean => {
      if (since === noted) {
        noted += 1;
        inARow += times;
      }
      return inARow >= inARowMax;
    },
    succeeded: (): void => {
      inARow = 0;
    },
    /** How long to wait before the next attempt; 0 without a failure. */
    pauseMs: () => (inARow === 0 ? 0 : Math.min(PAUSE_MS_MIN * 2 ** (inARow - 1), PAUSE_MS_MAX)),
  };
}

export async function slowDown(
  { clock, drain, observe }: RunContext,
  request: RequestKind,
  pauseMs: number,
): Promise<void> {
  if (pauseMs === 0) return;
  observe({ kind: 'requests.slowed', request, pauseMs });
  await clock.sleep(pauseMs, drain);
}

type Answer = SubmitAnswer | BulkAnswer | ReadAnswer;

export function watchTrouble({ clock, drain, observe, platform }: RunContext): Platform {
  const trouble = createTroubleCounter(REPORTED_AFTER);
  let since = 0;
  let isReported = false;

  const failed = (problem: SluiceError, begun: number): void => {
    // A request that the drain itself kept back says nothing about the platform.
    if (drain.aborted) return;
    if (trouble.pauseMs() === 0) since = clock.now();
    if (!trouble.failed(begun) || isReported) return;
    isReported = true;
    const message = `${problem.logged} ${GOES_ON}`;
    observe({ kind: 'run.warned', warning: 'platform_silent', message });
  };

  const succeeded = (): void => {
    trouble.succeeded();
    if (!isReported) return;
    isReported = false;
    observe({ kind: 'platform.back', durationMs: clock.now() - since });
  };

  const watched =
    <Q extends unknown[], A extends Answer | readonly Answer[]>(
      ask: (...question: Q) => Promise<A>,
    ) =>
    async (...question: Q): Promise<A> => {
      const begun = trouble.begin();
      const answer = await ask(...question);
      // All answers to one read are parts of one.
      const [first] = [answer].flat() as Answer[];
      const found = first && troubleIn(first);
      if (found === 'none') succeeded();
      else if (found !== undefined) failed(found, begun);
      return answer;
    };

  return {
    ...platform,
    submit: watched((...question) => platform.submit(...question)),
    submitMany: watched((...question) => platform.submitMany(...question)),
    readAll: watched((...question) => platform.readAll(...question)),
  };
}

function troubleIn(answer: Answer): SluiceError | 'none' | undefined {
  switch (answer.kind) {
    case 'uncertain':
      return answer.problem;
    case 'unavailable':
      // A final failure ends the step that asked, and that step reports it.
      return answer.isFinal || answer.isThrottled === true ? undefined : answer.problem;
    case 'unsent':
      return answer.isFinal ? undefined : answer.problem;
    case 'absent':
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
