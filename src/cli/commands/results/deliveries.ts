// sluice deliveries: the journal of deliveries, newest first.
import { tellDeliveries } from '../../../tell/tell-lists.js';
import { NUMBER, sayPage } from '../../command.js';
import { checkLast } from '../../misuse.js';
import { stateCommand } from '../../open-state.js';

export const deliveriesCommand = stateCommand({
  builder: (yargs) => yargs.options({ last: { ...NUMBER, default: 20, describe: 'How many' } }),
  prepare: ({ last }) => checkLast(last, 'deliveries'),
  handler: async ({ last }, store) =>
    sayPage(
      tellDeliveries({
        entries: await store.listDeliveries(last),
        refused: await store.refusedDeliveries(),
        unkept: await store.countUnkept(),
      }),
    ),
});
