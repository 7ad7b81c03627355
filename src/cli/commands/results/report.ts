// sluice report [RUN]: how a run went, as one HTML file, during the run or long after it.
import { refuseElsewhere, statedInJobs } from '../../../app/files/stated-files.js';
import { checkReportName, reportRun } from '../../../app/report/write-report.js';
import type { Environment } from '../../../app/settings/environment.js';
import type { Run } from '../../../model/run.js';
import { FORCE_OPTION, NUMBER, SWITCH, TEXT } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { findRun, stateCommand } from '../../open-state.js';
import { figuresJson } from '../../print/figures.js';
import { formatCount } from '../../print/format.js';
import { COMPARE_OPTIONS, checkCompare, compare } from './compare.js';

/** The time between two lines about progress; a shorter reading has none. */
const TOLD_EVERY_MS = 5_000;

export const reportCommand = stateCommand({
  builder: (yargs) =>
    yargs.positional('run', { ...NUMBER, describe: 'Number of the run' }).options({
      out: {
        ...TEXT,
        describe:
          'The HTML file to write (default: that of its job, else report-RUN.html; with --json none)',
      },
      'with-samples': {
        ...SWITCH,
        describe: 'Show a few leads as well; without it no person is in the report',
      },
      ...COMPARE_OPTIONS,
      ...FORCE_OPTION,
    }),
  prepare: (args) => {
    checkCompare(args);
    if (args.out !== undefined) checkReportName(args.out);
  },
  handler: async (args, store, state) => {
    if (args.compare !== undefined) return compare(args, store, state);
    const run = await findRun(store, state, args.run);
    const environment = commandEnvironment();
    const out = args.out ?? (args.json ? undefined : await usualReport(run, environment));
    const figures = await reportRun(store, run.id, {
      out,
      force: args.force,
      withSamples: args['with-samples'],
      state,
      environment,
      onProgress: createTold(),
    });
    return { json: figuresJson(figures), lines: out ?? '' };
  },
});

/** The file that the run's job names; it is refused if only the state names it and it is elsewhere. */
async function usualReport({ id, job, output }: Run, environment: Environment): Promise<string> {
  const { report } = output;
  if (report === undefined) return `report-${id}.html`;
  refuseElsewhere({ report }, await statedInJobs({ job, output: { report } }, environment));
  return report;
}

/** Says on standard error how many leads are read, if that takes long. */
function createTold(): (leads: number) => void {
  let nextAt = Date.now() + TOLD_EVERY_MS;
  return (leads) => {
    if (Date.now() < nextAt) return;
    nextAt = Date.now() + TOLD_EVERY_MS;
    process.stderr.write(`${formatCount(leads, 'lead')} read\n`);
  };
}
