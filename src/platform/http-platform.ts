// The platform over HTTP. Contents:
// - calls/: the request of each call; free ones by ask-free.ts
// - wire/: how a request is written (request.ts), sent under the limit (sender.ts), and its answer received
//   (exchange.ts)
// - answers/: the meaning of an answer (judge-*.ts), and the values of a result (decode-*.ts)
// - limit/: the time at which a request may leave
// - redact/: removes the values that no message may repeat
import { asksAlike } from '../dialect/forms.js';
import { parseDuration } from '../model/text/time.js';
import type { Platform } from '../ports/platform.js';
import { checkPlatform, hasFreeQuestion, readBalance } from './calls/account.js';
import { addHook, listHooks, removeHook } from './calls/hooks.js';
import { addToList, createList } from './calls/lists.js';
import { readPeopleSchema } from './calls/people-schema.js';
import { probePlatform } from './calls/probe.js';
import { readDraft } from './calls/read-draft.js';
import { readTicket, rereadTicket } from './calls/read-ticket.js';
import { openRecentReads } from './calls/recent-reads.js';
import { submitMany, submitOne } from './calls/submit.js';
import { type HttpPlatformOptions, openWire } from './wire/wire.js';

export type { HttpPlatformOptions } from './wire/wire.js';

/**
 * Opens the platform; connects with the first request.
 * @throws SluiceError `usage` for an address that cannot be a base address
 */
export function openHttpPlatform(options: HttpPlatformOptions): Platform {
  const wire = openWire(options);
  const readEveryMs = parseDuration(options.dialect.result?.every ?? '') ?? 0;
  const recent = openRecentReads(readEveryMs, options.clock);
  const { limiter, dialect } = wire;
  const { bulk, enrich, lists } = dialect;
  return {
    hasFreeQuestion: hasFreeQuestion(dialect),
    check: (signal) => checkPlatform(wire, signal),
    probe: (signal) => probePlatform(wire, signal),
    readBalance: (signal) => readBalance(wire, signal),
    reserve: (kind, max, signal) => limiter.reserve(kind, max, signal),
    submit: (request, permit, how) => submitOne(wire, request, permit, how),
    submitMany: (items, permit, how) => submitMany(wire, items, permit, how),
    bulkMax: bulk.path === null ? 0 : bulk.max,
    asksAlike: asksAlike(dialect),
    takesSingle: enrich !== null,
    takesCallback: {
      single: enrich !== null && enrich.webhookUrl !== null,
      bulk: bulk.path !== null && bulk.webhookUrl !== null,
    },
    readsTickets: dialect.result !== null,
    read: (ticket, permit, signal, request) =>
      readTicket(wire, ticket, permit, { signal, request, recent }),
    readEveryMs,
    reread: (ticket, body, request) => rereadTicket(wire, ticket, body, request),
    listHooks: (signal) => listHooks(wire, signal),
    addHook: (wish, signal) => addHook(wire, wish, signal),
    removeHook: (id, signal) => removeHook(wire, id, signal),
    readPeopleSchema: (signal) => readPeopleSchema(wire, signal),
    createList: (name, permit, how) => createList(wire, name, permit, how),
    addToList: (listId, members, signal) => addToList(wire, listId, members, signal),
    listAddMax: lists?.add.max ?? 0,
    readDraft: (contactId, draftId, owner, signal) =>
      readDraft(wire, { contactId, draftId, owner }, signal),
    leastMs: (requests) => limiter.leastMs(requests),
    held: () => limiter.held(),
    close: () => wire.close(),
  };
}
