// The flags that choose events, and what is wrong with them.
import type { SluiceError } from '../../../model/errors.js';
import {
  EVENT_CATALOGUE,
  EVENT_GROUPS,
  judgeEventType,
} from '../../../model/events/event-catalogue.js';
import { parseDate } from '../../../model/text/date.js';
import { nearestNames } from '../../../model/text/nearest.js';
import { parseDuration } from '../../../model/text/time.js';
import type { EventFilter } from '../../../ports/store/events.js';
import type { Store } from '../../../ports/store/store.js';
import { wrongFlag } from '../../misuse.js';

interface FilterArguments {
  readonly type?: string[] | undefined;
  readonly group?: string[] | undefined;
  readonly campaign?: string | undefined;
  readonly lead?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Times like `24h` count back from `now`.
 * @throws SluiceError `usage` for an unknown group, a type of results, and an invalid time
 */
export function eventFilterOf(args: FilterArguments, now: number): EventFilter {
  for (const type of args.type ?? []) {
    const judged = judgeEventType(type);
    const isResult = judged.kind === 'known' && judged.event.group === 'enrichment';
    if (isResult) throw resultsAreElsewhere('type');
  }
  for (const group of args.group ?? []) checkGroup(group);
  const ofGroups = EVENT_CATALOGUE.filter(({ group }) => args.group?.includes(group) === true);
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
  throw wrongFlag('until', '--until comes before --since: nothing can have happened in between.');
}

/** The platform may send types that its documentation does not name, and have other names for those that it does. */
export async function noteUnknown(types: readonly string[], store: Store): Promise<void> {
  for (const type of types) {
    const judged = judgeEventType(type);
    if (judged.kind === 'known') continue;
    const [kept] = await store.events({ types: [type] }, { last: 1 });
    if (kept === undefined) console.error(`${judged.problem} Looking for it all the same.`);
  }
}

function checkGroup(group: string): void {
  if (group === 'enrichment') throw resultsAreElsewhere('group');
  if (EVENT_GROUPS.some((known) => known === group)) return;
  const [nearest] = nearestNames(group, EVENT_GROUPS);
  const hint =
    nearest === undefined ? `they are ${EVENT_GROUPS.join(', ')}.` : `did you mean ${nearest}?`;
  throw wrongFlag('group', `There is no group of events ${JSON.stringify(group)}; ${hint}`);
}

function resultsAreElsewhere(flag: string): SluiceError {
  return wrongFlag(
    flag,
    'Results of enrichments are no events here: "sluice deliveries" lists those that webhooks brought.',
  );
}

function timeOf(flag: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ago = parseDuration(text);
  const time = ago === undefined ? parseDate(text) : now - ago;
  if (time !== undefined) return time;
  throw wrongFlag(
    flag,
    `--${flag}: a time is written 2026-11-21, 2026-11-21T08:30 (UTC), or 24h for that long ago.`,
  );
}
