import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  builtInFormat,
  type NumberFormat,
  PLAIN,
  parseFormat,
} from '../../../src/input/xlsx/number-format.js';
import { showIsoDate, showNumber } from '../../../src/input/xlsx/show-number.js';

const show = (raw: string, format: string | number, is1904 = false) =>
  showNumber(raw, typeof format === 'number' ? builtInFormat(format) : parseFormat(format), is1904);

describe('a number without a format', () => {
  it.each([
    ['5', '5'],
    ['5.0', '5'],
    ['-0', '0'],
    ['007', '7'],
    ['33612345678', '33612345678'],
    ['3.3612345678E10', '33612345678'],
    ['1.2345678901234567E+17', '123456789012345670'],
    ['12345678901234567890', '12345678901234567890'],
    ['0.30000000000000004', '0.3'],
    ['0.1', '0.1'],
    ['33612345678.000004', '33612345678'],
    ['1234567.891', '1234567.891'],
    ['1E-7', '0.0000001'],
    ['-1.5e-3', '-0.0015'],
    ['.5', '0.5'],
    ['5.', '5'],
    [' 7 ', '7'],
    ['1e300', `1${'0'.repeat(300)}`],
    ['n/a', 'n/a'],
    ['NaN', 'NaN'],
    ['', ''],
    ['.', '.'],
  ])('%s is %s', (raw, shown) => {
    expect(showNumber(raw, PLAIN, false)).toBe(shown);
  });

  it('is the number that it was, with fifteen digits and more', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const shown = showNumber(String(value), PLAIN, false);
        expect(shown).toMatch(/^-?\d+(\.\d+)?$/);
        const isWhole = Number.isInteger(value);
        expect(Number(shown)).toBe(isWhole ? value + 0 : Number(value.toPrecision(15)));
      }),
    );
  });
});

describe('a number under a format', () => {
  it.each([
    ['1234', '00000', '01234'],
    ['-1234', '00000', '-01234'],
    ['1234', '00000;[Red]-00000', '01234'],
    ['1234', '[$-407]00000', '01234'],
    ['75001', '00000', '75001'],
    ['123456', '00000', '123456'],
    ['12345678', '00000\\-0000', '012345678'],
    ['0.15', '0%', '0.15'],
    ['0.1234567', '0.00%', '0.1234567'],
    ['5', '0.00', '5'],
    ['3.14159', '0.00', '3.14159'],
    ['1234567.5', '#,##0.00', '1234567.5'],
    ['0', '#', '0'],
    ['-5', '0.00;[Red](0.00)', '-5'],
    ['12.5', '#,##0.00\\ "€"', '12.5'],
    ['12.5', '_-* #,##0.00\\ _€_-;\\-* #,##0.00\\ _€_-', '12.5'],
    ['2125551234', '[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', '2125551234'],
    ['33612345678', '"+"00\\ 0\\ 00\\ 00\\ 00\\ 00', '33612345678'],
    ['5', '"No. day"0', '5'],
    ['1234567', '#,##0,', '1234567'],
    ['0.5', '# ?/?', '0.5'],
    ['0.5', '00/00', '0.5'],
    ['123456', '0.00E+00', '123456'],
    ['7', '@', '7'],
    ['7', ';;;', '7'],
    ['7', 'General', '7'],
    ['7', 'General" days"', '7'],
    ['7', '"unclosed', '7'],
    ['7', '0'.repeat(2_000), '7'],
  ])('%s under %s is %s', (raw, format, shown) => {
    expect(show(raw, format)).toBe(shown);
  });

  it.each([
    [1, '5.0', '5'],
    [10, '0.5', '0.5'],
    [11, '33612345678', '33612345678'],
    [49, '7', '7'],
    [999, '7', '7'],
  ])('the format %i is known without its code', (id, raw, shown) => {
    expect(show(raw, id)).toBe(shown);
  });

  it('is the same number under formats of digits', () => {
    const format = fc.constantFrom('0', '00000', '#,##0.00', '0%', '000-00', '(###) ##', '0.0##');
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.nat(4), format, (digits, places, code) => {
        const value = digits / 10 ** places;
        expect(Number(show(String(value), code))).toBe(value);
      }),
    );
  });
});

