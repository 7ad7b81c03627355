// sluice lists: creates contact lists, and puts people into them.
import { addTable } from '../../../app/platform/add-table.js';
import { askPlatform } from '../../../app/platform/ask-platform.js';
import { createList } from '../../../app/platform/create-list.js';
import { adoptList } from '../../../app/state/change-run.js';
import { demandCalls } from '../../../dialect/calls.js';
import { demandListId } from '../../../model/resources/contact-list.js';
import { command, commandGroup, JSON_OPTION, PLATFORM_OPTIONS, RUN, TEXT } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { findRun, stateCommand } from '../../open-state.js';
import { badLines, formatCount, formatNumber } from '../../print/format.js';

const LIST = { type: 'string', demandOption: true, describe: 'Id of the list (clt_…)' } as const;

const createCommand = command({
  command: 'create <name>',
  describe: 'Create a static contact list; each call creates another one',
  builder: (yargs) =>
    yargs
      .positional('name', {
        type: 'string',
        demandOption: true,
        describe: 'Its name, at most 200 characters; {date} is put in',
      })
      .options({ ...PLATFORM_OPTIONS, ...JSON_OPTION }),
  handler: async (args) => {
    const { id, name } = await createList(args.name, args, commandEnvironment());
    return { json: { list: id, name }, lines: `Created ${id}: ${name}` };
  },
});

const addCommand = command({
  command: 'add <list> <file>',
  describe: 'Put the rows of a table into a list; members already in it are not added twice',
  builder: (yargs) =>
    yargs
      .positional('list', LIST)
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe:
          'An enriched table, or any CSV, NDJSON or XLSX with e-mail or profile columns; - is standard input',
      })
      .nargs('file', 1) // so that - is a file
      .options({
        where: {
          ...TEXT,
          describe: 'The rows to add, like: email_status = deliverable (default: all)',
        },
        ...PLATFORM_OPTIONS,
        ...JSON_OPTION,
      }),
  handler: async (args) => {
    const { list, file, where } = args;
    demandListId(list);
    const { rows, added, alreadyIn, suppressed, skipped, doubtful, rejects } = await askPlatform(
      args,
      commandEnvironment(),
      ({ platform, dialect, store }) => {
        demandCalls(dialect, 'lists');
        return addTable(platform, list, { store, file, where, standardInput: process.stdin });
      },
    );
    for (const line of [
      ...badLines(rejects, 'line', 'cannot be read'),
      ...badLines(doubtful, 'row', 'left out, being in doubt'),
    ]) {
      console.error(line);
    }
    const counts = {
      rows,
      added,
      already_in: alreadyIn,
      suppressed,
      skipped: skipped + doubtful.count,
    };
    const left =
      suppressed === 0 ? '' : `, ${formatCount(suppressed, 'is', 'are')} suppressed and left out`;
    const unknown =
      skipped === 0 ? '' : `, ${formatNumber(skipped)} without a usable e-mail or profile address`;
    return {
      json: { list, ...counts, rejects: rejects.count },
      lines: `Added ${formatNumber(added)} to ${list}; ${formatCount(alreadyIn, 'was', 'were')} already in it${left}${unknown}.`,
    };
  },
});

const adoptCommand = stateCommand({
  command: 'adopt <run> <list>',
  describe: 'Name the list that a run created, if that is not known',
  builder: (yargs) => yargs.positional('run', RUN).positional('list', LIST),
  prepare: ({ list }) => demandListId(list),
  handler: async ({ run: id, list }, store, path) => {
    const run = await findRun(store, path, id);
    await adoptList(store, run, list, path);
    return {
      json: { run: run.id, list },
      lines: `Run ${run.id} fills ${list} from now on. Start its job as before; it continues.`,
    };
  },
});

export const listsCommand = commandGroup([createCommand, addCommand, adoptCommand]);
