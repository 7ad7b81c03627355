// sluice doctor JOB: checks everything that a run needs, and changes nothing. Exit code 1 if a check failed.
import { rateOf } from '../../app/settings/command-settings.js';
import { formatCount } from '../../model/text/count.js';
import { notes, table } from '../../tell/shared.js';
import { command } from '../command.js';
import { commandEnvironment, openEnvFile } from '../command-environment.js';
import { EXIT } from '../exit-codes.js';
import { loadJobSettings } from '../job-flags.js';
import { JSON_OPTION, PLATFORM_OPTIONS, text } from '../options.js';
import { accountsFile, CREDENTIALS_OPTION } from './runs/run.js';

export const doctorCommand = command({
  args: { job: text('A job file, or the name of one in jobs/') },
  options: { ...PLATFORM_OPTIONS, ...CREDENTIALS_OPTION, ...JSON_OPTION },
  examples: { 'sluice doctor nightly': 'Exit code 1: something has to be done first' },
  handler: async ({ job, url, dialect, account, rate, state, credentials }) => {
    // Loaded only here: otherwise a shell would wait for it to complete the words of a command.
    const { examineSetup } = await import('../../app/doctor/examine-setup.js');
    const { environmentOf } = await import('../../app/queue/accounts.js');
    const flags = { url, dialect, account, rate, state };
    const loadJob = job === undefined ? undefined : () => loadJobSettings(job, flags);
    const checks = await examineSetup({
      ...flags,
      loadJob,
      rate: rateOf(rate),
      environmentOf: (settings) =>
        environmentOf(commandEnvironment(), accountsFile({ credentials }, settings)),
      openEnvFile,
      environment: commandEnvironment,
    });
    const failed = checks.filter(({ verdict }) => verdict === 'fail').length;
    const warned = checks.filter(({ verdict }) => verdict === 'warn').length;
    if (failed > 0) process.exitCode = EXIT.unanswered;
    const rows = checks.map(({ advice, check, says, verdict }) => [
      verdict,
      check,
      advice === null ? says : `${says} ${advice}`,
    ]);
    return {
      title: 'Whether all is ready',
      parts: [
        table('Checks', ['verdict', 'check', 'what was found'], rows, { isAlone: true }),
        ...notes('', verdictOf(failed, warned)),
      ],
      data: { job: job ?? null, healthy: failed === 0, checks },
    };
  },
});

function verdictOf(failed: number, warned: number): string {
  const warnings = warned === 0 ? '' : `, ${formatCount(warned, 'warning')}`;
  if (failed > 0) return `${formatCount(failed, 'check')} failed${warnings}.`;
  return `Everything is ready for a run${warnings}.`;
}
