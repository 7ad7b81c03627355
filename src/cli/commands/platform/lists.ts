// sluice lists: creates contact lists, and puts people into them.
import { addTable, createList } from '../../../app/platform/add-table.js';
import { adoptList } from '../../../app/state/change-run.js';
import { demandCalls } from '../../../dialect/calls.js';
import { tellBadLines } from '../../../model/report/bad-lines.js';
import { demandListId } from '../../../model/resources/contact-list.js';
import { formatCount, formatNumber } from '../../../model/text/count.js';
import { command } from '../../command.js';
import { findRun, stateCommand } from '../../open-state.js';
import { needed, RUN, text } from '../../options.js';
import { platformCommand } from '../../platform-command.js';

const LIST = needed('Id of the list (clt_…)');

const createCommand = platformCommand({
  command: 'create <name>',
  describe: 'Create a static contact list; each call creates another one',
  args: { name: needed('Its name, at most 200 characters; {date} is put in') },
  ask: ({ platform }, { name }) => createList(platform, name),
  handler: ({ id, name }) => ({ data: { list: id, name }, lines: `Created ${id}: ${name}` }),
});

const addCommand = platformCommand({
  command: 'add <list> <file>',
  describe: 'Put the rows of a table into a list; members already in it are not added twice',
  args: {
    list: LIST,
    file: needed(
      'An enriched table, or any CSV, NDJSON or XLSX with e-mail or profile columns; - is standard input',
    ),
  },
  options: { where: text('The rows to add, like: email_status = deliverable (default: all)') },
  ask: ({ platform, dialect, store }, { file, list, where }) => {
    demandListId(list);
    demandCalls(dialect, 'lists');
    return addTable(platform, list, { store, file, where, standardInput: process.stdin });
  },
  handler: (
    { rows, added, alreadyIn, repeated, suppressed, skipped, doubtful, rejects },
    { list },
  ) => {
    for (const line of tellBadLines(rejects, 'line', 'cannot be read')) console.error(line);
    for (const line of tellBadLines(doubtful, 'row', 'left out as doubtful')) console.error(line);
    const all = skipped + doubtful.count;
    const counts = { rows, added, already_in: alreadyIn, repeated, suppressed, skipped: all };
    const left =
      suppressed === 0 ? '' : `, ${formatCount(suppressed, 'is', 'are')} suppressed and left out`;
    const twice =
      repeated === 0 ? '' : `, ${formatCount(repeated, 'row')} of people of earlier rows`;
    const unknown =
      skipped === 0 ? '' : `, ${formatNumber(skipped)} without a usable e-mail or profile address`;
    return {
      data: { list, ...counts, rejects: rejects.count },
      lines: `Added ${formatNumber(added)} to ${list}; ${formatCount(alreadyIn, 'was', 'were')} already in it${twice}${left}${unknown}.`,
    };
  },
});

const adoptCommand = stateCommand({
  command: 'adopt <run> <list>',
  describe: 'Name the list that a run created, if that is not known',
  args: { run: RUN, list: LIST },
  prepare: ({ list }) => demandListId(list),
  handler: async ({ run: id, list }, store, path) => {
    const run = await findRun(store, path, id);
    await adoptList(store, run, list, path);
    return {
      data: { run: run.id, list },
      lines: `Run ${run.id} fills ${list} from now on. Start its job as before; it continues.`,
    };
  },
});

export const listsCommand = command({ commands: [createCommand, addCommand, adoptCommand] });
