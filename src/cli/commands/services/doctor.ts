// sluice doctor JOB: checks everything that a run needs, and changes nothing.
import { command, JSON_OPTION } from '../../command.js';
import { PLATFORM_OPTIONS, type PlatformArguments } from '../../flags/platform-flags.js';

interface DoctorArguments extends PlatformArguments {
  job: string | undefined;
}

export const doctorCommand = command<DoctorArguments>({
  command: 'doctor [job]',
  describe: 'Check everything that a run needs; changes nothing, and costs nothing',
  builder: (yargs) =>
    yargs
      .positional('job', { type: 'string', describe: 'A job file, or the name of one in jobs/' })
      .options({ ...PLATFORM_OPTIONS, ...JSON_OPTION })
      .example('$0 doctor nightly', 'Exit code 1: something has to be done first'),
  handler: async (args) => {
    const { printHealth } = await import('../../print/reports/print-health.js');
    await printHealth(args);
  },
});
