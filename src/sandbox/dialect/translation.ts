// The sandbox in another dialect. Its routes speak the neutral one; this translates around them: the request line to
// that of a route, query and body to neutral words, and answers and deliveries to the dialect's words. The neutral
// dialect needs none of it.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from '../../dialect/dialect.js';
import { eventOnWire } from '../../dialect/events.js';
import {
  type CallName,
  callsOf,
  createMatcher,
  hasBatchTickets,
  type Match,
} from '../../dialect/wire-calls.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import { answerEnrichment } from '../answers/answer-enrichment.js';
import { decideHits } from '../answers/decide-outcome.js';
import { CONTROL_PREFIX } from '../create-gate.js';
import { type BulkCalls, isBatchTicket } from '../ledger/bulk-calls.js';
import type { Ledger } from '../ledger/ledger.js';
import type { OnStrange, RawQuery } from '../routes/read-request.js';
import type { SandboxContext } from '../sandbox-context.js';
import { comesAtOnce } from './comes-at-once.js';
import {
  Contacts,
  registerAccount,
  registerBatch,
  registerContacts,
  registerRead,
  ticketInBody,
} from './extra-routes.js';
import { readMany, readSingle } from './read-question.js';
import { readBody, readQuery } from './read-request.js';
import { withWireNames } from './wire-names.js';
import { writeHeaders, writeReply } from './write-reply.js';
import {
  isResultBody,
  type Known,
  type ResultBody,
  withCallTicket,
  writeResult,
} from './write-result.js';

/** The address of no route. */
const NOWHERE = '/';

export interface Translation {
  /** The URL of the neutral route that a request is for; sets its method as well. */
  readonly rewriteUrl: (request: IncomingMessage) => string;
  /** Registers the translation before any route, and before faults spoil answers. */
  register(app: FastifyInstance): void;
  /** The routes that only other dialects need. */
  readonly routes: readonly ((app: FastifyInstance, context: SandboxContext) => void)[];
  /** The body of a webhook; for an activity only the name of its type differs. */
  readonly writeDelivery: (body: JsonObject) => JsonValue;
}

interface TranslationOptions {
  readonly dialect: Dialect;
  readonly ledger: Ledger;
  readonly bulkCalls: BulkCalls;
  readonly seed: number;
  /** The share of people who changed jobs. */
  readonly moved: number;
  readonly knows: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly onStrange: OnStrange;
}

