// Dates as platforms write them, whatever the zone of this machine.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDate } from '../../../src/model/text/date.js';

const NOON = Date.UTC(2026, 10, 21, 12, 0, 0);

describe('a date', () => {
  it.each([
    'Sat, 21 Nov 2026 12:00:00 GMT',
    'Saturday, 21-Nov-26 12:00:00 GMT',
    'Sat, 21 Nov 2026 13:00:00 +0100',
    '21 Nov 2026 12:00:00',
    'Sat Nov 21 2026 13:00:00 GMT+0100 (Central European Standard Time)',
    'Sat Nov 21 2026 13:00:00 GMT+0100',
    'Sat Nov 21 2026 07:00:00 GMT-0500 (EST)',
    'Sat Nov 21 2026 12:00:00 GMT+0000 (Coordinated Universal Time)',
    'November 21, 2026 12:00:00 GMT',
    '2026-11-21T12:00:00Z',
    '2026-11-21T12:00:00.000Z',
    '2026-11-21T12:00:00',
    '2026-11-21t12:00z',
    '2026-11-21 12:00:00',
    '2026-11-21 12:00:00 UTC',
    '2026-11-21 13:00:00 +0100',
    '2026-11-21T13:00:00+01:00',
    '2026-11-21 13:00:00+01',
    '2026-11-21T06:30:00-0530',
    '21.11.2026 12:00',
    '21.11.2026 13:00:00+01:00',
  ])('%j is read as the moment that it is', (text) => {
    expect(parseDate(text)).toBe(NOON);
  });

  it('may be a day alone, or have parts of a second', () => {
    expect(parseDate('2026-11-21')).toBe(NOON - 43_200_000);
    expect(parseDate('Sat Nov 21 2026')).toBe(NOON - 43_200_000);
    expect(parseDate('21.11.2026')).toBe(NOON - 43_200_000);
    expect(parseDate('1.2.2026')).toBe(Date.UTC(2026, 1, 1));
    expect(parseDate('2026-11-21T12:00:00.25Z')).toBe(NOON + 250);
    expect(parseDate('2026-11-21T12:00:00.123456789Z')).toBe(NOON + 123);
    expect(parseDate('0099-12-31')).toBe(Date.parse('0099-12-31'));
    expect(parseDate('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  });

  it.each([
    '',
    'Sunflower 1',
    'Sat Nov 21 12:00:00 2026',
    'Sat, 21 Nov 2026 07:00:00 EST',
    'Sat, 99 Nov 2026 12:00:00 GMT',
    'Mon, 30 Feb 2026 12:00:00 GMT',
    '2026-13-45',
    '2026-11-21T12:61:00Z',
    '2026-11-21T12:00:00 CET',
    'Sat Nov 21 2026 13:00:00 GMT+0100 and more',
    '21/11/2026',
    '11.21.2026',
    '21.11.26',
  ])('%j is none', (text) => {
    expect(parseDate(text)).toBeUndefined();
  });

  it('is read back from every form that JavaScript writes', () => {
    const range = { min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(range), (at) => {
        const seconds = Math.floor(at.getTime() / 1_000) * 1_000;
        expect(parseDate(at.toISOString())).toBe(at.getTime());
        expect(parseDate(at.toUTCString())).toBe(seconds);
        expect(parseDate(at.toString())).toBe(seconds);
      }),
    );
  });
});
