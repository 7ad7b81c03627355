// Every command, and how a command is run. Each command has its own file, which is loaded when it is run.
import yargs, { type Argv, type CommandModule } from 'yargs';
import { packageJson } from '../app/package-json.js';
import { COLUMN_INPUTS } from '../model/ask.js';
import { SluiceError } from '../model/errors.js';
import { takeEnvFile } from './command-environment.js';
import { complete } from './commands/completion.js';
import { describeMisuse, type OptionKinds, refuseSlips } from './misuse.js';
import { reportError } from './report-error.js';

interface ListedCommand {
  /** Its name and its positionals. */
  readonly words: string;
  readonly describe: string;
  readonly load: () => Promise<object>;
}

/** In the order of the help, by its headings. */
const GROUPS: Readonly<Record<string, readonly ListedCommand[]>> = {
  Begin: [
    {
      words: 'init [file]',
      describe: 'Write a job for your file, and .env.example; asks for what it cannot know',
      load: async () => (await import('./commands/runs/init.js')).initCommand,
    },
    {
      words: 'doctor [job]',
      describe: 'Check everything that a run needs; changes nothing, and costs nothing',
      load: async () => (await import('./commands/doctor.js')).doctorCommand,
    },
    {
      words: 'plan <job>',
      describe: 'Read a job or a file and print what it would cost; sends nothing',
      load: async () => (await import('./commands/runs/plan.js')).planCommand,
    },
    {
      words: 'sandbox',
      describe: 'Start the sandbox: the platform on your own machine',
      load: async () => (await import('./commands/sandbox.js')).sandboxCommand,
    },
  ],
  Enrich: [
    {
      words: 'run <job>',
      describe: 'Run a job: read, ask, collect and write; run again, it continues',
      load: async () => (await import('./commands/runs/run.js')).runCommand,
    },
    {
      words: 'enrich <file>',
      describe: 'Enrich a file without a job file',
      load: async () => (await import('./commands/runs/run.js')).enrichCommand,
    },
    {
      words: 'lookup <known..>',
      describe: 'Ask for one person without a file: firstName=Ada lastName=Lovelace companyName=…',
      load: async () => (await import('./commands/runs/lookup.js')).lookupCommand,
    },
  ],
  'See what became of it': [
    {
      words: 'status [run]',
      describe: 'Show what happened to the leads of a run (default: the newest)',
      load: async () => (await import('./commands/results/status.js')).statusCommand,
    },
    {
      words: 'runs',
      describe: 'List the runs in the state, newest first',
      load: async () => (await import('./commands/results/runs.js')).runsCommand,
    },
    {
      words: 'explain <run> <line>',
      describe:
        'Show everything about one line of the input: what was asked, sent, paid and answered',
      load: async () => (await import('./commands/results/explain.js')).explainCommand,
    },
    {
      words: 'export <run>',
      describe: 'Write the table of a run again, from what is known now',
      load: async () => (await import('./commands/results/export.js')).exportCommand,
    },
    {
      words: 'report [run]',
      describe:
        'Write how a run went as a page of charts, which opens in a browser (default: the newest)',
      load: async () => (await import('./commands/results/report.js')).reportCommand,
    },
    {
      words: 'ui',
      describe: 'Show the runs of a state in the browser, as they are now; Ctrl+C ends it',
      load: async () => (await import('./commands/ui.js')).uiCommand,
    },
  ],
  'Change what a run or a job does': [
    {
      words: 'retry <run>',
      describe:
        'Let the next run of a job read the tickets of a run again, or ask again without one',
      load: async () => (await import('./commands/runs/retry.js')).retryCommand,
    },
    {
      words: 'pause <job>',
      describe:
        'Send nothing new for a job until it is resumed; what is paid for is still collected',
      load: async () => (await import('./commands/runs/pause.js')).pauseCommand,
    },
    {
      words: 'resume <job>',
      describe: 'Let a paused job send again, from its next start on',
      load: async () => (await import('./commands/runs/pause.js')).resumeCommand,
    },
    {
      words: 'cancel <run>',
      describe: 'Stop a run permanently: nothing more is sent for it; what is paid for is kept',
      load: async () => (await import('./commands/runs/cancel.js')).cancelCommand,
    },
  ],
  Webhooks: [
    {
      words: 'listen',
      describe: 'Receive webhooks and keep them for the next run; a run may be active beside it',
      load: async () => (await import('./commands/listen.js')).listenCommand,
    },
    {
      words: 'deliveries',
      describe: 'List what webhooks brought, newest first, and what it came to',
      load: async () => (await import('./commands/results/deliveries.js')).deliveriesCommand,
    },
    {
      words: 'replay <job>',
      describe: 'Settle what webhooks brought while no run was active; sends nothing',
      load: async () => (await import('./commands/runs/replay.js')).replayCommand,
    },
    {
      words: 'events',
      describe: 'Show, follow or export the events that webhooks brought',
      load: async () => (await import('./commands/results/events.js')).eventsCommand,
    },
  ],
  'Several machines': [
    {
      words: 'enqueue <job>',
      describe: 'Read the leads of a job or a file, and leave its run to a worker on any machine',
      load: async () => (await import('./commands/queue/enqueue.js')).enqueueCommand,
    },
    {
      words: 'worker',
      describe: 'Take runs from the queue and go on with them, until it is stopped',
      load: async () => (await import('./commands/queue/worker.js')).workerCommand,
    },
    {
      words: 'schedule [jobs..]',
      describe: 'Have workers begin the runs of jobs by themselves, when their files say',
      load: async () => (await import('./commands/queue/schedule.js')).scheduleCommand,
    },
  ],
  'The platform': [
    {
      words: 'lists <command>',
      describe: 'Create contact lists and put people into them',
      load: async () => (await import('./commands/platform/lists.js')).listsCommand,
    },
    {
      words: 'hooks <command>',
      describe: 'Register, list, replace and remove webhooks of the platform',
      load: async () => (await import('./commands/platform/hooks.js')).hooksCommand,
    },
    {
      words: 'draft <contact> <draft>',
      describe: 'Read a draft of an inbox conversation',
      load: async () => (await import('./commands/platform/draft.js')).draftCommand,
    },
    {
      words: 'credits',
      describe: 'Show how many credits the account has left, where the platform says so',
      load: async () => (await import('./commands/platform/credits.js')).creditsCommand,
    },
    {
      words: 'result <ticket>',
      describe: 'Read what the platform says now about one enrichment; costs nothing',
      load: async () => (await import('./commands/platform/result.js')).resultCommand,
    },
    {
      words: 'schema <of>',
      describe: 'Show the fields of the people database, or check what has changed in them',
      load: async () => (await import('./commands/platform/schema.js')).schemaCommand,
    },
    {
      words: 'dialects',
      describe: 'List the ready-made dialects, and what each can do',
      load: async () => (await import('./commands/platform/dialects.js')).dialectsCommand,
    },
    {
      words: 'dialect <command>',
      describe: "Show or check a description of a platform's wire format",
      load: async () => (await import('./commands/platform/dialect.js')).dialectCommand,
    },
  ],
  'The state': [
    {
      words: 'backup <file>',
      describe:
        'Copy a state file, checked and whole, also while a run goes on; databases have tools of their own',
      load: async () => (await import('./commands/backup.js')).backupCommand,
    },
    {
      words: 'prune',
      describe: 'Remove old runs from the state; never what would have to be paid for again',
      load: async () => (await import('./commands/prune.js')).pruneCommand,
    },
    {
      words: 'forget',
      describe: 'Remove a person, or all people of a domain, permanently from the state',
      load: async () => (await import('./commands/forget.js')).forgetCommand,
    },
    {
      words: 'state <command>',
      describe:
        'Move a state, make or upgrade it in a database, or trust its server after a failover',
      load: async () => (await import('./commands/state.js')).stateCommands,
    },
  ],
  'Editor and shell': [
    {
      words: 'job-schema',
      describe: 'Print the JSON Schema of a job file',
      load: async () => (await import('./commands/runs/job-schema.js')).jobSchemaCommand,
    },
    {
      words: 'completion <shell>',
      describe: 'Print a script by which your shell completes the words of a command',
      load: async () => (await import('./commands/completion.js')).completionCommand,
    },
  ],
};

