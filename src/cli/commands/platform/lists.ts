// sluice lists: creates contact lists, and puts people into them.
import { command, JSON_OPTION, STATE_OPTION, TEXT } from '../../command.js';
import { SAY_WHAT } from '../../flags/describe-misuse.js';
import { PLATFORM_OPTIONS, type PlatformArguments } from '../../flags/platform-flags.js';

interface CreateArguments extends PlatformArguments {
  name: string;
}

interface AddArguments extends PlatformArguments {
  list: string;
  file: string;
  where: string | undefined;
}

interface AdoptArguments {
  run: number;
  list: string;
  state: string | undefined;
  json: boolean;
}

const createCommand = command<CreateArguments>({
  command: 'create <name>',
  describe: 'Create a static contact list; asked twice, the platform has two',
  builder: (yargs) =>
    yargs
      .positional('name', {
        type: 'string',
        demandOption: true,
        describe: 'Its name, at most 200 characters; {date} is put in',
      })
      .options({ ...PLATFORM_OPTIONS, ...JSON_OPTION }),
  handler: async (args) => {
    const { createList } = await import('./manage-lists.js');
    await createList(args.name, args);
  },
});

const addCommand = command<AddArguments>({
  command: 'add <list> <file>',
  describe: 'Put the rows of a table into a list; who is in already is not added twice',
  builder: (yargs) =>
    yargs
      .positional('list', {
        type: 'string',
        demandOption: true,
        describe: 'Id of the list (clt_…)',
      })
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe:
          'An enriched table, or any CSV or NDJSON with e-mail or profile columns; - is standard input',
      })
      .nargs('file', 1) // so that - is a file
      .options({
        where: { ...TEXT, describe: 'Which rows, like: email_status = deliverable (default: all)' },
        ...PLATFORM_OPTIONS,
        ...JSON_OPTION,
      }),
  handler: async (args) => {
    const { addToList } = await import('./manage-lists.js');
    await addToList(args.list, args.file, args.where, args);
  },
});

const adoptCommand = command<AdoptArguments>({
  command: 'adopt <run> <list>',
  describe: 'Say which list a run created, where that is not known',
  builder: (yargs) =>
    yargs
      .positional('run', { type: 'number', demandOption: true, describe: 'Number of the run' })
      .positional('list', {
        type: 'string',
        demandOption: true,
        describe: 'Id of the list (clt_…)',
      })
      .options({ ...STATE_OPTION, ...JSON_OPTION }),
  handler: async (args) => {
    const { adoptList } = await import('./manage-lists.js');
    await adoptList(args.run, args.list, args);
  },
});

export const listsCommand = command<object>({
  command: 'lists <command>',
  describe: 'Create contact lists and put people into them',
  builder: (yargs) =>
    yargs
      .command([createCommand, addCommand, adoptCommand] as never)
      .demandCommand(1, SAY_WHAT.lists),
  handler: () => undefined,
});
