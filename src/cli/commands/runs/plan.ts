// sluice plan JOB|FILE: reads and costs everything, sends nothing.

import type { MappedInput } from '../../../model/mapping/mapping.js';
import type { Detection } from '../../../ports/lead-reader.js';
import { isStateThere } from '../../../store/open-store.js';
import { tellMapping } from '../../../tell/tell-line.js';
import { tellPlan, tellWaterfallPlan } from '../../../tell/tell-plan.js';
import { command } from '../../command.js';
import { commandEnvironment, noteSecretFile } from '../../command-environment.js';
import { jobFlags, settingsOf } from '../../job-flags.js';
import { JSON_OPTION, needed } from '../../options.js';
import { describeDetection } from '../../print/describe-event.js';
import { CREDENTIALS_OPTION, FOLDER_OPTIONS } from './run.js';

export const planCommand = command({
  args: { job: needed('A job file, the name of one in jobs/, or an input file with --ask') },
  options: { ...jobFlags(), ...FOLDER_OPTIONS, ...JSON_OPTION, ...CREDENTIALS_OPTION },
  handler: async (args) => {
    // Loaded only here: otherwise a shell would wait for it to complete the words of a command.
    const { planJob } = await import('../../../app/plan/plan-job.js');
    const { planList } = await import('../../../app/plan/plan-run.js');
    const settings = await settingsOf(args.job, args);
    // The files of a drop folder are read one by one, and most have the same columns.
    let said = '';
    const known = new Set<string>();
    if (args.credentials !== undefined) noteSecretFile(args.credentials);
    const environment = commandEnvironment();
    const options = {
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
      const held = await environmentOf(environment, args.credentials);
      return tellWaterfallPlan(await planWaterfall(settings, { ...options, environmentOf: held }));
    }
    return tellPlan(await planJob(settings, options), {
      settings,
      list: planList(settings, Date.now()),
      newState: isStateThere(settings.state) ? null : settings.state,
    });
  },
});
