// sluice plan JOB|FILE: reads and costs everything, sends nothing.

import type { DoubtFinder } from '../../../app/plan/find-doubts.js';
import type { MappedInput } from '../../../model/mapping/mapping.js';
import { tellMapping } from '../../../model/mapping/tell-columns.js';
import type { Detection } from '../../../ports/lead-reader.js';
import { isStateThere } from '../../../store/open-store.js';
import type { Page } from '../../../tell/page.js';
import { tellDoubts, tellPlan, tellWaterfallPlan, withDoubts } from '../../../tell/tell-plan.js';
import { command } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { EXIT } from '../../exit-codes.js';
import { jobFlags, settingsOf } from '../../job-flags.js';
import { JSON_OPTION, needed, toggle } from '../../options.js';
import { describeDetection } from '../../print/describe-event.js';
import { accountsFile, CREDENTIALS_OPTION, FOLDER_OPTIONS } from './run.js';

const CHECK = {
  check: toggle(
    'Show what is doubtful about the input instead, with its lines: exit code 1 if anything is',
  ),
};

export const planCommand = command({
  args: { job: needed('A job file, the name of one in jobs/, or an input file with --ask') },
  options: { ...jobFlags(), ...FOLDER_OPTIONS, ...CHECK, ...JSON_OPTION, ...CREDENTIALS_OPTION },
  handler: async (args) => {
    // Loaded only here: otherwise a shell would wait for it to complete the words of a command.
    const { planJob } = await import('../../../app/plan/plan-job.js');
    const { planList } = await import('../../../app/plan/plan-run.js');
    const settings = await settingsOf(args.job, args);
    // The files of a drop folder are read one by one, and most have the same columns.
    let said = '';
    const known = new Set<string>();
    const accounts = accountsFile(args, settings);
    const environment = commandEnvironment();
    const { DoubtFinder } = await import('../../../app/plan/find-doubts.js');
    const doubts = new DoubtFinder(args.check);
    const options = {
      doubts,
      environment,
      standardInput: process.stdin,
      again: args.again,
      verify: args.verify,
      onMapped: (mapping: readonly MappedInput[]) => {
        const columns = tellMapping(mapping);
        if (!args.json && columns !== said) console.log(`Columns: ${columns}`);
        said = columns;
      },
      onDetected: (detection: Detection) => {
        const { what, value } = detection;
        if (!args.json && !known.has(`${what} ${value}`)) console.log(describeDetection(detection));
        known.add(`${what} ${value}`);
      },
    };
    if (settings.waterfall !== undefined) {
      const { environmentOf } = await import('../../../app/queue/accounts.js');
      const { planWaterfall } = await import('../../../app/plan/plan-waterfall.js');
      const ofSteps = await environmentOf(environment, accounts);
      const forecast = await planWaterfall(settings, { ...options, environmentOf: ofSteps });
      if (args.check) return tellCheck(forecast, doubts);
      return withDoubts(tellWaterfallPlan(forecast), doubts.found);
    }
    const forecast = await planJob(settings, options);
    if (args.check) return tellCheck(forecast, doubts);
    const terms = {
      settings,
      list: planList(settings, Date.now()),
      newState: isStateThere(settings.state) ? null : settings.state,
    };
    return withDoubts(tellPlan(forecast, terms), doubts.found);
  },
});

/** Exit code 1 if anything is doubtful. */
function tellCheck(forecast: Parameters<typeof tellDoubts>[1], { found }: DoubtFinder): Page {
  if (found.length > 0 || forecast.refusal !== '') process.exitCode = EXIT.unanswered;
  return tellDoubts(found, forecast);
}
