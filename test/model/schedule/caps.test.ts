// The days and months of caps in their time zones, and the room that caps leave.
import { describe, expect, it } from 'vitest';
import {
  type CapState,
  leftOf,
  metCap,
  openZone,
  periodAt,
  quarterOf,
  roomIn,
  tellCap,
  tellUse,
} from '../../../src/model/schedule/caps.js';

const QUARTER_MS = 900_000;
/** From when and until when the period lasts that holds this time. */
const around = (period: 'day' | 'month', at: string, timezone: string) => {
  const { from, until } = periodAt(period, Date.parse(at), timezone);
  return [from, until].map((ms) => new Date(ms).toISOString().replace(':00.000Z', 'Z'));
};
const month = (at: string, timezone: string) => around('month', at, timezone);

describe('a calendar day', () => {
  it.each([
    ['UTC', '2026-11-27T00:00:00Z', '2026-11-27T00:00Z', '2026-11-28T00:00Z'],
    ['Europe/Berlin', '2026-11-27T22:59:59Z', '2026-11-26T23:00Z', '2026-11-27T23:00Z'],
    ['Europe/Berlin', '2026-11-27T23:00:00Z', '2026-11-27T23:00Z', '2026-11-28T23:00Z'],
    ['Asia/Kathmandu', '2026-11-27T18:15:00Z', '2026-11-27T18:15Z', '2026-11-28T18:15Z'],
    ['America/New_York', '2026-11-27T04:59:00Z', '2026-11-26T05:00Z', '2026-11-27T05:00Z'],
    // Clocks go on an hour, and back.
    ['Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    // A day without midnight, and one with two.
    ['America/Havana', '2026-03-08T12:00:00Z', '2026-03-08T05:00Z', '2026-03-09T04:00Z'],
    ['America/Havana', '2026-11-01T12:00:00Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
  ])('of %s holds %s', (timezone, at, from, until) => {
    expect(around('day', at, timezone)).toEqual([from, until]);
  });
});

it('a calendar month ends with its last day, also over a change of clocks and of the year', () => {
  expect(month('2026-10-31T22:59:00Z', 'Europe/Berlin')).toEqual([
    '2026-09-30T22:00Z',
    '2026-10-31T23:00Z',
  ]);
  expect(month('2026-12-31T23:30:00Z', 'Europe/Berlin')).toEqual([
    '2026-12-31T23:00Z',
    '2027-01-31T23:00Z',
  ]);
  expect(month('2028-02-29T12:00:00Z', 'UTC')[1]).toBe('2028-03-01T00:00Z');
});

it.each([
  'Europe/Berlin',
  'America/Havana',
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'Pacific/Chatham',
])('the days of a year in %s follow each other without gap, as its clocks show them', (name) => {
  const zone = openZone(name);
  const end = Date.UTC(2027, 0, 3);
  let at = periodAt('day', Date.UTC(2026, 0, 1), name).from;
  for (let next = at; at < end; at = next) {
    const { from, until } = periodAt('day', at, name);
    expect(from).toBe(at);
    expect(quarterOf(until)).toBe(until);
    const date = zone.dayOf(from);
    expect([zone.dayOf(until - QUARTER_MS), zone.dayOf(from - QUARTER_MS) < date]).toEqual([
      date,
      true,
    ]);
    expect(zone.dayOf(until) > date).toBe(true);
    next = until;
  }
});

const CAP: CapState = {
  of: 'account',
  period: 'day',
  timezone: 'Europe/Berlin',
  credits: 500,
  spent: 479.5,
  reserved: 15,
  from: 0,
  until: 86_400_000,
};

describe('the room in caps', () => {
  it('is that of the tightest one, and endless without a cap or a price', () => {
    const wide = { ...CAP, period: 'month' as const, credits: 10_000 };
    expect(leftOf(CAP)).toBe(5.5);
    expect([
      roomIn([CAP, wide], 5),
      roomIn([wide, CAP], 6),
      roomIn([CAP], 0),
      roomIn([], 5),
    ]).toEqual([1, 0, Infinity, Infinity]);
    expect(roomIn([{ ...CAP, credits: 100 }], 5)).toBe(0);
  });

  it('is gone for as long as the last cap that is met', () => {
    const longer = { ...CAP, period: 'month' as const, until: 2 * CAP.until };
    expect(metCap([CAP], 5)).toBeUndefined();
    expect(metCap([CAP, longer], 6)).toBe(longer);
    expect(metCap([CAP], 0)).toBeUndefined();
  });

  it('is told in one line', () => {
    expect(tellCap(CAP)).toBe('500 credits a day (Europe/Berlin)');
    expect(tellUse(CAP)).toBe('479.5 spent, 15 reserved, 5.5 left until 1970-01-02 00:00:00 (UTC)');
  });
});