const COMMANDS = Object.values(GROUPS).flat();

/**
 * Runs one command to its end. The exit code is `process.exitCode`, or 0 if that is unset; an error is printed to
 * standard error.
 */
export async function performCommand(typed: readonly string[]): Promise<void> {
  const argv = repeatFlags(typed);
  const program = yargs([...argv]);
  const isJson = argv.includes('--json');
  changeHelp(program);
  try {
    await program
      .scriptName('sluice')
      // The process ends by itself, after all is written.
      .exitProcess(false)
      .usage(
        '$0 COMMAND\n\nEnriches leads through an outreach platform: every lead answered for, nothing paid for twice.',
      )
      .command(COMMANDS.map(loadedWhenRun))
      .demandCommand(1, 'Say what to do: one of the commands that "sluice --help" lists.')
      .strictCommands()
      .strict()
      .parserConfiguration({ 'boolean-negation': true, 'camel-case-expansion': false })
      .middleware((values) => refuseSlips(values, kindsOf(program), argv))
      // The doctor reads .env itself, as one of its checks.
      .middleware((values) => void (values._[0] === 'doctor' || takeEnvFile(values)))
      // Registers `complete`. yargs needs a command name for it; "sluice completion" is another command.
      .completion('yargs-completion', false, complete)
      .version(packageJson().version)
      .help()
      .alias('help', 'h')
      .epilogue(
        'Credentials come from SLUICE_USERNAME and SLUICE_PASSWORD, also in the file .env of this folder, or from the files that …_FILE in the environment name.',
      )
      .wrap(Math.min(100, process.stdout.columns ?? 80))
      .fail((message, error, instance) => {
        if (error !== undefined) throw error;
        if (argv.length === 0) instance.showHelp('error');
        throw misuse(message, argv, program);
      })
      .parseAsync();
  } catch (error) {
    // yargs throws its own error for a flag without its value.
    const isMisuse = error instanceof Error && error.name === 'YError';
    process.exitCode = reportError(isMisuse ? misuse(error.message, argv, program) : error, isJson);
  }
}

