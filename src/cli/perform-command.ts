// Runs a command, from its words to its exit code. Each command has its own file, which is loaded when it is run.
import yargs, { type Argv, type CommandModule } from 'yargs';
import { packageJson } from '../app/package-json.js';
import { SluiceError } from '../model/errors.js';
import { linesOf, say } from './command.js';
import { loadNamedEnvFile, openEnvFile } from './command-environment.js';
import { COMMANDS, type ListedCommand } from './command-list.js';
import { complete } from './commands/completion.js';
import { helpOfCommand, helpPage, overviewPage } from './help.js';
import { describeMisuse, type OptionKinds, refuseSlips } from './misuse.js';
import { reportError } from './report-error.js';

/**
 * Runs one command to its end. The exit code is `process.exitCode`, or 0 if that is unset; an error is printed to
 * standard error.
 */
export async function performCommand(argv: readonly string[]): Promise<void> {
  const isHelp = argv.some((word) => word === '--help' || word === '-h');
  if (isHelp && (await printHelp(argv))) return;
  const program = yargs([...argv]);
  const isJson = argv.includes('--json') || argv.includes('--ndjson');
  forgetHelp(program);
  try {
    await program
      .scriptName('sluice')
      // The process ends by itself, after all is written.
      .exitProcess(false)
      .command(COMMANDS.map(loadedWhenRun))
      .demandCommand(1, 'Say what to do: one of the commands that "sluice --help" lists.')
      .strictCommands()
      .strict()
      .parserConfiguration({ 'boolean-negation': true, 'camel-case-expansion': false })
      .middleware((values) => refuseSlips(values, kindsOf(program), argv))
      .option('env-file', { type: 'string', requiresArg: true, hidden: true })
      .middleware((values) => {
        if (values['ndjson'] === true) values['json'] = true;
        if (values['env-file'] !== undefined) loadNamedEnvFile(values['env-file']);
        // The doctor reads .env itself, as one of its checks.
        if (values._[0] !== 'doctor') openEnvFile();
      })
      // Registers `complete`. yargs needs a command name for it; "sluice completion" is another command.
      .completion('yargs-completion', false, complete)
      .version(packageJson().version)
      .help(false)
      .option('help', { alias: 'h', type: 'boolean', describe: 'Show what a command takes' })
      .fail((message, error) => {
        if (error !== undefined) throw error;
        if (argv.length === 0) for (const line of linesOf(overviewPage())) console.error(line);
        throw misuse(message, argv, program);
      })
      .parseAsync();
  } catch (error) {
    // yargs throws its own error for a flag without its value.
    const isMisuse = error instanceof Error && error.name === 'YError';
    process.exitCode = reportError(isMisuse ? misuse(error.message, argv, program) : error, isJson);
  }
}

function loadedWhenRun({ words, describe, load }: ListedCommand): CommandModule {
  return {
    command: words,
    describe,
    builder: async (program: Argv) => (await load()).builder(program),
    handler: async (args) => (await load()).handler(args),
  };
}

/** Prints the help of the command in the words, or of none; false where they name no command. */
async function printHelp(typed: readonly string[]): Promise<boolean> {
  const words = typed.filter((word) => !word.startsWith('-'));
  const from = words.findIndex((word) => COMMANDS.some((one) => one.words.split(' ')[0] === word));
  if (from === -1 && words.length > 0) return false;
  const help = await helpOfCommand(words.slice(from));
  say(help === undefined ? overviewPage() : helpPage(help), false);
  return true;
}

interface Usage {
  cacheHelpMessage: () => void;
}

/** After each command yargs renders its help, in case it is asked for later, which takes 10 ms or more. */
function forgetHelp(program: unknown): void {
  const { getInternalMethods } = program as {
    getInternalMethods: () => { getUsageInstance: () => Usage };
  };
  getInternalMethods.call(program).getUsageInstance().cacheHelpMessage = () => undefined;
}

/** The options, which the types of yargs do not include. */
function kindsOf(instance: unknown): OptionKinds {
  return (instance as { getOptions: () => OptionKinds }).getOptions();
}

function misuse(message: string, argv: readonly string[], program: unknown): SluiceError {
  return new SluiceError(
    'usage',
    describeMisuse(message, argv, {
      commands: COMMANDS.map(({ words }) => words),
      options: Object.keys(kindsOf(program).key ?? {}),
    }),
  );
}
