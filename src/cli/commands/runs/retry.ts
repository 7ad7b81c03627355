// sluice retry RUN: opens a run's failures again.
import { retrying } from '../../../app/state/change-run.js';
import type { RetriedOutcome } from '../../../ports/store/enrichments.js';
import { command, sayDone } from '../../command.js';
import { wrongUse } from '../../misuse.js';
import { findRun, withState } from '../../open-state.js';
import { JSON_OPTION, RUN, STATE_OPTION, text, toggle } from '../../options.js';
import { LOG_OPTION, withLog } from '../../with-log.js';

const OUTCOMES: readonly RetriedOutcome[] = ['not_found', 'failed', 'timed_out', 'uncertain'];

export const retryCommand = command({
  args: { run: RUN },
  options: {
    only: text(
      `The leads to ask again: ${OUTCOMES.join(', ')} (uncertain ones may be paid for twice)`,
      { default: 'failed,timed_out' },
    ),
    'ask-anew': toggle(
      'Ask failed ones again, for the full price; without it their tickets are read again, for free',
    ),
    ...STATE_OPTION,
    ...LOG_OPTION,
    ...JSON_OPTION,
  },
  examples: {
    'sluice retry 3 --only timed_out': 'Ask again, for nothing, for late answers',
    'sluice retry 3 --only not_found': 'Read misses again, for nothing',
  },
  handler: async (args) => {
    const only = args.only.split(',').map((name) => outcomeOf(name.trim()));
    return withLog(args, ({ watch: { observe } }) =>
      withState(args.state, async (store, state) => {
        const run = await findRun(store, state, args.run);
        const wish = { only, askAnew: args['ask-anew'], state, observe };
        const of = { store, run, name: run.job };
        return sayDone(await retrying.perform(of, wish), { run: run.id, job: run.job });
      }),
    );
  },
});

function outcomeOf(name: string): RetriedOutcome {
  const outcome = OUTCOMES.find((known) => known === name);
  if (outcome !== undefined) return outcome;
  throw wrongUse(`--only: "${name}" is none of ${OUTCOMES.join(', ')}.`);
}
