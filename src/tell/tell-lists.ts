// Tells the lists that a state or a platform has: caps, deliveries, schedules, dialects, webhooks.
import type { DialectSummary } from '../app/platform/list-dialects.js';
import type { SeenCaps } from '../app/state/keep-caps.js';
import { priceOf } from '../model/ask.js';
import { toEventObject } from '../model/events/event-columns.js';
import { refusedData, tellRefused } from '../model/report/refused-deliveries.js';
import type { Hook } from '../model/resources/resources.js';
import { type CapState, capData, leftOf, type ToldCaps } from '../model/schedule/caps.js';
import { formatRate } from '../model/schedule/rate.js';
import { formatCount, formatNumber } from '../model/text/count.js';
import type { JournalEntry, RefusedDeliveries } from '../ports/store/deliveries.js';
import type { StoredEvent } from '../ports/store/events.js';
import type { KeptSchedule } from '../ports/store/jobs.js';
import type { Page, Value } from './page.js';
import { listPage } from './shared.js';

export function tellCaps(all: readonly SeenCaps[]): Page {
  const rows = all.flatMap(({ account, caps, job, told }) =>
    caps.map((cap) => [
      told.name ?? `id-${account}${job === null ? '' : `, last used by ${job}`}`,
      `${amountOf(cap, told)} a ${cap.period} (${cap.timezone})`,
      cap.spent,
      cap.reserved,
      Math.max(0, leftOf(cap)),
      { at: cap.until },
    ]),
  );
  const names = ['account', 'cap', '*spent', '*reserved', '*left', 'next period'];
  const data = all.map((one) => ({
    account: `id-${one.account}`,
    name: one.told.name ?? null,
    lastJob: one.job,
    caps: one.caps.map((cap) => ({ ...capData(cap), stated: one.told[cap.period] ?? null })),
  }));
  return listPage('Caps', names, rows, {
    data,
    empty: 'No account has a cap. One of a job (its key caps) is not listed here.',
  });
}

/** `22`; `2 EUR (22.222)`, where it was stated in money. */
function amountOf({ credits, period }: CapState, told: ToldCaps): string {
  const amount = formatNumber(credits);
  const money = told[period];
  return money === undefined ? amount : `${money} (${amount})`;
}

const ABOUT_MAX = 60;

/** When it happened, its type, its lead, its campaign, and what it is about. */
export function eventCells({ type, happenedAt, record }: StoredEvent): Value[] {
  const first = (...names: string[]) =>
    names.map((name) => record[name]).find((one) => typeof one === 'string' && one !== '') ?? null;
  const about = first('subject', 'sendUserEmail') as string | null;
  const who = [first('leadEmail', 'leadId'), first('campaignName', 'campaignId')] as Value[];
  return [{ at: happenedAt }, type, ...who, about && about.slice(0, ABOUT_MAX)];
}

export function tellEvents(events: readonly StoredEvent[]): Page {
  const names = ['happened', 'type', 'lead', 'campaign', 'about'];
  const data = events.map((one) => new Map(Object.entries(toEventObject(one))));
  return listPage('Events', names, events.map(eventCells), {
    data,
    empty: 'No such event is kept.',
  });
}

const DELIVERED =
  'settled: the answer was taken; unchanged: it came twice or late, or is empty, which a look at the ticket decides; unknown: no request of this state has it.';

/** `unkept`: how many came and were not kept. */
export function tellDeliveries(
  entries: readonly JournalEntry[],
  refused: readonly RefusedDeliveries[],
  unkept: number,
): Page {
  const counts = ['*settled', '*unchanged', '*unknown', '*bytes', '*times'];
  const rows = entries.map(({ handledAt, id, receivedAt, ...one }) => [
    String(id),
    { at: receivedAt },
    handledAt === null ? 'pending' : { at: handledAt },
    one.settled,
    one.unchanged,
    one.unknown,
    one.bytes,
    one.times,
  ]);
  const [more, was] = [
    formatCount(unkept, 'delivery', 'deliveries'),
    unkept === 1 ? 'was' : 'were',
  ];
  const lost = `${more} more came and ${was} not kept: the lead had its answer, or too much came under one key.`;
  const nothing = { settled: null, unchanged: null, unknown: null, bytes: null };
  return listPage('Deliveries', ['*delivery', 'received', 'handled', ...counts], rows, {
    empty: 'None is kept.',
    after: [
      ...(entries.length === 0 ? [] : [DELIVERED]),
      ...(unkept === 0 ? [] : [lost]),
      ...refused.map((one) => tellRefused(one, '')),
    ],
    data: [
      ...entries.map(({ id, scope: _scope, ...entry }) => ({
        delivery: id,
        ...entry,
        refused: null,
      })),
      ...refused.map((one) => ({
        delivery: null,
        receivedAt: one.lastAt,
        handledAt: null,
        ...nothing,
        times: one.count,
        refused: refusedData(one),
      })),
    ],
  });
}

/** `before`: sentences about what was changed. */
export function tellSchedules(
  data: readonly KeptSchedule[],
  empty: string,
  before: readonly string[] = [],
): Page {
  const rows = data.map(({ catchUp, job, nextAt, pattern, timezone }) => [
    job,
    pattern,
    timezone,
    catchUp,
    { at: nextAt },
  ]);
  const names = ['job', 'schedule', 'time zone', 'catch-up', 'next'];
  return listPage('Schedules', names, rows, { data, empty, before });
}

export function tellDialects(all: readonly DialectSummary[]): Page {
  const rows = all.map(({ asks, bulkMax, name, prices, rate, webhooks }) => [
    name,
    asks.map((ask) => `${ask} (${formatNumber(priceOf(prices, ask))})`).join(', '),
    formatRate(rate),
    webhooks.length === 0 ? 'none' : webhooks.join(', '),
    bulkMax === 0 ? 'none' : `${formatNumber(bulkMax)} at once`,
  ]);
  const data = all.map(({ asks, bulkMax, name, prices, rate, webhooks }) => ({
    dialect: name,
    asks: new Map(asks.map((ask) => [ask, prices[ask]])),
    rate: formatRate(rate),
    webhooks,
    bulkMax,
  }));
  return listPage('Dialects', ['dialect', 'asks (credits)', 'rate', 'webhooks', 'bulk'], rows, {
    data,
  });
}

export function tellHooks(hooks: readonly Hook[]): Page {
  const rows = hooks.map(({ createdAt, id, targetUrl, type }) => [
    id,
    type ?? 'every event',
    createdAt ?? '',
    targetUrl,
  ]);
  const data = hooks.map(hookData);
  const empty = 'No webhook.';
  return listPage('Webhooks', ['hook', 'type', 'created', 'target'], rows, { data, empty });
}

export function hookData({ createdAt, id, targetUrl, type }: Hook) {
  return { hook: id, type: type ?? null, target: targetUrl, createdAt: createdAt ?? null };
}
