// sluice replay JOB: settles what webhooks brought, without sending or asking anything.

import type { RunObserver } from '../../../model/telemetry/run-event.js';
import type { Store } from '../../../ports/store/store.js';
import { command, JSON_OPTION } from '../../command.js';
import type { FlagValues } from '../../flags/job-flags.js';
import { LOG_OPTION, type LogArguments } from '../../flags/log-option.js';

interface ReplayArguments extends FlagValues, LogArguments {
  job: string;
  all: boolean;
  json: boolean;
}

export const replayCommand = command<ReplayArguments>({
  command: 'replay <job>',
  describe: 'Settle what webhooks brought while no run was active; sends nothing',
  builder: async (yargs) => {
    const { withJobFlags } = await import('../../flags/job-flags.js');
    return withJobFlags(yargs)
      .positional('job', {
        type: 'string',
        demandOption: true,
        describe: 'A job file or the name of one in jobs/, or the input of an enrich command',
      })
      .options({
        all: {
          type: 'boolean',
          default: false,
          describe: 'Go through the whole journal once more, not only what is pending',
        },
        ...LOG_OPTION,
        ...JSON_OPTION,
      });
  },
  handler: async (args) => {
    const { settingsOf } = await import('../../flags/load-job-settings.js');
    const { commandEnvironment } = await import('../../command-environment.js');
    const { replayJob } = await import('../../../app/listen/replay-job.js');
    const { withState } = await import('../../open-state.js');
    const { formatCount } = await import('../../print/format.js');
    const { withLog } = await import('../../with-log.js');
    const settings = await settingsOf(args.job, args);
    const replay = (observe: RunObserver) => async (store: Store) => {
      const environment = commandEnvironment();
      const report = await replayJob(store, settings, {
        environment,
        all: args.all,
        observe,
      });
      const { changed, deliveries } = report;
      if (args.json) {
        console.log(JSON.stringify({ deliveries, changed }));
        return;
      }
      console.log(
        `Handled ${formatCount(deliveries, 'delivery', 'deliveries')}: ${formatCount(changed, 'enrichment')} changed. "sluice export" writes the table of a run anew.`,
      );
    };
    await withLog(args, ({ watch }) => withState(settings.state, replay(watch.observe)));
  },
});
