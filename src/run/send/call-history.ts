// What the calls so far say of the platform: how many enrichments the next one asks for, how long it waits,
// and when sending on is useless.
import type { SluiceError } from '../../model/errors.js';
import type { RunContext } from '../run-context.js';
import { createTroubleCounter } from '../trouble-counter.js';
import { createBatchSize } from './batch-size.js';
import type { BatchFate } from './send-batch.js';

/** Sends of unknown fate in a row after which sending on would only make more of them. */
const UNCERTAIN_IN_A_ROW_MAX = 8;
/** Refused connections and the like in a row, with growing pauses between them. */
const UNSENT_IN_A_ROW_MAX = 5;
/** Throttled in a row, each after the pause that the one before asked for. */
const THROTTLED_IN_A_ROW_MAX = 8;

/** Which failures were known when a call began. */
interface KnownFailures {
  readonly unsent: number;
  readonly throttled: number;
}

export interface CallHistory {
  /** How many enrichments the next call asks for. */
  size(): number;
  pauseMs(): number;
  /** Call before a request is sent; what it returns goes to `note`. */
  begin(): KnownFailures;
  /** Notes what became of a call for `count` enrichments; returns the reason to give up, if it is one. */
  note(whole: BatchFate['whole'], count: number, since: KnownFailures): SluiceError | undefined;
}

export function createCallHistory({
  bulkMax,
  drain,
}: Pick<RunContext, 'bulkMax' | 'drain'>): CallHistory {
  const size = createBatchSize(bulkMax);
  const unsent = createTroubleCounter(UNSENT_IN_A_ROW_MAX);
  const throttled = createTroubleCounter(THROTTLED_IN_A_ROW_MAX);
  const uncertain = createTroubleCounter(UNCERTAIN_IN_A_ROW_MAX);
  return {
    size: () => size.current(),
    pauseMs: () => unsent.pauseMs(),
    begin: () => ({ unsent: unsent.begin(), throttled: throttled.begin() }),
    note(whole, count, since) {
      switch (whole.kind) {
        case 'unsent':
          // What the drain itself kept from being sent says nothing about the platform.
          if (whole.isFinal || (!drain.aborted && unsent.failed(since.unsent)))
            return whole.problem;
          return undefined;
        case 'throttled':
          return !drain.aborted && throttled.failed(since.throttled) ? whole.problem : undefined;
        case 'uncertain':
          size.doubted();
          // Each of these may have been paid for: they count one by one, also where they come together.
          return uncertain.failed(uncertain.begin()) ? whole.problem : undefined;
        case 'refused':
          size.refused(count);
          break;
        case 'answered':
          size.answered();
          break;
      }
      unsent.succeeded();
      throttled.succeeded();
      uncertain.succeeded();
      return undefined;
    },
  };
}
