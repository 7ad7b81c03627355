// Which events `sluice events` shows, read from its command line.

import { SluiceError } from '../../model/errors.js';
import {
  EVENT_CATALOGUE,
  EVENT_GROUPS,
  judgeEventType,
} from '../../model/events/event-catalogue.js';
import { nearestNames } from '../../model/text/nearest.js';
import { parseDuration, parseHttpDate } from '../../model/text/time.js';
import type { EventFilter } from '../../ports/store/events.js';

export interface FilterArguments {
  type: string[] | undefined;
  group: string[] | undefined;
  campaign: string | undefined;
  lead: string | undefined;
  since: string | undefined;
  until: string | undefined;
}

/**
 * `now` is what times like `24h` count back from.
 * @throws SluiceError `usage` for a type or group that does not exist, and a time that is none
 */
export function eventFilterOf(args: FilterArguments, now: number): EventFilter {
  for (const type of args.type ?? []) {
    const judged = judgeEventType(type);
    if (judged.kind !== 'known') throw new SluiceError('usage', judged.problem, { flag: 'type' });
    if (judged.event.group === 'enrichment') throw resultsAreElsewhere('type');
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
  const message = '--until comes before --since: nothing can have happened in between.';
  throw new SluiceError('usage', message, { flag: 'until' });
}

function checkGroup(group: string): void {
  if (group === 'enrichment') throw resultsAreElsewhere('group');
  if (EVENT_GROUPS.some((known) => known === group)) return;
  const [nearest] = nearestNames(group, EVENT_GROUPS);
  const hint =
    nearest === undefined ? `they are ${EVENT_GROUPS.join(', ')}.` : `did you mean ${nearest}?`;
  throw new SluiceError('usage', `There is no group of events ${JSON.stringify(group)}; ${hint}`, {
    flag: 'group',
  });
}

function resultsAreElsewhere(flag: string): SluiceError {
  const message =
    'Results of enrichments are no events here: "sluice deliveries" lists those that webhooks brought.';
  return new SluiceError('usage', message, { flag });
}

function timeOf(flag: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ago = parseDuration(text);
  const time = ago === undefined ? parseHttpDate(text) : now - ago;
  if (time !== undefined) return time;
  throw new SluiceError(
    'usage',
    `--${flag}: a time is written 2026-11-21, 2026-11-21T08:30 (UTC), or 24h for that long ago.`,
    { flag },
  );
}
