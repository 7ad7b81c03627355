// Tickets as the platform knows them.
import { expect, it } from 'vitest';
import { platformTicket } from '../../../src/model/enrichment/platform-ticket.js';
import {
  ownTicket,
  sealBatchTicket,
  sealPlaceTicket,
} from '../../../src/platform/answers/ticket.js';

it.each([
  [ownTicket('call'), null],
  [ownTicket('item', 'key'), null],
  [sealBatchTicket('bulk_7', 'key'), 'bulk_7'],
  [sealPlaceTicket('bulk_7', { index: 2, count: 10 }), 'bulk_7'],
  ['enr_1', 'enr_1'],
  ['a~b', 'a~b'],
  ['~1of2', '~1of2'],
])('%s is %s', (ticket, platforms) => {
  expect(platformTicket(ticket)).toBe(platforms);
});