export function createTranslation({
  dialect,
  ledger,
  bulkCalls,
  knows,
  moved,
  seed,
  now,
  onStrange,
}: TranslationOptions): Translation {
  const reading = { dialect, onStrange };
  const matchCall = createMatcher(callsOf(dialect));
  const matches = new WeakMap<IncomingMessage, Match>();
  /** Requests that the routes got in neutral words, and refuse in them. */
  const translated = new WeakSet<IncomingMessage>();
  const contacts = new Contacts(seed);
  const knownOf = (id: string): Known | undefined => {
    const enrichment = ledger.find(id);
    if (enrichment === undefined) return undefined;
    const decision = decideHits(enrichment, { knows, seed });
    const { ask, metadata } = enrichment;
    return { ask, metadata, isMiss: decision.kind === 'done' && decision.hits.length === 0 };
  };

  const atOnce = (section: 'enrich' | 'bulk', id: string): ResultBody | undefined => {
    const enrichment = ledger.find(id);
    if (enrichment === undefined || !comesAtOnce(dialect, section, id)) return undefined;
    return answerEnrichment(enrichment, {
      asks: dialect.asks,
      knows,
      moved,
      seed,
    }) as unknown as ResultBody;
  };

  function rewriteUrl(request: IncomingMessage): string {
    const { method = '', url = '' } = request;
    const match = withBatch(matchCall(method, url), dialect);
    if (match.kind === 'none' && url.startsWith(CONTROL_PREFIX)) return url;
    matches.set(request, match);
    return match.kind === 'call' ? toNeutral(request, match, dialect) : NOWHERE;
  }

  function readRequest(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
    const match = matches.get(request.raw);
    if (match?.kind === 'call') {
      const { name } = match.call;
      const raw = {
        query: request.query as RawQuery,
        headers: request.headers,
        body: request.body,
      };
      if (name === 'enrich') Object.assign(request, readSingle(match.call, raw, reading));
      else if (name === 'bulk') Object.assign(request, readMany(match.call, raw, reading));
      else {
        request.query = readQuery(name, raw.query, reading);
        request.body = readBody(name, raw.body, reading, contacts);
        const ticket = ticketInBody(request.body);
        if (name === 'result') matches.set(request.raw, withBatch(match, dialect, ticket));
      }
      translated.add(request.raw);
    }
    done();
  }

  /** The written body. A body that is not JSON (a fault's page) stays as it is. */
  function writeOut(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
    const match = matches.get(request.raw);
    if (match === undefined) return payload;
    writeHeaders(reply, dialect, now());
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    if (!isJson || typeof payload !== 'string') return payload;
    const said = JSON.parse(payload) as JsonValue;
    const named = translated.has(request.raw) ? withWireNames(said, match, dialect) : said;
    const neutral = { status: reply.statusCode, body: named };
    const { status, body } = writeReply(match, neutral, { dialect, bulkCalls, knownOf, atOnce });
    reply.code(status);
    if (match.kind === 'other-method' && status === 405) {
      reply.header('allow', match.methods.join(', '));
    }
    if (typeof body !== 'string') return JSON.stringify(body);
    reply.type('text/plain; charset=utf-8');
    return body;
  }

  return {
    rewriteUrl,
    register: (app) => {
      app.addHook('preValidation', readRequest);
      app.addHook('onSend', (request, reply, payload, done) =>
        done(null, writeOut(request, reply, payload)),
      );
    },
    routes: [
      registerBatch,
      registerRead,
      (scope) => registerContacts(scope, contacts),
      registerAccount,
    ],
    writeDelivery: (body) => {
      if (!isResultBody(body)) {
        const { type } = body;
        return typeof type === 'string' ? { ...body, type: eventOnWire(type, dialect) } : body;
      }
      const written = writeResult(body, { dialect, way: 'webhook', isOne: false }, knownOf);
      return withCallTicket(written, bulkCalls.sharedTicket(body.data), dialect, 'webhook');
    },
  };
}

/**
 * The neutral dialect's route for each call, with placeholders. Some exist for other dialects alone: the results of a
 * whole bulk call, results by a ticket in the body, the contact upsert, and the account.
 */
const ROUTES = {
  enrich: ['POST', '/enrich'],
  bulk: ['POST', '/enrich/bulk'],
  result: ['GET', '/enrich/{id}'],
  batch: ['GET', '/enrich/batches/{id}'],
  account: ['GET', '/account'],
  peopleSchema: ['GET', '/schema/people'],
  listHooks: ['GET', '/hooks'],
  addHook: ['POST', '/hooks'],
  removeHook: ['DELETE', '/hooks/{id}'],
  createList: ['POST', '/contacts/lists'],
  addToList: ['POST', '/contacts/lists/{listId}/entities'],
  upsertContact: ['POST', '/contacts'],
  draft: ['GET', '/inbox/{contactId}/drafts/{draftId}'],
} as const satisfies Record<CallName, readonly [method: string, path: string]>;

/** The route of a result and of a batch, if the ticket is in the body. */
const READ_BY_BODY = ['POST', '/enrich/read'] as const;

/** Sets the method of the call's neutral route, and returns its URL. */
function toNeutral(
  request: IncomingMessage,
  match: Extract<Match, { kind: 'call' }>,
  dialect: Dialect,
): string {
  const [method, path] = neutralRoute(match.call.name, dialect);
  request.method = method;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => match.values[name] ?? '');
  return match.query === '' ? filled : `${filled}?${match.query}`;
}

function neutralRoute(
  name: CallName,
  { result }: Dialect,
): readonly [method: string, path: string] {
  const isByBody = (name === 'result' || name === 'batch') && (result?.id ?? null) !== null;
  return isByBody ? READ_BY_BODY : ROUTES[name];
}

/** The match of a bulk call's ticket that is read at the path of all other tickets. */
function withBatch(match: Match, dialect: Dialect, ticket?: string): Match {
  if (match.kind !== 'call' || match.call.name !== 'result') return match;
  const hasOwnPath = (dialect.result?.batchPath ?? null) !== null;
  const id = match.values['id'] ?? ticket ?? '';
  if (hasOwnPath || !hasBatchTickets(dialect) || !isBatchTicket(id)) {
    return match;
  }
  return { ...match, call: { ...match.call, name: 'batch' } };
}
