// sluice enqueue JOB|FILE: reads the leads into the state and puts the run into the queue. A worker does the rest.
import type { Run } from '../../../model/run.js';
import { formatCount } from '../../../model/text/count.js';
import { CHANGE_LOOK_MS } from '../../../run/send/budget.js';
import { command } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { jobFlags, settingsOf } from '../../job-flags.js';
import { FORCE_OPTION, JSON_OPTION, needed, QUIET_OPTION } from '../../options.js';
import { describeEvent } from '../../print/describe-event.js';
import { drainOnSignals } from '../../signals.js';
import { LOG_OPTION, withLog } from '../../with-log.js';
import { FOLDER_OPTIONS } from '../runs/run.js';

export const enqueueCommand = command({
  args: { job: needed('A job file, the name of one in jobs/, or a file of leads') },
  options: {
    ...jobFlags(),
    ...JSON_OPTION,
    ...LOG_OPTION,
    ...QUIET_OPTION,
    ...FOLDER_OPTIONS,
    ...FORCE_OPTION,
  },
  examples: {
    'sluice enqueue nightly': 'Read the leads of jobs/nightly.yaml; a worker does the rest',
  },
  handler: async (args) => {
    const { enqueueJob } = await import('../../../app/queue/read-job.js');
    return withLog(args, async ({ isAlone, watch }) => {
      const settings = await settingsOf(args.job, args);
      const isQuiet = args.quiet || args.json || isAlone;
      const say = (line: string): void => {
        if (!isQuiet) console.error(line);
      };
      const draining = drainOnSignals(() => say('Stopping: the leads so far are kept.'));
      try {
        const { hasNewBudget, run } = await enqueueJob(settings, {
          environment: commandEnvironment(),
          standardInput: process.stdin,
          again: args.again,
          verify: args.verify,
          force: args.force,
          drain: draining.signal,
          observe: (event) => {
            watch.observe(event);
            const line = describeEvent(event, settings, {
              commandToContinue: 'the same command',
              run: {},
            });
            if (line !== undefined) say(line);
          },
        });
        const isQueued = run?.state === 'working';
        if (!isQueued) process.exitCode = draining.exitCode() ?? EXIT.ok;
        const data = {
          job: settings.job,
          run: run?.id ?? null,
          leads: run?.leadCount ?? 0,
          queued: isQueued,
        };
        if (args.quiet && !args.json) return undefined;
        return {
          data,
          lines: hasNewBudget ? changedLine(run) : linesOf(settings.job, run, isQueued),
        };
      } finally {
        draining.stop();
        if (settings.input.includes('-')) process.stdin.destroy();
      }
    });
  },
});

function changedLine(run: Run | null): string {
  if (run === null) return '';
  const budget =
    run.budget === undefined ? 'no budget' : `a budget of ${formatCount(run.budget, 'credit')}`;
  return `Run ${run.id} of ${run.job} is being worked on. It has ${budget} from its next look, in ${CHANGE_LOOK_MS / 1_000} seconds at most; until then it may send by the former one.`;
}

function linesOf(
  job: string,
  run: { readonly id: number; readonly leadCount: number } | null,
  isQueued: boolean,
): string {
  if (run === null) return `Nothing new for ${job}: the queue is as it was.`;
  const leads = formatCount(run.leadCount, 'lead');
  if (isQueued) return `Run ${run.id} of ${job} is in the queue: ${leads}.`;
  return `Run ${run.id} of ${job} is not in the queue yet: ${leads} read so far. The same command goes on.`;
}
