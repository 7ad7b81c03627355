// sluice state: makes and upgrades a state in a database, moves a state to another place, and names the server from
// which it may be paid for.
import { stateOf } from '../../app/settings/command-settings.js';
import { SluiceError } from '../../model/errors.js';
import { isDatabase, loadPostgres } from '../../store/open-store.js';
import { command, commandGroup, JSON_OPTION, STATE_OPTION } from '../command.js';
import { commandEnvironment } from '../command-environment.js';
import { formatCount } from '../print/format.js';
import { copyStateCommand } from './copy-state.js';

const migrateCommand = command({
  command: 'migrate',
  describe: 'Make the tables of a state in a database, or bring them up to date',
  builder: (yargs) => yargs.options({ ...STATE_OPTION, ...JSON_OPTION }),
  handler: async (args) => {
    const environment = commandEnvironment();
    const state = stateOf(args.state, environment);
    if (!isDatabase(state)) {
      const lines = `${state} is a file, which each command makes and brings up to date by itself. There is nothing to do.`;
      return { json: { state, steps: 0 }, lines };
    }
    const { migrateDatabase } = await loadPostgres();
    const steps = await migrateDatabase(state);
    const { makeQueue } = await import('../../app/queue/open-dispatcher.js');
    const problem = await makeQueue(state, environment);
    const done =
      steps === 0
        ? `${state} is up to date. Nothing was changed.`
        : `${state} is up to date: ${formatCount(steps, 'step')} of the schema applied.`;
    const queue =
      problem === undefined
        ? 'The queue for workers is there too.'
        : `There is no queue yet, which only workers need. ${problem}`;
    return { json: { state, steps, queue: problem === undefined }, lines: [done, queue] };
  },
});

const trustCommand = command({
  command: 'trust',
  describe: 'Pay from the server that a database is on now, after a failover or a restored backup',
  builder: (yargs) => yargs.options({ ...STATE_OPTION, ...JSON_OPTION }),
  handler: async (args) => {
    const state = stateOf(args.state, commandEnvironment());
    if (!isDatabase(state)) {
      throw new SluiceError('usage', `${state} is a file: there is no server to trust.`);
    }
    const { trustDatabase } = await loadPostgres();
    const isNew = await trustDatabase(state);
    const lines = isNew
      ? `${state}: runs send again, from the server that it is on now. What was paid for in the last moments before the change, and is missing here, can be paid for again.`
      : `${state} is on the server that it was written on. Nothing was changed.`;
    return { json: { state, changed: isNew }, lines };
  },
});

export const stateCommands = commandGroup('state', [
  migrateCommand,
  copyStateCommand,
  trustCommand,
]);
