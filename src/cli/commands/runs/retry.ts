// sluice retry RUN: puts a run's failures back to work.

import type { RunObserver } from '../../../model/telemetry/run-event.js';
import { printable } from '../../../model/text/printable.js';
import type { RetriedOutcome } from '../../../ports/store/enrichments.js';
import type { Store } from '../../../ports/store/store.js';
import { command, JSON_OPTION, STATE_OPTION, TEXT } from '../../command.js';
import { LOG_OPTION, type LogArguments } from '../../flags/log-option.js';

interface RetryArguments extends LogArguments {
  run: number;
  only: string;
  'ask-anew': boolean;
  state: string | undefined;
  json: boolean;
}

const OUTCOMES: readonly RetriedOutcome[] = ['not_found', 'failed', 'timed_out', 'uncertain'];

export const retryCommand = command<RetryArguments>({
  command: 'retry <run>',
  describe: 'Let the next run of a job read the tickets of a run again, or ask again without one',
  builder: (yargs) =>
    yargs
      .positional('run', { type: 'number', demandOption: true, describe: 'Number of the run' })
      .options({
        only: {
          ...TEXT,
          default: 'failed,timed_out',
          describe: `Which leads: ${OUTCOMES.join(', ')} (uncertain ones may be paid for twice)`,
        },
        'ask-anew': {
          type: 'boolean',
          default: false,
          describe:
            'Ask failed ones anew, for the full price, where else their tickets are read for nothing',
        },
        ...STATE_OPTION,
        ...LOG_OPTION,
        ...JSON_OPTION,
      })
      .example('$0 retry 3 --only timed_out', 'Ask on, for nothing, for what came too late')
      .example('$0 retry 3 --only not_found', 'Read misses once more, for nothing'),
  handler: async (args) => {
    const { findRun, withState } = await import('../../open-state.js');
    const { retryRun } = await import('../../../app/state/change-run.js');
    const { formatCount } = await import('../../print/format.js');
    const only = await parseOutcomes(args.only);
    const { withLog } = await import('../../with-log.js');
    const retry = (observe: RunObserver) => async (store: Store, path: string) => {
      const run = await findRun(store, path, args.run);
      const { queued, awaiting, answered } = await retryRun(store, run, {
        only,
        askAnew: args['ask-anew'],
        state: path,
        observe,
      });
      if (args.json) {
        console.log(
          JSON.stringify({
            run: run.id,
            job: run.job,
            queued,
            awaiting,
            answered,
            credits_max: run.priceMax === undefined ? null : queued * run.priceMax,
          }),
        );
        return;
      }
      const price =
        run.priceMax === undefined
          ? 'which may cost credits'
          : `which costs ${formatCount(queued * run.priceMax, 'credit')} at most`;
      const shared =
        answered === 0
          ? ''
          : ` ${formatCount(answered, 'enrichment')} got an answer from a later run meanwhile: "sluice export ${run.id}" writes it.`;
      console.log(
        printable(
          queued + awaiting === 0
            ? `Run ${run.id} of ${run.job} has nothing to ask for again among ${only.join(', ')}.${shared}`
            : `Run ${run.id} of ${run.job} is open again: ${queued === 0 ? '' : `${formatCount(queued, 'enrichment')} to ask for, ${price}, and `}${formatCount(awaiting, 'ticket')} to read, for nothing. Start it as before; it continues.${shared}`,
        ),
      );
    };
    await withLog(args, ({ watch }) => withState(args.state, retry(watch.observe)));
  },
});

async function parseOutcomes(text: string): Promise<RetriedOutcome[]> {
  const { SluiceError } = await import('../../../model/errors.js');
  const names = text.split(',').map((name) => name.trim());
  return names.map((name) => {
    const outcome = OUTCOMES.find((known) => known === name);
    if (outcome !== undefined) return outcome;
    throw new SluiceError('usage', `--only: "${name}" is none of ${OUTCOMES.join(', ')}.`, {
      flag: 'only',
    });
  });
}
