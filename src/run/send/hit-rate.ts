// Ends the sending where the platform finds too little in the first leads that were sent (`stop-below`). Until that is
// decided, no more than these are sent.
import { SluiceError } from '../../model/errors.js';
import { judgeHits } from '../../model/schedule/hit-rate.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import type { RunContext } from '../run-context.js';

export function openHitGate({ run, stopBelow: rate, store }: RunContext) {
  let isDecided = rate === undefined;
  return {
    /**
     * The number of leads that may be sent before the verdict.
     * @throws SluiceError `hit-rate` if it is against the platform
     */
    room: async (): Promise<number> => {
      if (rate === undefined || isDecided) return Number.POSITIVE_INFINITY;
      const first = await store.firstAnswers(run.id, rate.of);
      const { found, missed, open } = first;
      const verdict = judgeHits(rate, first);
      isDecided = verdict === 'enough';
      if (isDecided) return Number.POSITIVE_INFINITY;
      if (verdict === 'open') return rate.of - found - missed - open;
      throw new SluiceError(
        'hit-rate',
        `Of the first ${formatCount(found + missed, 'lead')} that the platform answered, it found something for ${formatNumber(found)}: that is, or will be, less than ${rate.percent} % of the first ${formatNumber(rate.of)}.`,
        {},
        {
          way: `To send the others all the same, lower or remove the key stop-below${run.step === undefined ? '' : ' of the step'} and run again: it continues.`,
        },
      );
    },
  };
}
