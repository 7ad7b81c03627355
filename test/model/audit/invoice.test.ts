// The columns of an invoice, and what its rows say.
import { describe, expect, it } from 'vitest';
import {
  findInvoiceColumns,
  type InvoiceRow,
  isTotalLine,
  orderOf,
  readInvoiceRow,
} from '../../../src/model/audit/invoice.js';

const columns = (...names: string[]) => names.map((name) => ({ key: name, name }));

describe('the columns of an invoice', () => {
  it.each([
    [['ticket', 'date', 'credits'], { date: 1, credits: 2 }, [0]],
    [['Charged At', 'Enrichment ID', 'Credits used', 'id'], { date: 0, credits: 2 }, [1, 3]],
    [['Datum', 'Betrag'], { date: 0, credits: 1 }, []],
    [['name', 'note'], {}, []],
  ])('are known by their headers: %j', (names, found, tickets) => {
    expect(findInvoiceColumns(columns(...names), {})).toEqual({ found, tickets, unknown: [] });
  });

  it('are those that the user names', () => {
    const all = columns('a', 'date', 'credits', 'ticket');
    expect(findInvoiceColumns(all, { ticket: 'a', date: '', credits: 'nothing' })).toEqual({
      found: { ticket: 0 },
      tickets: [],
      unknown: ['credits'],
    });
  });
});

describe('a row of an invoice', () => {
  const read = (...cells: string[]) => readInvoiceRow(cells, { ticket: 0, date: 1, credits: 2 }, 7);

  it.each([
    ['5', 5],
    ['-5', -5],
    ['0.125', 0.125],
    ['1,234', 1_234],
    ['1,234,567.5', 1_234_567.5],
    ['2,5', 2.5],
    ['0', 0],
  ])('with %s credits', (text, credits) => {
    expect(read('enr_1', '2026-11-21', text)).toMatchObject({ line: 7, ticket: 'enr_1', credits });
  });

  it.each([['x'], ['1.2345'], ['1,23,4'], ['1e3'], [''], ['5 €']])(
    'with %j credits cannot be read',
    (text) => {
      expect(read('enr_1', '2026-11-21', text)).toContain('credits');
    },
  );

  it('without a ticket or a date cannot be read, and an empty one is none', () => {
    expect(read('', '2026-11-21', '5')).toContain('ticket');
    expect(read('enr_1', '', '5')).toContain('date');
    expect(read('', '', '')).toBeNull();
  });

  it.each([
    ['2026-11-21', '2026-11-21T00:00 2026-11-22T00:00'],
    ['31.12.2026', '2026-12-31T00:00 2027-01-01T00:00'],
    ['21 Nov 2026', '2026-11-21T00:00 2026-11-22T00:00'],
    ['1.2.2026 08:30', '2026-02-01T08:30 2026-02-01T08:31'],
    ['2026-11-21T08:30:05.123Z', '2026-11-21T08:30 2026-11-21T08:31'],
    ['2026-11-21 08:30:05+02:00', '2026-11-21T06:30 2026-11-21T06:31'],
  ])('of the date %s is of that time', (text, said) => {
    const { when } = read('enr_1', text, '5') as InvoiceRow;
    const iso = (ms = 0) => new Date(ms).toISOString().slice(0, 16);
    expect(`${iso(when?.from)} ${iso(when?.until)}`).toBe(said);
  });

  it.each([
    ['11/12/2026', 'dmy', '2026-12-11T00:00'],
    ['11/12/2026 08:30', 'mdy', '2026-11-12T08:30'],
    ['28/11/2026', undefined, '2026-11-28T00:00'],
    ['1/31/2026', undefined, '2026-01-31T00:00'],
  ] as const)(
    'of the date %s, read as %s or by a number above 12, is of that day',
    (date, stated, said) => {
      const cells = ['enr_1', date, '5'];
      const places = { ticket: 0, date: 1, credits: 2 };
      const row = readInvoiceRow(cells, places, 7, stated ?? orderOf(cells, places)) as InvoiceRow;
      expect(new Date(row.when?.from ?? 0).toISOString().slice(0, 16)).toBe(said);
    },
  );

  it('of a date with two small numbers says no order', () => {
    expect(orderOf(['11/12/2026'], { date: 0 })).toBeUndefined();
    expect(
      readInvoiceRow(['e', '28/11/2026', '5'], { ticket: 0, date: 1, credits: 2 }, 7, 'mdy'),
    ).toContain('date');
  });

  it.each([['11/12/2026'], ['yesterday'], ['2026-13'], ['2026-11'], ['2026-02-30']])(
    'of the date %s cannot be read',
    (text) => {
      expect(read('enr_1', text, '5')).toContain('date');
    },
  );

  it.each([
    ['', '', '15', true],
    ['Total', '', '15.000', true],
    ['Grand total:', '2026-11-30', '15', true],
    ['Summe November', '', '15', true],
    ['', '', '14', false],
    ['Total', '', '', false],
    ['total_1', '', '15', false],
  ])('of %j, %j and %j below 15 credits is a line of totals: %s', (...cells) => {
    const isTotal = cells.pop();
    const places = { ticket: 0, date: 1, credits: 2 };
    expect(isTotalLine(cells as string[], places, 15)).toBe(isTotal);
    expect(read('Total', '', '14')).toContain('not the sum');
  });
});
