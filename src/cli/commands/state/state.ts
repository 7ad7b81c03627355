// sluice state: copies a state file, also while runs go on; makes and upgrades a state in a database, moves a state to
// another place, and names the server from which it may be paid for.

import { existsSync } from 'node:fs';
import { refuseOwnFiles } from '../../../app/files/check-writes.js';
import { stateOf } from '../../../app/settings/command-settings.js';
import { copyState } from '../../../app/state/copy-state.js';
import { wrongUse } from '../../../model/errors.js';
import { formatCount, formatNumber } from '../../../model/text/count.js';
import { whileOpen } from '../../../model/while-open.js';
import { isDatabase, loadPostgres, nameState, openArchive } from '../../../store/open-store.js';
import { command } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { stateCommand } from '../../open-state.js';
import { JSON_OPTION, needed, STATE_OPTION } from '../../options.js';
import { createTold } from '../../print/progress.js';
import { forgetCommand } from './forget.js';
import { pruneCommand } from './prune.js';

const backupCommand = stateCommand({
  command: 'backup <file>',
  describe: 'Copy a state file, checked, also while a run goes on',
  args: { file: needed('The file to write; never overwrites one') },
  handler: async ({ file }, store, state) => {
    refuseOwnFiles([{ path: file, purpose: 'backup' }], { job: '', sources: [], state });
    const bytes = await store.backup(file);
    return {
      data: { state, file, bytes },
      lines: `${file}: ${formatNumber(bytes)} bytes, complete and checked. It holds people's data: keep it as safe as ${state}.`,
    };
  },
});

const migrateCommand = command({
  command: 'migrate',
  describe: 'Make the tables of a state in a database, or bring them up to date',
  options: { ...STATE_OPTION, ...JSON_OPTION },
  handler: async (args) => {
    const environment = commandEnvironment();
    const state = stateOf(args.state, environment);
    if (!isDatabase(state)) {
      const lines = `${state} is a file, which each command makes and brings up to date by itself. There is nothing to do.`;
      return { data: { state, steps: 0 }, lines };
    }
    const { migrateDatabase } = await loadPostgres();
    const steps = await migrateDatabase(state);
    const { makeQueue } = await import('../../../app/queue/open-dispatcher.js');
    const problem = await makeQueue(state, environment);
    const done =
      steps === 0
        ? `${state} is up to date. Nothing was changed.`
        : `${state} is up to date: ${formatCount(steps, 'step')} of the schema applied.`;
    const queue =
      problem === undefined
        ? 'The queue for workers is there too.'
        : `There is no queue yet, which only workers need. ${problem}`;
    return { data: { state, steps, queue: problem === undefined }, lines: [done, queue] };
  },
});

const trustCommand = command({
  command: 'trust',
  describe: 'Pay from the server that a database is on now, after a failover or a restored backup',
  options: { ...STATE_OPTION, ...JSON_OPTION },
  handler: async (args) => {
    const state = stateOf(args.state, commandEnvironment());
    if (!isDatabase(state)) {
      throw wrongUse(`${state} is a file: there is no server to trust.`);
    }
    const { trustDatabase } = await loadPostgres();
    const isNew = await trustDatabase(state);
    const lines = isNew
      ? `${state}: runs send again, from the server that it is on now. What was paid for in the last moments before the change, and is missing here, can be paid for again.`
      : `${state} is on the server that it was written on. Nothing was changed.`;
    return { data: { state, changed: isNew }, lines };
  },
});

const copyStateCommand = command({
  command: 'copy <from> <to>',
  describe: 'Move a complete state to another file or database, and check it',
  args: { from: needed('Whose runs it has'), to: needed('A new file, or an empty database') },
  options: { ...JSON_OPTION },
  examples: { 'sluice state copy data/sluice.db postgres://db.internal/leads': '' },
  handler: async ({ from, to }) => {
    if (!isDatabase(from) && !existsSync(from)) {
      throw wrongUse(`${nameState(from)} is not there: there is nothing to copy.`);
    }
    const told = createTold((count) => `${formatNumber(count)} rows copied`);
    const { rows, tables } = await whileOpen(await openArchive(from, 'source'), async (source) =>
      whileOpen(await openArchive(to, 'target'), (target) => copyState(source, target, told)),
    );
    return {
      data: { from, to, rows, tables },
      lines: [
        `${to}: ${formatNumber(rows)} rows copied, and each is the same as in ${from}.`,
        `From now on name this one: --state or SLUICE_STATE, for runs, listeners and timers. ${from} sends nothing more; keep it until the first runs are done.`,
      ],
    };
  },
});

export const stateCommands = command({
  commands: [
    backupCommand,
    copyStateCommand,
    pruneCommand,
    forgetCommand,
    migrateCommand,
    trustCommand,
  ],
});
