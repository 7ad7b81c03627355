// sluice events: what webhooks told of, besides results.

import type { RunObserver } from '../../../model/telemetry/run-event.js';
import type { Store } from '../../../ports/store/store.js';
import { command, FORCE_OPTION, JSON_OPTION, NUMBER, STATE_OPTION, TEXT } from '../../command.js';
import type { FilterArguments } from '../../flags/event-filter.js';
import { LOG_OPTION, type LogArguments } from '../../flags/log-option.js';

interface EventsArguments extends FilterArguments, LogArguments {
  last: number | undefined;
  follow: boolean;
  out: string | undefined;
  bom: boolean;
  excel: boolean;
  'formula-guard': boolean;
  force: boolean;
  state: string | undefined;
  json: boolean;
}

const LAST = 20;

export const eventsCommand = command<EventsArguments>({
  command: 'events',
  describe: 'Show, follow or export the events that webhooks told of',
  builder: (yargs) =>
    yargs
      .options({
        type: { ...TEXT, array: true, describe: 'Only events of this type; may be repeated' },
        group: {
          ...TEXT,
          array: true,
          describe: 'Only events of this group, like email or call; may be repeated',
        },
        campaign: { ...TEXT, describe: 'Only events of the campaign with this id' },
        lead: { ...TEXT, describe: 'Only events of the lead with this id or e-mail address' },
        since: { ...TEXT, describe: 'Only what happened from then on: 2026-11-21, or 24h ago' },
        until: { ...TEXT, describe: 'Only what happened before that' },
        last: { ...NUMBER, describe: `How many, the newest (default: ${LAST})` },
        follow: {
          alias: 'f',
          type: 'boolean',
          default: false,
          describe: 'Go on and print events as they come; Ctrl+C stops it',
        },
        out: { ...TEXT, describe: 'Write a table: .csv or .ndjson; - for CSV on standard output' },
        bom: { type: 'boolean', default: false, describe: 'Begin a CSV with a byte order mark' },
        excel: { type: 'boolean', default: false, describe: 'CSV as Excel wants it' },
        'formula-guard': {
          type: 'boolean',
          default: true,
          describe: 'Keep text from starting a formula',
        },
        ...FORCE_OPTION,
        ...STATE_OPTION,
        ...LOG_OPTION,
        ...JSON_OPTION,
      })
      .example('$0 events --group email --since 24h', '')
      .example('$0 events --type emailsReplied --out replies.csv', ''),
  handler: async (args) => {
    const { SluiceError } = await import('../../../model/errors.js');
    const { withState } = await import('../../open-state.js');
    const { eventFilterOf } = await import('../../flags/event-filter.js');
    const { exportTable, listEvents, printEventsAsTheyCome } = await import(
      '../../print/print-events.js'
    );
    const { checkLast } = await import('../../flags/check-last.js');
    checkLast(args.last ?? LAST, 'events');
    if (args.out !== undefined && (args.follow || args.last !== undefined)) {
      const message = '--out writes every event there is: leave out --follow and --last.';
      throw new SluiceError('usage', message, { flag: 'out' });
    }
    const filter = eventFilterOf(args, Date.now());
    const { withLog } = await import('../../with-log.js');
    const printEvents = (observe: RunObserver) => async (store: Store) => {
      if (args.out !== undefined) {
        const { out, bom, excel, 'formula-guard': formulaGuard } = args;
        const table = { out, bom, excel, formulaGuard };
        await exportTable(store, filter, table, args);
        return;
      }
      const tell = args.follow ? printEventsAsTheyCome : listEvents;
      await tell(store, filter, { last: args.last ?? LAST, isJson: args.json }, observe);
    };
    await withLog(args, ({ watch }) => withState(args.state, printEvents(watch.observe)));
  },
});