describe('a date', () => {
  it.each([
    ['46082', 'yyyy-mm-dd', '2026-03-01'],
    ['46082', 'd"."mm"."yy', '2026-03-01'],
    ['46082', 'mmm', '2026-03-01'],
    ['46082.5', 'm/d/yyyy h:mm:ss.00', '2026-03-01T12:00:00'],
    ['46082', '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', '2026-03-01'],
    ['46082', '[$-411]ggge"年"m"月"d"日"', '2026-03-01'],
    ['46082.354166666664', 'yyyy-mm-dd hh:mm', '2026-03-01T08:30:00'],
    ['46082.354166666664', 'yyyy-mm-dd', '2026-03-01T08:30:00'],
    ['46082', 'yyyy-mm-dd hh:mm', '2026-03-01T00:00:00'],
    ['46082.35416666', 'd.m.yyyy h:mm:ss', '2026-03-01T08:30:00'],
    ['46082.999999', 'd.m.yyyy h:mm', '2026-03-02T00:00:00'],
    ['0.354166666666667', 'h:mm', '08:30:00'],
    ['0.354166666666667', 'h:mm AM/PM', '08:30:00'],
    ['0.5', 'yyyy-mm-dd', '12:00:00'],
    ['0', 'h:mm', '00:00:00'],
    ['0', 'yyyy-mm-dd', '0'],
    ['1.25', '[h]:mm', '1.25'],
    ['1.25', '[mm]:ss', '1.25'],
    ['1', 'yyyy-mm-dd', '1900-01-01'],
    ['59', 'yyyy-mm-dd', '1900-02-28'],
    ['60', 'yyyy-mm-dd', '60'],
    ['61', 'yyyy-mm-dd', '1900-03-01'],
    ['-56519', 'yyyy-mm-dd', '1745-04-02'],
    ['2958465', 'yyyy-mm-dd', '9999-12-31'],
    ['2958466', 'yyyy-mm-dd', '2958466'],
    ['1e300', 'yyyy-mm-dd', `1${'0'.repeat(300)}`],
    ['n/a', 'yyyy-mm-dd', 'n/a'],
  ])('%s under %s is %s', (raw, format, shown) => {
    expect(show(raw, format)).toBe(shown);
  });

  it.each([14, 15, 17, 22, 27, 30, 36, 50, 58])('is what the format %i shows', (id) => {
    expect(show('46082.5', id)).toBe('2026-03-01T12:00:00');
  });

  it('is counted from 1904 on where the workbook says so', () => {
    expect(show('44620', 'yyyy-mm-dd', true)).toBe('2026-03-01');
    expect(show('0', 'yyyy-mm-dd', true)).toBe('1904-01-01');
    expect(show('0.5', 'h:mm', true)).toBe('12:00:00');
  });

  it('comes back from each day that there was', () => {
    const day = fc.date({
      min: new Date('1900-03-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      // Halfway between two seconds, the nearest number of days that there is decides.
      fc.property(
        day.filter((date) => date.getTime() % 1_000 !== 500),
        (date) => {
          const serial = date.getTime() / 86_400_000 + 25_569;
          const seconds = new Date(Math.round(date.getTime() / 1_000) * 1_000);
          expect(show(String(serial), 'd.m.yyyy h:mm')).toBe(seconds.toISOString().slice(0, 19));
        },
      ),
    );
  });

  it('in ISO 8601 loses a midnight that its format does not show', () => {
    const day: NumberFormat = parseFormat('yyyy-mm-dd');
    expect(showIsoDate('2026-03-01T00:00:00.000Z', day)).toBe('2026-03-01');
    expect(showIsoDate('2026-03-01T00:00:00', parseFormat('h:mm'))).toBe('2026-03-01T00:00:00');
  });
});
