// Tells the lists that a state or a platform has: caps, deliveries, schedules, dialects, webhooks.
import type { DialectSummary } from '../app/platform/list-dialects.js';
import type { KeptSchedules } from '../app/queue/keep-schedules.js';
import type { SeenCaps } from '../app/state/keep-caps.js';
import { priceOf } from '../model/ask.js';
import { toEventObject } from '../model/events/event-columns.js';
import { refusedData, tellRefused } from '../model/report/refused-deliveries.js';
import type { Hook } from '../model/resources/resources.js';
import { capData, leftOf } from '../model/schedule/caps.js';
import { formatRate } from '../model/schedule/rate.js';
import { formatCount, formatNumber } from '../model/text/count.js';
import type { JournalEntry, RefusedDeliveries } from '../ports/store/deliveries.js';
import type { StoredEvent } from '../ports/store/events.js';
import type { Column, Page, Table, Value } from './page.js';

/** `*` before the name of a column of numbers. */
function table(
  title: string,
  names: readonly string[],
  rows: readonly (readonly Value[])[],
  empty = '',
): Table {
  const columns = names.map(
    (name): Column => (name.startsWith('*') ? { name: name.slice(1), isNumber: true } : { name }),
  );
  return { kind: 'table', title, isAlone: true, columns, rows, empty };
}

export function tellCaps(all: readonly SeenCaps[]): Page {
  const rows = all.flatMap(({ account, caps, job }) =>
    caps.map((cap) => [
      `id-${account}`,
      job,
      `${formatNumber(cap.credits)} a ${cap.period} (${cap.timezone})`,
      cap.spent,
      cap.held,
      Math.max(0, leftOf(cap)),
      { at: cap.until },
    ]),
  );
  const names = ['account', 'job', 'cap', '*spent', '*held', '*left', 'next period'];
  return {
    title: 'Caps',
    parts: [table('Caps', names, rows, 'No account has a cap.')],
    data: all.map(({ account, caps, job }) => ({
      account: `id-${account}`,
      job,
      caps: caps.map(capData),
    })),
  };
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
  return {
    title: 'Events',
    parts: [table('Events', names, events.map(eventCells), 'No such event is kept.')],
    data: events.map((one) => new Map(Object.entries(toEventObject(one)))),
  };
}

interface Deliveries {
  readonly entries: readonly JournalEntry[];
  readonly refused: readonly RefusedDeliveries[];
  /** How many came and were not kept. */
  readonly unkept: number;
}

export function tellDeliveries({ entries, refused, unkept }: Deliveries): Page {
  const counts = ['*settled', '*unchanged', '*unknown', '*bytes', '*times'];
  const rows = entries.map(({ bytes, handledAt, id, receivedAt, times, ...entry }) => [
    String(id),
    { at: receivedAt },
    handledAt === null ? 'pending' : { at: handledAt },
    entry.settled,
    entry.unchanged,
    entry.unknown,
    bytes,
    times,
  ]);
  const more =
    unkept === 0
      ? []
      : [
          `${formatCount(unkept, 'delivery', 'deliveries')} more came and ${unkept === 1 ? 'was' : 'were'} not kept: the lead had its answer, or too much came under one key.`,
        ];
  const nothing = { settled: null, unchanged: null, unknown: null, bytes: null };
  return {
    title: 'Deliveries',
    parts: [
      table('Deliveries', ['*delivery', 'received', 'handled', ...counts], rows, 'None is kept.'),
      ...[...more, ...refused.map((one) => tellRefused(one, ''))].map(
        (text) => ({ kind: 'note', text }) as const,
      ),
    ],
    data: [
      ...entries.map(({ bytes, handledAt, id, receivedAt, times, ...entry }) => {
        const { settled, unchanged, unknown } = entry;
        const known = { settled, unchanged, unknown, bytes, times };
        return { delivery: id, receivedAt, handledAt, ...known, refused: null };
      }),
      ...refused.map((one) => ({
        delivery: null,
        receivedAt: one.lastAt,
        handledAt: null,
        ...nothing,
        times: one.count,
        refused: refusedData(one),
      })),
    ],
  };
}

/** `changes`: sentences about what was changed. */
export function tellSchedules(
  schedules: KeptSchedules['schedules'],
  empty: string,
  changes: readonly string[] = [],
): Page {
  const rows = schedules.map(({ catchUp, job, nextAt, pattern, timezone }) => [
    job,
    pattern,
    timezone,
    catchUp,
    { at: nextAt },
  ]);
  const names = ['job', 'schedule', 'time zone', 'catch-up', 'next'];
  return {
    title: 'Schedules',
    parts: [
      ...changes.map((text) => ({ kind: 'note', text }) as const),
      table('Schedules', names, rows, empty),
    ],
    data: schedules,
  };
}

export function tellDialects(all: readonly DialectSummary[]): Page {
  const rows = all.map(({ asks, bulkMax, name, prices, rate, webhooks }) => [
    name,
    asks.map((ask) => `${ask} (${formatNumber(priceOf(prices, ask))})`).join(', '),
    formatRate(rate),
    webhooks.length === 0 ? 'none' : webhooks.join(', '),
    bulkMax === 0 ? 'none' : `${formatNumber(bulkMax)} at once`,
  ]);
  return {
    title: 'Dialects',
    parts: [table('Dialects', ['dialect', 'asks (credits)', 'rate', 'webhooks', 'bulk'], rows)],
    data: all.map(({ asks, bulkMax, name, prices, rate, webhooks }) => ({
      dialect: name,
      asks: new Map(asks.map((ask) => [ask, prices[ask]])),
      rate: formatRate(rate),
      webhooks,
      bulkMax,
    })),
  };
}

export function tellHooks(hooks: readonly Hook[]): Page {
  const rows = hooks.map(({ createdAt, id, targetUrl, type }) => [
    id,
    type ?? 'every event',
    createdAt ?? '',
    targetUrl,
  ]);
  return {
    title: 'Webhooks',
    parts: [table('Webhooks', ['hook', 'type', 'created', 'target'], rows, 'No webhook.')],
    data: hooks.map(hookData),
  };
}

export function hookData({ createdAt, id, targetUrl, type }: Hook) {
  return { hook: id, type: type ?? null, target: targetUrl, createdAt: createdAt ?? null };
}
