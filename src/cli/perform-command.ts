// Every command, and how one of them is run. Each is a file of its own and loads what it needs only when it runs.
import yargs, { type CommandModule } from 'yargs';
import { packageJson } from '../app/package-json.js';
import { SluiceError } from '../model/errors.js';
import { takeEnvFile } from './command-environment.js';
import { dialectCommand } from './commands/platform/dialect.js';
import { draftCommand } from './commands/platform/draft.js';
import { hooksCommand } from './commands/platform/hooks.js';
import { listsCommand } from './commands/platform/lists.js';
import { schemaCommand } from './commands/platform/schema.js';
import { deliveriesCommand } from './commands/results/deliveries.js';
import { eventsCommand } from './commands/results/events.js';
import { explainCommand } from './commands/results/explain.js';
import { exportCommand } from './commands/results/export.js';
import { runsCommand } from './commands/results/runs.js';
import { statusCommand } from './commands/results/status.js';
import { cancelCommand } from './commands/runs/cancel.js';
import { enrichCommand } from './commands/runs/enrich.js';
import { initCommand } from './commands/runs/init.js';
import { jobSchemaCommand } from './commands/runs/job-schema.js';
import { pauseCommand } from './commands/runs/pause.js';
import { planCommand } from './commands/runs/plan.js';
import { replayCommand } from './commands/runs/replay.js';
import { resumeCommand } from './commands/runs/resume.js';
import { retryCommand } from './commands/runs/retry.js';
import { runCommand } from './commands/runs/run.js';
import { completionCommand } from './commands/services/completion.js';
import { doctorCommand } from './commands/services/doctor.js';
import { listenCommand } from './commands/services/listen.js';
import { sandboxCommand } from './commands/services/sandbox.js';
import { backupCommand } from './commands/state/backup.js';
import { forgetCommand } from './commands/state/forget.js';
import { pruneCommand } from './commands/state/prune.js';
import { complete } from './complete.js';
import { describeMisuse } from './flags/describe-misuse.js';
import { type OptionKinds, refuseSlips } from './flags/refuse-slips.js';
import { reportError } from './report-error.js';

const COMMANDS = [
  initCommand,
  doctorCommand,
  runCommand,
  enrichCommand,
  planCommand,
  statusCommand,
  runsCommand,
  explainCommand,
  exportCommand,
  retryCommand,
  pauseCommand,
  resumeCommand,
  cancelCommand,
  listenCommand,
  deliveriesCommand,
  replayCommand,
  eventsCommand,
  listsCommand,
  hooksCommand,
  draftCommand,
  schemaCommand,
  dialectCommand,
  backupCommand,
  pruneCommand,
  forgetCommand,
  sandboxCommand,
  jobSchemaCommand,
  completionCommand,
] as CommandModule[];
const WRITTEN = COMMANDS.map(({ command }) => String(command));

/**
 * Runs one command to its end. The exit code is `process.exitCode`, and 0 where that is unset; an error is told on
 * standard error.
 */
export async function performCommand(argv: readonly string[]): Promise<void> {
  const program = yargs([...argv]);
  const isJson = argv.includes('--json');
  try {
    await program
      .scriptName('sluice')
      .usage(
        '$0 COMMAND\n\nEnriches leads through an outreach platform: every lead answered for, nothing paid for twice.',
      )
      .command(COMMANDS)
      .demandCommand(1, 'Say what to do: one of the commands that "sluice --help" lists.')
      .strictCommands()
      .strict()
      .parserConfiguration({ 'boolean-negation': true, 'camel-case-expansion': false })
      .middleware((values) => refuseSlips(values, kindsOf(program), argv))
      // The doctor reads it by itself, and tells what is wrong with it beside everything else.
      .middleware((values) => void (values._[0] === 'doctor' || takeEnvFile(values)))
      // Registers `complete`, and cannot do so without a command of its own: "sluice completion" is another one.
      .completion('yargs-completion', false, complete)
      .version(packageJson().version)
      .help()
      .alias('help', 'h')
      .epilogue(
        'Credentials come from SLUICE_USERNAME and SLUICE_PASSWORD, also in the file .env of this folder, or from the files that …_FILE in the environment name.',
      )
      .wrap(Math.min(100, process.stdout.columns ?? 100))
      .fail((message, error, instance) => {
        if (error !== undefined) throw error;
        if (argv.length === 0) instance.showHelp('error');
        throw misuse(message, argv, program);
      })
      .parseAsync();
  } catch (error) {
    // A flag without its value is told by an error of yargs' own.
    const isMisuse = error instanceof Error && error.name === 'YError';
    process.exitCode = reportError(isMisuse ? misuse(error.message, argv, program) : error, isJson);
  }
}

/** yargs knows them, and its types do not tell. */
function kindsOf(instance: unknown): OptionKinds {
  return (instance as { getOptions: () => OptionKinds }).getOptions();
}

function misuse(message: string, argv: readonly string[], program: unknown): SluiceError {
  return new SluiceError(
    'usage',
    describeMisuse(message, argv, {
      commands: WRITTEN,
      options: Object.keys(kindsOf(program).key ?? {}),
    }),
  );
}
