// The rows of an invoice, a ticket at a time.
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type InvoiceScratch,
  openInvoiceScratch,
} from '../../../src/store/sqlite/scratch-invoice.js';

let scratch: InvoiceScratch;
beforeEach(() => {
  scratch = openInvoiceScratch();
});
afterEach(() => scratch.close());

it('gives the rows of each ticket, in the order in which tickets first came', () => {
  for (const row of ['b1', 'a1', 'b2', 'c1', 'a2', 'b3']) scratch.keep(row.charAt(0), row);
  expect(scratch.tickets(0, 2)).toEqual([
    { number: 1, rows: ['b1', 'b2', 'b3'] },
    { number: 2, rows: ['a1', 'a2'] },
  ]);
  expect(scratch.tickets(2, 2)).toEqual([{ number: 4, rows: ['c1'] }]);
  expect(scratch.tickets(4, 2)).toEqual([]);
});

it('knows what was noted', () => {
  scratch.note('e1');
  scratch.note('e1');
  expect([scratch.isNoted('e1'), scratch.isNoted('e2')]).toEqual([true, false]);
});
