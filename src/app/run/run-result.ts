// How the work on a run ended, in one word: for logs and metrics.
import { SluiceError } from '../../model/errors.js';
import { type RunTally, unansweredLeads } from '../../model/tally.js';
import type { RunResult } from '../../model/telemetry/run-events.js';
import { ClosedPipe } from '../../output/closed-pipe.js';

/** `problem` is what stopped it; `isFinished` tells one that came to its end from one that drained. */
export function runResult(problem: unknown, isFinished: boolean, tally?: RunTally): RunResult {
  // Nobody reads the table any more: not an error.
  if (problem instanceof ClosedPipe) return 'ok';
  if (problem !== undefined) return problem instanceof SluiceError ? problem.code : 'bug';
  if (!isFinished) return 'stopped';
  return tally !== undefined && unansweredLeads(tally) > 0 ? 'unanswered' : 'ok';
}
