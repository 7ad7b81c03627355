// Days, months and moments of an invoice, in a time zone.
import { describe, expect, it } from 'vitest';
import { openZone, readWhen } from '../../../src/model/audit/zoned-time.js';

const span = (text: string, timeZone = 'UTC') => {
  const when = readWhen(text, openZone(timeZone));
  if (when === undefined) return undefined;
  const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);
  return `${when.kind} ${iso(when.from)} ${iso(when.until)}`;
};

describe('a date of an invoice', () => {
  it.each([
    ['2026-11', 'month 2026-11-01T00:00 2026-12-01T00:00'],
    ['12/2026', 'month 2026-12-01T00:00 2027-01-01T00:00'],
    ['Nov 2026', 'month 2026-11-01T00:00 2026-12-01T00:00'],
    ['November 2026', 'month 2026-11-01T00:00 2026-12-01T00:00'],
    ['2026-11-21', 'day 2026-11-21T00:00 2026-11-22T00:00'],
    ['31.12.2026', 'day 2026-12-31T00:00 2027-01-01T00:00'],
    ['21 Nov 2026', 'day 2026-11-21T00:00 2026-11-22T00:00'],
    ['1.2.2026 08:30', 'moment 2026-02-01T08:30 2026-02-01T08:31'],
    ['2026-11-21T08:30:05.123Z', 'moment 2026-11-21T08:30 2026-11-21T08:31'],
    ['2026-11-21 08:30:05+02:00', 'moment 2026-11-21T06:30 2026-11-21T06:31'],
  ])('that says %s', (text, said) => {
    expect(span(text)).toBe(said);
  });

  it.each([['11/12/2026'], ['yesterday'], ['2026-13'], ['13/2026'], ['2026-02-30'], ['Foo 2026']])(
    'that says %s cannot be read',
    (text) => {
      expect(span(text)).toBeUndefined();
    },
  );

  it.each([
    ['2026-11-21', 'Europe/Vienna', 'day 2026-11-20T23:00 2026-11-21T23:00'],
    ['2026-11', 'America/New_York', 'month 2026-11-01T04:00 2026-12-01T05:00'],
    // Clocks are put forward: a day of 23 hours.
    ['2026-03-29', 'Europe/Vienna', 'day 2026-03-28T23:00 2026-03-29T22:00'],
    ['2026-07-01 12:00', 'Asia/Kathmandu', 'moment 2026-07-01T06:15 2026-07-01T06:16'],
    ['2026-07-01T12:00Z', 'Asia/Kathmandu', 'moment 2026-07-01T12:00 2026-07-01T12:01'],
  ])('that says %s in %s', (text, timeZone, said) => {
    expect(span(text, timeZone)).toBe(said);
  });

  it('is that of a moment in the zone', () => {
    expect(openZone('Pacific/Auckland').dayOf(Date.UTC(2026, 10, 30, 11))).toBe('2026-12-01');
    expect(openZone('UTC').dayOf(Date.UTC(2026, 10, 30, 23, 59))).toBe('2026-11-30');
  });
});
