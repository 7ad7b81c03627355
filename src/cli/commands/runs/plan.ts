// sluice plan JOB|FILE: reads and costs everything, sends nothing.
import { command, JSON_OPTION } from '../../command.js';
import type { FlagValues } from '../../flags/job-flags.js';
import { AGAIN_OPTION } from './run.js';

interface PlanArguments extends FlagValues {
  job: string;
  json: boolean;
  again: boolean;
}

export const planCommand = command<PlanArguments>({
  command: 'plan <job>',
  describe: 'Read a job or a file and tell what it would cost; sends nothing',
  builder: async (yargs) => {
    const { withJobFlags } = await import('../../flags/job-flags.js');
    return withJobFlags(yargs)
      .positional('job', {
        type: 'string',
        demandOption: true,
        describe: 'A job file, the name of one in jobs/, or an input file with --ask',
      })
      .nargs('job', 1) // so that - is a file
      .options({ ...AGAIN_OPTION, ...JSON_OPTION });
  },
  handler: async (args) => {
    const { existsSync } = await import('node:fs');
    const { printable } = await import('../../../model/text/printable.js');
    const { settingsOf } = await import('../../flags/load-job-settings.js');
    const { planJob } = await import('../../../app/plan/plan-job.js');
    const { planList } = await import('../../../app/plan/plan-run.js');
    const { commandEnvironment } = await import('../../command-environment.js');
    const { describeDetection, describeMapping } = await import('../../run-and-report.js');
    const { forecastJson, forecastLines } = await import('../../print/print-forecast.js');
    const settings = await settingsOf(args.job, args);
    let told = '';
    const known = new Set<string>();
    const forecast = await planJob(settings, {
      environment: commandEnvironment(),
      standardInput: process.stdin,
      again: args.again,
      onMapped: (mapping) => {
        const columns = describeMapping(mapping);
        // Files of a drop folder are mapped one by one, and most alike.
        if (!args.json && columns !== told) console.log(`Columns: ${columns}`);
        told = columns;
      },
      onDetected: (detection) => {
        const { what, value } = detection;
        if (!args.json && !known.has(`${what} ${value}`)) console.log(describeDetection(detection));
        known.add(`${what} ${value}`);
      },
    });
    if (args.json) {
      console.log(JSON.stringify(forecastJson(forecast)));
      return;
    }
    if (!existsSync(settings.state)) {
      console.log(
        printable(
          `There is no state file ${settings.state} yet: nothing that was paid for before is known.`,
        ),
      );
    }
    const list = planList(settings, Date.now());
    for (const line of forecastLines(forecast, settings.budget, list)) console.log(line);
  },
});
