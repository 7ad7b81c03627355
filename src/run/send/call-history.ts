// The history of the calls so far: how many enrichments the next call asks for, how long it waits, and when sending on
// is useless. A call that is refused as a whole was refused for one of its items, or for its size: nothing of it was
// accepted, so the next calls ask for half as many until the culprit is alone in a call. An uncertain call makes the
// next call small, and the first bulk call is small: few enrichments should become uncertain with it.
import type { SluiceError } from '../../model/errors.js';
import type { RunContext } from '../run-context.js';
import { createTroubleCounter } from '../trouble.js';
import type { SentBatch } from './send-batch.js';

/** The number of uncertain enrichments in a row after which sending on would only add more of them. */
const UNCERTAIN_IN_A_ROW_MAX = 8;
/** Refused connections and the like in a row, with growing pauses between them. */
const UNSENT_IN_A_ROW_MAX = 5;
/** Throttled calls in a row, each after the pause that the last call asked for. */
const THROTTLED_IN_A_ROW_MAX = 8;

const AGAIN = 'The run before ended in the same way, so this one sent a single request.';

export function createCallHistory(context: RunContext) {
  const { backlog, bulkMax, drain, observe, platform, takesSingles } = context;
  let isBulk = bulkMax > 1 || !platform.takesSingle;
  let sizeMax = bulkMax;
  let size = bulkMax;
  let hasAnswered = false;
  let isDoubtful = backlog.isAfterOutage;
  /** Whether a call was answered since the last bulk call without an answer. */
  let isProven = false;
  /** Whether the last call was neither accepted nor refused; undefined before the first. */
  let isOut: boolean | undefined;
  const unsent = createTroubleCounter(UNSENT_IN_A_ROW_MAX);
  const throttled = createTroubleCounter(THROTTLED_IN_A_ROW_MAX);
  const uncertain = createTroubleCounter(UNCERTAIN_IN_A_ROW_MAX);
  const goOnSingly = (problem: SluiceError): void => {
    if (!isBulk) return;
    isBulk = false;
    [size, sizeMax] = [1, 1];
    const message = `${problem.message} It has no bulk call there: the run goes on with one request for each enrichment. To do so from the start: --submit single, or bulk.path: null in the dialect.`;
    observe({ kind: 'run.warned', warning: 'no_bulk_call', message });
  };
  /** A single enrichment must first show that address, credentials and protocol are right, or an outage over. */
  const isUntested = (): boolean => isDoubtful && !hasAnswered;
  /** Call it before a request is sent, and pass its return value to `note`. */
  const begin = () => ({ unsent: unsent.begin(), throttled: throttled.begin() });
  const outage = (problem: SluiceError, isOver: boolean): SluiceError | undefined => {
    isOut = true;
    if (backlog.isAfterOutage && !hasAnswered) return problem.amended(AGAIN);
    return isOver ? problem : undefined;
  };
  return {
    isBulk: () => isBulk,
    isOut: () => isOut,
    /** Whether the next call waits for those under way, and the others for it. */
    isAlone: () => isUntested() || (isBulk && !isProven),
    doubt: (): void => {
      isDoubtful = true;
    },
    size: () => {
      if (isUntested()) return 1;
      return hasAnswered ? size : Math.min(size, UNCERTAIN_IN_A_ROW_MAX);
    },
    pauseMs: () => unsent.pauseMs(),
    begin,
    /** Notes what became of a call for `count` enrichments; returns the reason to give up, if it is one. */
    note(
      whole: SentBatch['whole'],
      count: number,
      since: ReturnType<typeof begin>,
    ): SluiceError | undefined {
      switch (whole.kind) {
        case 'absent':
          if (!takesSingles) return whole.problem;
          goOnSingly(whole.problem);
          return undefined;
        case 'unsent':
          // A request that the drain itself kept back says nothing about the platform.
          if (whole.isFinal) return whole.problem;
          return drain.aborted ? undefined : outage(whole.problem, unsent.failed(since.unsent));
        case 'throttled':
          return !drain.aborted && throttled.failed(since.throttled) ? whole.problem : undefined;
        case 'uncertain':
          size = 1;
          isProven &&= count === 1;
          // Each of them may have been paid for: they count one by one, even if they come together. One call that is
          // lost is no outage.
          return outage(
            whole.problem,
            uncertain.failed(uncertain.begin(), Math.min(count, UNCERTAIN_IN_A_ROW_MAX - 1)),
          );
        case 'refused':
        case 'answered': {
          hasAnswered = true;
          isProven = true;
          isOut = false;
          const isHalved = whole.kind === 'refused' && count > 1;
          // Calls of the old size may still be under way: their answers must not undo what is known.
          size = isHalved ? Math.min(size, Math.ceil(count / 2)) : Math.min(sizeMax, size * 2);
          unsent.succeeded();
          throttled.succeeded();
          uncertain.succeeded();
          return undefined;
        }
      }
    },
  };
}
