// The platform over HTTP. Contents:
// - calls/: the request of each call; free ones by ask-free.ts
// - wire/: how a request is written (request.ts), sent under the limit (sender.ts), and its answer received
//   (exchange.ts)
// - answers/: the meaning of an answer (judge-*.ts), and the values of a result (decode-*.ts)
// - limit/: the time at which a request may leave
// - redact/: removes the values that no message may repeat
import { asksAlike } from '../dialect/forms.js';
import { hasBatchTickets } from '../dialect/wire-calls.js';
import type { PlatformProbe } from '../model/resources/check.js';
import { parseDate } from '../model/text/date.js';
import { parseDuration } from '../model/text/time.js';
import type { Platform, ReadAnswer } from '../ports/platform.js';
import { statusKind } from './answers/status-kind.js';
import {
  checkPlatform,
  checkQuestion,
  hasFreeQuestion,
  readBalance,
  saysNothing,
} from './calls/account.js';
import { ask } from './calls/ask-free.js';
import { addHook, listHooks, removeHook } from './calls/hooks.js';
import { addToList, createList } from './calls/lists.js';
import { readPeopleSchema } from './calls/people-schema.js';
import { readDraft } from './calls/read-draft.js';
import { readKeyOf, readTickets, rereadTicket } from './calls/read-ticket.js';
import { openRecentReads } from './calls/recent-reads.js';
import { submitMany, submitOne } from './calls/submit.js';
import { judgeLimitHeaders, readRate } from './limit/rate-headers.js';
import { type Headers, headerOf } from './wire/headers.js';
import type { Wire } from './wire/wire.js';
import { type HttpPlatformOptions, openWire } from './wire/wire.js';

export type { HttpPlatformOptions } from './wire/wire.js';

/** Connects with the first request. Throws SluiceError `usage` for an address that cannot be a base address. */
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
    reserve: (...wish) => limiter.reserve(...wish),
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
    read: async (ticket, permit, signal, request) => {
      const [answer] = await readTickets(wire, [{ ticket, request }], permit, { signal, recent });
      return answer as ReadAnswer;
    },
    readKey: (asked) => readKeyOf(wire, asked),
    readAll: (asked, permit, signal) => readTickets(wire, asked, permit, { signal, recent }),
    readsTogether: hasBatchTickets(dialect),
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
    heldMs: () => limiter.heldMs(),
    close: () => wire.close(),
  };
}

/** The resolution of `Date`: whole seconds. */
const DATE_MS = 1_000;

async function probePlatform(wire: Wire, signal?: AbortSignal): Promise<PlatformProbe | null> {
  const { clock, dialect } = wire;
  if (!hasFreeQuestion(dialect)) return null;
  const startedAt = clock.now();
  const { sent, judged } = await ask(wire, signal, checkQuestion(wire));
  const problem = 'problem' in judged ? judged.problem : null;
  if (sent.kind !== 'answered') {
    return {
      problem,
      isPassable: false,
      clockAheadMs: null,
      limit: null,
      windowMsMin: null,
      headers: null,
    };
  }
  const { headers } = sent;
  const isPassable = problem !== null && saysNothing(statusKind(sent, dialect), sent);
  const at = clock.now();
  const { limit, resetMs } = readRate(headers, dialect.limits, at);
  return {
    problem,
    isPassable,
    clockAheadMs: aheadMs(headers, startedAt, at),
    limit: limit ?? null,
    windowMsMin: resetMs ?? null,
    headers: judgeLimitHeaders(headers, dialect, at),
  };
}

/** How far the platform's clock is ahead; 0 for any moment between the request and its answer. */
function aheadMs(headers: Headers, startedAt: number, endedAt: number): number | null {
  const date = parseDate(headerOf(headers, 'date') ?? '');
  if (date === undefined) return null;
  // The time for which a cache has kept the answer.
  const age = Number(/^\d{1,9}$/.exec(headerOf(headers, 'age') ?? '')?.[0] ?? 0);
  const sentAt = date + age * 1_000;
  if (sentAt > endedAt) return sentAt - endedAt;
  return Math.min(0, sentAt + DATE_MS - startedAt);
}
