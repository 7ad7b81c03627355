// sluice retry RUN: opens a run's failures again.

import { existsSync } from 'node:fs';
import { retrying } from '../../../app/state/change-run.js';
import { wrongUse } from '../../../model/errors.js';
import type { RetriedOutcome } from '../../../ports/store/enrichments.js';
import { command, say, sayDone } from '../../command.js';
import { findRun, withState } from '../../open-state.js';
import { JSON_OPTION, RUN, STATE_OPTION, text, toggle } from '../../options.js';
import { LOG_OPTION, withLog } from '../../with-log.js';
import { runCommand } from './run.js';

const OUTCOMES: readonly RetriedOutcome[] = ['not_found', 'failed', 'timed_out', 'uncertain'];

export const retryCommand = command({
  args: { run: RUN },
  options: {
    only: text(
      `The leads to ask again: ${OUTCOMES.join(', ')} (uncertain ones may be paid for twice)`,
      { default: 'failed,timed_out' },
    ),
    'ask-anew': toggle(
      'Ask failed ones again, for the full price; without it their answers are read again, for free',
    ),
    go: toggle('Then start its job, which must be in jobs/; --json prints what that prints'),
    ...STATE_OPTION,
    ...LOG_OPTION,
    ...JSON_OPTION,
  },
  examples: {
    'sluice retry 3 --only timed_out': 'Ask again, for nothing, for late answers',
    'sluice retry 3 --only not_found': 'Read the answers of misses again, for nothing',
    'sluice retry 3 --go': 'Open its failures again, and start its job',
  },
  handler: async (args) => {
    const only = args.only.split(',').map((name) => outcomeOf(name.trim()));
    const done = await withLog(args, ({ watch: { observe } }) =>
      withState(args.state, async (store, state) => {
        const run = await findRun(store, state, args.run);
        if (args.go && !existsSync(`jobs/${run.job}.yaml`)) {
          throw wrongUse(
            `--go starts a job of the folder jobs/, and there is no jobs/${run.job}.yaml: retry without --go, then start ${run.job} as before.`,
          );
        }
        const wish = { only, askAnew: args['ask-anew'], state, observe };
        const { data, ...told } = await retrying.perform({ store, run, name: run.job }, wish);
        const said = sayDone({ ...told, data }, { run: run.id, job: run.job });
        return { said, job: run.job, state, isOpen: data.queued + data.awaiting > 0 };
      }),
    );
    if (done === undefined || !args.go || !done.isOpen) return done?.said;
    if (!args.json) say(done.said, false);
    const { json, 'log-level': level } = args;
    return runCommand.handler({ job: done.job, state: done.state, json, 'log-level': level });
  },
});

function outcomeOf(name: string): RetriedOutcome {
  const outcome = OUTCOMES.find((known) => known === name);
  if (outcome !== undefined) return outcome;
  throw wrongUse(`--only: "${name}" is none of ${OUTCOMES.join(', ')}.`);
}
