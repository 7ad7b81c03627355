// Every command, in the subjects of the help.
import type { Command } from './command.js';

export interface ListedCommand {
  /** Its name and its positionals. */
  readonly words: string;
  readonly describe: string;
  readonly load: () => Promise<Command>;
}

interface Topic {
  readonly about: string;
  /** The purpose of each command, by its name and its positionals. */
  readonly commands: Readonly<Record<string, string>>;
}

/** What a newcomer needs first. */
export const FIRST = ['init', 'plan', 'enrich', 'run', 'status', 'explain', 'ui'];

/** The commands of each subject. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  setup: {
    about: 'Write a job and check it',
    commands: {
      'init [file]': 'Write a job for your file, and .env.example; asks for what it cannot know',
      'keys [key]': 'List the keys of a job, which a file or --set states; or explain one',
      'doctor [job]': 'Check everything that a run needs; changes nothing, and costs nothing',
      'plan <job>': 'Read a job or a file and print what it would cost; sends nothing',
      sandbox: 'Start the sandbox: the platform on your own machine',
      'completion <shell>': 'Print a script by which your shell completes the words of a command',
      'help [words..]': 'Show the commands of a subject, or what a command takes',
    },
  },
  asking: {
    about: 'Ask for leads: one platform, or several in turn (a waterfall)',
    commands: {
      'run <job>': 'Run a job: read, ask, collect and write; run again, it continues',
      'enrich <file>': 'Enrich a file without a job file',
      'lookup <known..>':
        'Ask for one person without a file: firstName=Ada lastName=Lovelace companyName=…',
      'retry <run>':
        'Have the next run of a job look again at leads that failed or are late; reading answers is free',
      'pause <job>':
        'Send nothing new for a job until it is resumed; what is paid for is still collected',
      'resume <job>': 'Let a paused job send again, from its next start on',
      'cancel <run>':
        'Stop a run permanently: nothing more is sent for it; what is paid for is kept',
    },
  },
  results: {
    about: 'See what became of them',
    commands: {
      'status [run]': 'Show what happened to the leads of a run (default: the newest)',
      runs: 'List the runs in the state, newest first',
      'explain <run> <line>':
        'Show everything about one line of the input: what was asked, sent, paid and answered',
      'export <run>': 'Write the table of a run again, from what is known now',
      'report [run]':
        'Write how a run went as a page of charts, which opens in a browser (default: the newest)',
      'audit <invoice>':
        "Compare the platform's list of charges with what was sent, found and counted",
      ui: 'Show the runs of a state in the browser, as they are now; Ctrl+C ends it',
    },
  },
  webhooks: {
    about: 'Have results delivered',
    commands: {
      listen: 'Receive webhooks and keep them for the next run; a run may be active beside it',
      'replay <job>': 'Settle what webhooks brought while no run was active; sends nothing',
      events: 'Show, follow or export the events that webhooks brought',
    },
  },
  machines: {
    about: 'Work on several machines',
    commands: {
      'enqueue <job>':
        'Read the leads of a job or a file, and leave its run to a worker on any machine',
      worker: 'Take runs from the queue and go on with them, until it is stopped',
      schedule: 'List when workers begin runs by themselves; apply: take over what job files say',
    },
  },
  platform: {
    about: 'Use what else the platform has',
    commands: {
      credits: 'Show how many credits the account has left, where the platform says so',
      'result <ticket>': 'Read what the platform says now about one enrichment; costs nothing',
      'lists <command>': 'Create contact lists and put people into them',
      'hooks <command>': 'Register, list, replace and remove webhooks of the platform',
      'draft <contact> <draft>': 'Read a draft of an inbox conversation',
      'schema <of>': 'Show the fields of the people database, or check what has changed in them',
      'dialect <command>': "List, show or check descriptions of platforms' wire formats",
    },
  },
  keeping: {
    about: 'Keep the state, and people out of it',
    commands: {
      'state <command>': 'Copy, prune, move or migrate a state, or forget people in it',
      'known <command>':
        'Take answers that were bought elsewhere from a table, so that they are known',
      'suppress <command>':
        'Keep a list of people who are never asked for, whatever file they are in',
      caps: 'List what all jobs may spend of an account in a day and a month; set: change it',
    },
  },
};

const LOADS: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./commands/runs/init.js')).initCommand,
  keys: async () => (await import('./commands/runs/keys.js')).keysCommand,
  doctor: async () => (await import('./commands/doctor.js')).doctorCommand,
  plan: async () => (await import('./commands/runs/plan.js')).planCommand,
  sandbox: async () => (await import('./commands/sandbox.js')).sandboxCommand,
  completion: async () => (await import('./commands/completion.js')).completionCommand,
  help: async () => (await import('./commands/help.js')).helpCommand,
  run: async () => (await import('./commands/runs/run.js')).runCommand,
  enrich: async () => (await import('./commands/runs/run.js')).enrichCommand,
  lookup: async () => (await import('./commands/runs/lookup.js')).lookupCommand,
  retry: async () => (await import('./commands/runs/retry.js')).retryCommand,
  pause: async () => (await import('./commands/runs/steer.js')).pauseCommand,
  resume: async () => (await import('./commands/runs/steer.js')).resumeCommand,
  cancel: async () => (await import('./commands/runs/steer.js')).cancelCommand,
  status: async () => (await import('./commands/results/status.js')).statusCommand,
  runs: async () => (await import('./commands/results/runs.js')).runsCommand,
  explain: async () => (await import('./commands/results/explain.js')).explainCommand,
  export: async () => (await import('./commands/results/export.js')).exportCommand,
  report: async () => (await import('./commands/results/report.js')).reportCommand,
  audit: async () => (await import('./commands/platform/audit.js')).auditCommand,
  ui: async () => (await import('./commands/ui.js')).uiCommand,
  listen: async () => (await import('./commands/listen.js')).listenCommand,
  replay: async () => (await import('./commands/runs/replay.js')).replayCommand,
  events: async () => (await import('./commands/results/events.js')).eventsCommand,
  enqueue: async () => (await import('./commands/queue/enqueue.js')).enqueueCommand,
  worker: async () => (await import('./commands/queue/worker.js')).workerCommand,
  schedule: async () => (await import('./commands/queue/schedule.js')).scheduleCommand,
  credits: async () => (await import('./commands/platform/credits.js')).creditsCommand,
  result: async () => (await import('./commands/platform/result.js')).resultCommand,
  lists: async () => (await import('./commands/platform/lists.js')).listsCommand,
  hooks: async () => (await import('./commands/platform/hooks.js')).hooksCommand,
  draft: async () => (await import('./commands/platform/draft.js')).draftCommand,
  schema: async () => (await import('./commands/platform/schema.js')).schemaCommand,
  dialect: async () => (await import('./commands/platform/dialect.js')).dialectCommand,
  state: async () => (await import('./commands/state/state.js')).stateCommands,
  known: async () => (await import('./commands/state/known.js')).knownCommands,
  suppress: async () => (await import('./commands/state/suppress.js')).suppressCommands,
  caps: async () => (await import('./commands/platform/caps.js')).capsCommands,
};

/** The first word of the form of a command. */
export function nameIn(form: string): string {
  return form.trim().split(' ')[0] ?? '';
}

export const COMMANDS = Object.values(TOPICS).flatMap(({ commands }) =>
  Object.entries(commands).flatMap(([words, describe]): ListedCommand[] => {
    const { [nameIn(words)]: load } = LOADS;
    return load === undefined ? [] : [{ words, describe, load }];
  }),
);
