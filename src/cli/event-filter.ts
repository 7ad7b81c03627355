// Which events `sluice events` shows, read from its command line.
import { parseDuration } from '../domain/duration.js';
import { SluiceError } from '../domain/errors.js';
import { EVENT_CATALOGUE, EVENT_GROUPS, judgeEventType } from '../domain/event-catalogue.js';
import { parseHttpDate } from '../domain/http-time.js';
import { nearestNames } from '../domain/nearest.js';
import type { EventFilter } from '../domain/ports/events.js';

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
  }
  for (const group of args.group ?? []) checkGroup(group);
  const ofGroups = EVENT_CATALOGUE.filter(({ group }) => args.group?.includes(group) === true);
  const types = [...(args.type ?? []), ...ofGroups.map(({ type }) => type)];
  return {
    types: types.length === 0 ? undefined : types,
    campaignId: args.campaign,
    lead: args.lead,
    since: timeOf('since', args.since, now),
    until: timeOf('until', args.until, now),
  };
}

function checkGroup(group: string): void {
  if (EVENT_GROUPS.some((known) => known === group)) return;
  const [nearest] = nearestNames(group, EVENT_GROUPS);
  const hint =
    nearest === undefined ? `they are ${EVENT_GROUPS.join(', ')}.` : `did you mean ${nearest}?`;
  throw new SluiceError('usage', `There is no group of events ${JSON.stringify(group)}; ${hint}`, {
    flag: 'group',
  });
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
