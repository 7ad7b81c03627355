// Reads the result by ticket: the call, and the question by which its answer is judged.
import { pathOrFirst } from '../../dialect/parts.js';
import type { EnrichmentRequest } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import type { JsonObject } from '../../model/text/json.js';
import type { AskedTicket, Permit, ReadAnswer } from '../../ports/platform.js';
import { rejudgeAtOnce } from '../answers/judge-at-once.js';
import { isResult, judgeRead } from '../answers/judge-read.js';
import type { Asked } from '../answers/problems.js';
import { kindOfOwnTicket, type OpenTicket, openTicket } from '../answers/ticket.js';
import { withValueAt } from '../wire/request.js';
import type { RoutedCall } from '../wire/sender.js';
import type { Wire } from '../wire/wire.js';
import type { RecentReads } from './recent-reads.js';

interface ReadTicketOptions {
  readonly signal: AbortSignal | undefined;
  readonly recent: RecentReads;
}

/** Reads tickets with one `readKey` by one request. */
export async function readTickets(
  wire: Wire,
  asked: readonly AskedTicket[],
  permit: Permit,
  { signal, recent }: ReadTicketOptions,
): Promise<ReadAnswer[]> {
  const [first] = asked;
  const call = first === undefined ? undefined : callOf(wire, first);
  if (first === undefined || call === undefined) {
    permit.release();
    // A ticket of our own is unknown to the platform, which gave none.
    return asked.map(({ ticket }) =>
      kindOfOwnTicket(ticket) === undefined
        ? { kind: 'unavailable', problem: noReading(), isFinal: true }
        : { kind: 'unknown' },
    );
  }
  const key = readKeyOf(wire, first);
  let sent = recent.find(key);
  if (sent === undefined) {
    const question = questionFor(wire, call.path, first.request);
    sent = wire.send(call, {
      kind: 'poll',
      permit,
      signal,
      until: Math.min(...asked.map(({ deadlineAt = Number.POSITIVE_INFINITY }) => deadlineAt)),
      isSuccess: (answer) => isResult(answer, question),
    });
    recent.note(key, sent);
  } else permit.release();
  const answer = await sent;
  return asked.map(({ request, ticket }) =>
    judgeRead(answer, openTicket(ticket, wire.dialect), questionFor(wire, call.path, request)),
  );
}

export function readKeyOf(wire: Wire, asked: AskedTicket): string {
  const { ticket } = openTicket(asked.ticket, wire.dialect);
  return `${callOf(wire, asked)?.path ?? ''} ${ticket}`;
}

function callOf(wire: Wire, { request, ticket }: AskedTicket): RoutedCall | undefined {
  return kindOfOwnTicket(ticket) === undefined
    ? callFor(wire, openTicket(ticket, wire.dialect), request)
    : undefined;
}

export function rereadTicket(
  wire: Wire,
  ticket: string,
  body: string,
  request?: EnrichmentRequest,
): ReadAnswer {
  const own = kindOfOwnTicket(ticket);
  if (own !== undefined) {
    const { enrich, bulk } = wire.dialect;
    const paths = own === 'item' ? bulk.path : enrich?.path;
    const target = wire.pathOf(pathOrFirst(paths ?? '', request?.ask));
    return rejudgeAtOnce(body, own, questionFor(wire, target, request));
  }
  const opened = openTicket(ticket, wire.dialect);
  const question = questionFor(wire, callFor(wire, opened, request)?.path ?? '', request);
  return judgeRead({ kind: 'answered', status: 200, headers: {}, text: body }, opened, question);
}

function callFor(
  wire: Wire,
  { ticket, digest, place }: OpenTicket,
  request: EnrichmentRequest | undefined,
): RoutedCall | undefined {
  const { result } = wire.dialect;
  if (result === null) return undefined;
  const { method, path, batchPath, id } = result;
  const isShared = digest !== undefined || place !== undefined;
  const paths = isShared ? (batchPath ?? path) : path;
  const target = wire.pathOf(pathOrFirst(paths, request?.ask), { id: ticket });
  const body: JsonObject | undefined =
    id === null ? undefined : withValueAt({}, id.split('.'), ticket);
  return wire.call('result', method, target, body);
}

/** The question; the inputs are in no reason that comes back. */
function questionFor(wire: Wire, path: string, request: EnrichmentRequest | undefined): Asked {
  return wire.asked(path, Object.values(request?.inputs ?? {}));
}

function noReading(): SluiceError {
  const message =
    'The dialect has no call that reads a result by its ticket. Set "result" of the dialect, or wait for webhooks.';
  return new SluiceError('platform', message);
}
