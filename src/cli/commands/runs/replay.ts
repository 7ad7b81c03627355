// sluice replay JOB: settles the deliveries of webhooks; sends no request.
import { replayJob } from '../../../app/listen/replay-job.js';
import { formatCount } from '../../../model/text/count.js';
import { command } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { jobFlags, settingsOf } from '../../job-flags.js';
import { withState } from '../../open-state.js';
import { JSON_OPTION, needed, toggle } from '../../options.js';
import { LOG_OPTION, withLog } from '../../with-log.js';

export const replayCommand = command({
  args: {
    job: needed('A job file or the name of one in jobs/, or the input of an enrich command'),
  },
  options: {
    ...jobFlags(),
    all: toggle(
      'Go through all deliveries again whose text is still there, not only the pending ones',
    ),
    ...LOG_OPTION,
    ...JSON_OPTION,
  },
  handler: async (args) => {
    const settings = await settingsOf(args.job, args);
    const environment = commandEnvironment();
    const { all } = args;
    return withLog(args, ({ watch: { observe } }) =>
      withState(settings.state, async (store) => {
        const report = await replayJob(store, settings, { environment, all, observe });
        const { changed, deliveries, withoutBody } = report;
        const lines = [
          `Handled ${formatCount(deliveries, 'delivery', 'deliveries')}: ${formatCount(changed, 'enrichment')} changed. "sluice export" writes the table of a run again.`,
        ];
        if (withoutBody > 0) {
          const many = formatCount(withoutBody, 'more delivery', 'more deliveries');
          const [have, their] = withoutBody === 1 ? ['has', 'its'] : ['have', 'their'];
          lines.push(
            `${many} ${have} settled ${their} leads and cannot be gone through again: ${their} text is not kept (a job with keep-deliveries keeps it for a while).`,
          );
        }
        return { data: { deliveries, changed, without_body: withoutBody }, lines };
      }),
    );
  },
});
