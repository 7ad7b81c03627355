// sluice retry RUN: opens a run's failures again.
import { retryRun } from '../../../app/state/change-run.js';
import { timesCredits } from '../../../model/credits.js';
import type { RetriedOutcome } from '../../../ports/store/enrichments.js';
import { command, JSON_OPTION, RUN, STATE_OPTION, SWITCH, TEXT } from '../../command.js';
import { wrongFlag } from '../../misuse.js';
import { findRun, withState } from '../../open-state.js';
import { formatCount } from '../../print/format.js';
import { LOG_OPTION, withLog } from '../../with-log.js';

const OUTCOMES: readonly RetriedOutcome[] = ['not_found', 'failed', 'timed_out', 'uncertain'];

export const retryCommand = command({
  builder: (yargs) =>
    yargs
      .positional('run', RUN)
      .options({
        only: {
          ...TEXT,
          default: 'failed,timed_out',
          describe: `The leads to ask again: ${OUTCOMES.join(', ')} (uncertain ones may be paid for twice)`,
        },
        'ask-anew': {
          ...SWITCH,
          describe:
            'Ask failed ones anew, for the full price; without it their tickets are read again, for nothing',
        },
        ...STATE_OPTION,
        ...LOG_OPTION,
        ...JSON_OPTION,
      })
      .example('$0 retry 3 --only timed_out', 'Ask again, for nothing, for late answers')
      .example('$0 retry 3 --only not_found', 'Read misses again, for nothing'),
  handler: async (args) => {
    const only = args.only.split(',').map((name) => outcomeOf(name.trim()));
    return withLog(args, ({ watch: { observe } }) =>
      withState(args.state, async (store, state) => {
        const run = await findRun(store, state, args.run);
        const wish = { only, askAnew: args['ask-anew'], state, observe };
        const { queued, awaiting, answered } = await retryRun(store, run.id, wish);
        const { id, job, priceMax, arePricesAssumed } = run;
        const creditsMax = priceMax === undefined ? null : timesCredits(priceMax, queued);
        const price =
          creditsMax === null
            ? 'which may cost credits'
            : `which costs ${formatCount(creditsMax, 'credit')} at most${arePricesAssumed ? ' (prices assumed)' : ''}`;
        const asks =
          queued === 0 ? '' : `${formatCount(queued, 'enrichment')} to ask for, ${price}, and `;
        const shared =
          answered === 0
            ? ''
            : ` ${formatCount(answered, 'enrichment')} got an answer from a later run meanwhile: "sluice export ${id}" writes it.`;
        return {
          json: { run: id, job, queued, awaiting, answered, credits_max: creditsMax },
          lines:
            queued + awaiting === 0
              ? `Run ${id} of ${job} has nothing to ask for again among ${only.join(', ')}.${shared}`
              : `Run ${id} of ${job} is open again: ${asks}${formatCount(awaiting, 'ticket')} to read, for nothing. Start it as before; it continues.${shared}`,
        };
      }),
    );
  },
});

function outcomeOf(name: string): RetriedOutcome {
  const outcome = OUTCOMES.find((known) => known === name);
  if (outcome !== undefined) return outcome;
  throw wrongFlag(`--only: "${name}" is none of ${OUTCOMES.join(', ')}.`);
}
