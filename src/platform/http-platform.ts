// The platform over HTTP: a table of contents. Each verb has a file of its own; how a request is sent is
// in sender.ts, what its answer means in judge-*.ts and ask-free.ts, what the limit allows in limiter.ts.
import type { Platform } from '../ports/platform.js';
import { probePlatform } from './check/probe.js';
import { tryFreeCalls } from './check/try-free-calls.js';
import { readTicket, rereadTicket } from './decode/read-ticket.js';
import { addHook, listHooks, removeHook } from './hooks.js';
import { addToList } from './lists/add-to-list.js';
import { createList } from './lists/create-list.js';
import { checkPlatform, readPeopleSchema } from './people-schema.js';
import { readDraft } from './read-draft.js';
import { submitMany } from './submit/submit-many.js';
import { submitOne } from './submit/submit-one.js';
import { type HttpPlatformOptions, openWire } from './wire.js';

export type { HttpPlatformOptions } from './wire.js';

/**
 * Opens the platform; connects with the first request.
 * @throws SluiceError `usage` for a base address that is none
 */
export function openHttpPlatform(options: HttpPlatformOptions): Platform {
  const wire = openWire(options);
  const { limiter, dialect } = wire;
  const { bulk, enrich, lists } = dialect;
  return {
    check: (signal) => checkPlatform(wire, signal),
    probe: (signal) => probePlatform(wire, signal),
    tryFreeCalls: (signal) => tryFreeCalls(wire, signal),
    reserve: (kind, max, signal) => limiter.reserve(kind, max, signal),
    submit: (request, permit, how) => submitOne(wire, request, permit, how),
    submitMany: (items, permit, how) => submitMany(wire, items, permit, how),
    bulkMax: bulk.path === null ? 0 : bulk.max,
    takesCallback: {
      single: enrich.parameters.webhookUrl !== null,
      bulk: bulk.path !== null && bulk.webhookUrl !== null,
    },
    read: (ticket, permit, signal, inputs) => readTicket(wire, ticket, permit, { signal, inputs }),
    reread: (ticket, body, inputs) => rereadTicket(wire, ticket, body, inputs),
    listHooks: (signal) => listHooks(wire, signal),
    addHook: (wish, signal) => addHook(wire, wish, signal),
    removeHook: (id, signal) => removeHook(wire, id, signal),
    readPeopleSchema: (signal) => readPeopleSchema(wire, signal),
    createList: (name, permit, signal) => createList(wire, name, permit, signal),
    addToList: (listId, members, signal) => addToList(wire, listId, members, signal),
    listAddMax: lists.add.max,
    readDraft: (contactId, draftId, owner, signal) =>
      readDraft(wire, { contactId, draftId, owner }, signal),
    leastMs: (requests) => limiter.leastMs(requests),
    held: () => limiter.held(),
    close: () => wire.close(),
  };
}
