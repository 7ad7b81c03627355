// sluice events: the events that webhooks brought: listed, followed, or written as a table.

import type { InferredOptionTypes } from 'yargs';
import { type EventTable, exportEvents, followEvents } from '../../../app/results/export-events.js';
import { systemClock } from '../../../app/system-clock.js';
import { wrongUse } from '../../../model/errors.js';
import {
  EVENT_CATALOGUE,
  EVENT_GROUPS,
  judgeEventType,
} from '../../../model/events/event-catalogue.js';
import { toEventObject } from '../../../model/events/event-columns.js';
import { changedTexts } from '../../../model/report/written-tables.js';
import type { RunObserver } from '../../../model/telemetry/observe.js';
import { formatCount } from '../../../model/text/count.js';
import { parseDate } from '../../../model/text/date.js';
import { printable, printableJson } from '../../../model/text/printable.js';
import { parseDuration } from '../../../model/text/time.js';
import type { EventFilter, StoredEvent } from '../../../ports/store/events.js';
import type { Store } from '../../../ports/store/store.js';
import { textOf } from '../../../tell/as-text.js';
import { eventCells, tellEvents } from '../../../tell/tell-lists.js';
import { command, type MaybeSaid } from '../../command.js';
import { type FlagValues, jobFlags, jobOfFlags } from '../../job-flags.js';
import { checkLast } from '../../misuse.js';
import { withState } from '../../open-state.js';
import {
  FORCE_OPTION,
  LIST_OPTIONS,
  number,
  STATE_OPTION,
  text,
  texts,
  toggle,
} from '../../options.js';
import { stoppedOrUnread } from '../../signals.js';
import { LOG_OPTION, withLog } from '../../with-log.js';

const LAST = 20;
const TABLE_KEYS = ['excel', 'delimiter-out', 'bom', 'formula-guard'] as const;

const FILTER_OPTIONS = {
  type: texts("Only events of this type, by our name or the platform's; may be repeated"),
  group: text('Only events of this group; may be repeated', {
    array: true,
    choices: EVENT_GROUPS.filter((group) => group !== 'enrichment'),
  }),
  campaign: text('Only events of the campaign with this id'),
  lead: text('Only events of the lead with this id or e-mail address'),
  since: text('Only what happened from then on: 2026-11-21, or 24h ago'),
  until: text('Only what happened before that'),
} as const;

export const eventsCommand = command({
  options: {
    ...jobFlags(TABLE_KEYS),
    ...FILTER_OPTIONS,
    last: number(`How many, the newest (default: ${LAST})`),
    follow: toggle('Go on and print events as they come; Ctrl+C stops it', { alias: 'f' }),
    out: text(
      'Write a table: .csv, .tsv or .ndjson, also with .gz, .xlsx or .parquet; - for CSV on standard output',
    ),
    ...FORCE_OPTION,
    ...STATE_OPTION,
    ...LOG_OPTION,
    ...LIST_OPTIONS,
  },
  examples: {
    'sluice events --group email --since 24h': '',
    'sluice events --type emailsReplied --out replies.csv': '',
  },
  handler: async (args) => {
    const { out, force, follow, json: isJson } = args;
    const table = tableOf(args);
    const { last = LAST } = args;
    checkLast(last, 'events');
    if (out !== undefined && (follow || args.last !== undefined)) {
      throw wrongUse('--out writes every event: leave out --follow and --last.');
    }
    const filter = eventFilterOf(args, Date.now());
    return withLog(args, ({ watch }) =>
      withState(args.state, async (store): Promise<MaybeSaid> => {
        await noteUnknown(args.type ?? [], store);
        if (out !== undefined) {
          return exportTable(store, filter, { out, ...table }, force);
        }
        if (follow) return printEventsAsTheyCome(store, filter, { last, isJson }, watch.observe);
        return tellEvents(await store.events(filter, { last }));
      }),
    );
  },
});

