// Reads the result by ticket: the call, and the question by which its answer is judged.
import { pathOrFirst } from '../../dialect/parts.js';
import type { EnrichmentRequest } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import type { JsonObject } from '../../model/text/json.js';
import type { Permit, ReadAnswer } from '../../ports/platform.js';
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
  readonly request: EnrichmentRequest | undefined;
  readonly recent: RecentReads;
}

export async function readTicket(
  wire: Wire,
  ticket: string,
  permit: Permit,
  { signal, request, recent }: ReadTicketOptions,
): Promise<ReadAnswer> {
  if (kindOfOwnTicket(ticket) !== undefined) {
    // This ticket is ours: the platform gave none, so it knows none.
    permit.release();
    return { kind: 'unknown' };
  }
  const opened = openTicket(ticket, wire.dialect);
  const call = callFor(wire, opened, request);
  if (call === undefined) {
    permit.release();
    return { kind: 'unavailable', problem: noReading(), isFinal: true };
  }
  const question = questionFor(wire, call.path, request);
  const key = `${call.path} ${opened.ticket}`;
  let sent = recent.find(key);
  if (sent === undefined) {
    sent = wire.send(call, {
      kind: 'poll',
      permit,
      signal,
      isSuccess: (answer) => isResult(answer, question),
    });
    recent.note(key, sent);
  } else permit.release();
  return judgeRead(await sent, opened, question);
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