/** Flags whose values are pairs, by the words that a pair may begin with. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  '--map': COLUMN_INPUTS,
  '--fill': ['email', 'phone'],
};

/**
 * `--map email=a firstName=b` as `--map email=a --map firstName=b`. A list of yargs would take the input file behind it too.
 */
export function repeatFlags(argv: readonly string[]): string[] {
  let open = '';
  return argv.flatMap((word, i) => {
    const [flag = ''] = word.split('=');
    if (flag in PAIRS) open = flag;
    if (open === '' || flag === open || argv[i - 1] === open) return [word];
    if (PAIRS[open]?.includes(flag) === true && word !== flag) return [open, word];
    open = '';
    return [word];
  });
}

function loadedWhenRun({ words, describe, load }: ListedCommand): CommandModule {
  const loaded = async () =>
    (await load()) as CommandModule & { readonly builder: (yargs: Argv) => Argv };
  return {
    command: words,
    describe,
    builder: async (program: Argv) => (await loaded()).builder(program),
    handler: async (args) => (await loaded()).handler(args),
  };
}

interface Usage {
  help: () => string;
  cacheHelpMessage: () => void;
}

/**
 * Lists the commands in groups, which yargs does not know. And after each command yargs renders its help, in case it is
 * asked for later, which takes 10 ms or more: it is rendered only where it is shown.
 */
function changeHelp(program: unknown): void {
  const { getInternalMethods } = program as {
    getInternalMethods: () => { getUsageInstance: () => Usage };
  };
  const usage = getInternalMethods.call(program).getUsageInstance();
  usage.cacheHelpMessage = () => undefined;
  const { help } = usage;
  usage.help = () => listInGroups(help());
}

function listInGroups(help: string): string {
  if (!help.includes(`Commands:\n  sluice ${COMMANDS[0]?.words}`)) return help;
  return Object.entries(GROUPS)
    .reduce((text, [title, [first]]) => {
      const line = `\n  sluice ${first?.words}`;
      return text.replace(line, `\n\n${title}:${line}`);
    }, help)
    .replace('Commands:\n\n', '');
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