/** How the flags want the table written. */
function tableOf(flags: FlagValues): Omit<EventTable, 'out'> {
  const job = jobOfFlags(flags, { input: '-' }, TABLE_KEYS);
  const { bom, excel, 'formula-guard': formulaGuard } = job;
  return { delimiter: job['delimiter-out'], bom, excel, formulaGuard };
}

/** The column widths of followed lines: the lines to come are not known yet. */
const WIDTHS = [19, 28, 32, 24];

/** Prints the newest events, then each new one, until Ctrl+C or until the reader of the output has gone. */
async function printEventsAsTheyCome(
  store: Store,
  filter: EventFilter,
  { last, isJson }: { readonly last: number; readonly isJson: boolean },
  observe: RunObserver,
): Promise<void> {
  const signal = stoppedOrUnread();
  const [newest] = await store.events({}, { last: 1 });
  const events = await store.events(filter, { last });
  for (const event of events) console.log(toLine(event, isJson));
  const after = Math.max(newest?.number ?? 0, events.at(-1)?.number ?? 0);
  for await (const page of followEvents(store, { after, filter }, systemClock, signal)) {
    for (const event of page) console.log(toLine(event, isJson));
    const newestNumber = page.at(-1)?.number ?? after;
    observe({ kind: 'events.followed', count: page.length, last: newestNumber });
  }
}

async function exportTable(
  store: Store,
  filter: EventFilter,
  table: EventTable,
  force: boolean,
): Promise<MaybeSaid> {
  const { out } = table;
  const { stdout: standardOutput } = process;
  const report = await exportEvents(store, filter, table, { standardOutput, force });
  const { events, changed } = report;
  const lines = [`${out}: ${formatCount(events, 'event')}`, ...changedTexts(changed)];
  return { data: { out, ...report }, lines, table: out };
}

function toLine(event: StoredEvent, isJson: boolean): string {
  if (isJson) return printableJson(JSON.stringify(toEventObject(event)));
  const cells = eventCells(event).map((cell, i) => textOf(cell, true).padEnd(WIDTHS[i] ?? 0));
  return printable(cells.join('  ').trimEnd());
}

/**
 * Times like `24h` count back from `now`.
 * @throws SluiceError `usage` for a type of results, and an invalid time
 */
function eventFilterOf(args: InferredOptionTypes<typeof FILTER_OPTIONS>, now: number): EventFilter {
  for (const type of args.type ?? []) {
    const judged = judgeEventType(type);
    const isResult = judged.kind === 'known' && judged.event.group === 'enrichment';
    if (isResult) {
      throw wrongUse(
        'Results of enrichments are no events here: "sluice status --deliveries" lists those that webhooks brought.',
      );
    }
  }
  const ofGroups = EVENT_CATALOGUE.filter(
    ({ group }) => args.group?.some((one) => one === group) === true,
  );
  const types = [...(args.type ?? []), ...ofGroups.map(({ type }) => type)];
  const filter = {
    types: types.length === 0 ? undefined : types,
    campaignId: args.campaign,
    lead: args.lead,
    since: timeOf('since', args.since, now),
    until: timeOf('until', args.until, now),
  };
  if ((filter.since ?? Number.NEGATIVE_INFINITY) < (filter.until ?? Number.POSITIVE_INFINITY)) {
    return filter;
  }
  throw wrongUse('--until comes before --since: nothing can have happened in between.');
}

/** The platform may send types that its documentation does not name, and have other names for those that it does. */
async function noteUnknown(types: readonly string[], store: Store): Promise<void> {
  for (const type of types) {
    const judged = judgeEventType(type);
    if (judged.kind === 'known') continue;
    const [kept] = await store.events({ types: [type] }, { last: 1 });
    if (kept === undefined) console.error(`${judged.problem} Looking for it all the same.`);
  }
}

function timeOf(flag: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ago = parseDuration(text);
  const time = ago === undefined ? parseDate(text) : now - ago;
  if (time !== undefined) return time;
  throw wrongUse(
    `--${flag}: a time is written 2026-11-21, 2026-11-21T08:30 (UTC), or 24h for that long ago.`,
  );
}
