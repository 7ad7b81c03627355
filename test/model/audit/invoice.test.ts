// The columns of an invoice, and what its rows say.
import { describe, expect, it } from 'vitest';
import { findInvoiceColumns, readInvoiceRow } from '../../../src/model/audit/invoice.js';
import { openZone } from '../../../src/model/audit/zoned-time.js';

const columns = (...names: string[]) => names.map((name) => ({ key: name, name }));
const zone = openZone('UTC');

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
  const read = (...cells: string[]) =>
    readInvoiceRow(cells, { ticket: 0, date: 1, credits: 2 }, { line: 7, zone });

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
    expect(read('enr_1', '1/2/2026', '5')).toContain('date');
    expect(read('', '', '')).toBeNull();
  });
});
