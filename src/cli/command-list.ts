// Every command, in the subjects of the help.

export interface ListedCommand {
  /** Its name and its positionals. */
  readonly words: string;
  readonly describe: string;
  readonly load: () => Promise<object>;
}

interface Topic {
  readonly about: string;
  readonly commands: readonly ListedCommand[];
}

/** What a newcomer needs first. */
export const FIRST = ['init', 'plan', 'enrich', 'run', 'status', 'explain', 'ui'];

/** The commands of each subject. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  setup: {
    about: 'Write a job and check it',
    commands: [
      {
        words: 'init [file]',
        describe: 'Write a job for your file, and .env.example; asks for what it cannot know',
        load: async () => (await import('./commands/runs/init.js')).initCommand,
      },
      {
        words: 'keys [key]',
        describe: 'List the keys of a job, which a file or --set states; or explain one',
        load: async () => (await import('./commands/runs/keys.js')).keysCommand,
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
      {
        words: 'completion <shell>',
        describe: 'Print a script by which your shell completes the words of a command',
        load: async () => (await import('./commands/completion.js')).completionCommand,
      },
      {
        words: 'help [words..]',
        describe: 'Show the commands of a subject, or what a command takes',
        load: async () => (await import('./commands/help.js')).helpCommand,
      },
    ],
  },
  asking: {
    about: 'Ask for leads',
    commands: [
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
        describe:
          'Ask for one person without a file: firstName=Ada lastName=Lovelace companyName=…',
        load: async () => (await import('./commands/runs/lookup.js')).lookupCommand,
      },
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
  },
  results: {
    about: 'See what became of them',
    commands: [
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
        words: 'audit <invoice>',
        describe: "Compare the platform's list of charges with what was sent, found and counted",
        load: async () => (await import('./commands/platform/audit.js')).auditCommand,
      },
      {
        words: 'ui',
        describe: 'Show the runs of a state in the browser, as they are now; Ctrl+C ends it',
        load: async () => (await import('./commands/ui.js')).uiCommand,
      },
    ],
  },
  webhooks: {
    about: 'Have results delivered',
    commands: [
      {
        words: 'listen',
        describe: 'Receive webhooks and keep them for the next run; a run may be active beside it',
        load: async () => (await import('./commands/listen.js')).listenCommand,
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
  },
  machines: {
    about: 'Work on several machines',
    commands: [
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
        words: 'schedule',
        describe: 'List when workers begin runs by themselves; apply: take over what job files say',
        load: async () => (await import('./commands/queue/schedule.js')).scheduleCommand,
      },
    ],
  },
  platform: {
    about: 'Use what else the platform has',
    commands: [
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
        words: 'schema <of>',
        describe: 'Show the fields of the people database, or check what has changed in them',
        load: async () => (await import('./commands/platform/schema.js')).schemaCommand,
      },
      {
        words: 'dialect <command>',
        describe: "List, show or check descriptions of platforms' wire formats",
        load: async () => (await import('./commands/platform/dialect.js')).dialectCommand,
      },
    ],
  },
  keeping: {
    about: 'Keep the state, and people out of it',
    commands: [
      {
        words: 'state <command>',
        describe: 'Copy, prune, move or migrate a state, or forget people in it',
        load: async () => (await import('./commands/state/state.js')).stateCommands,
      },
      {
        words: 'suppress <command>',
        describe: 'Keep a list of people who are never asked for, whatever file they are in',
        load: async () => (await import('./commands/state/suppress.js')).suppressCommands,
      },
      {
        words: 'caps',
        describe: 'List what all jobs may spend of an account in a day and a month; set: change it',
        load: async () => (await import('./commands/platform/caps.js')).capsCommands,
      },
    ],
  },
};

export const COMMANDS = Object.values(TOPICS).flatMap(({ commands }) => commands);
