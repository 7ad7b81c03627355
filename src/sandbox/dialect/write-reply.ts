// Writes replies from the neutral words in a dialect's: the answer of a neutral route, and the answer to a request that
// is not a call of the dialect. Answers without success are written here: in progress, throttled, out of credits, and
// every other error.
import type { FastifyReply } from 'fastify';
import { type Dialect, NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import type { Signals } from '../../dialect/signal.js';
import type { CallName, Match } from '../../dialect/wire-calls.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { ResetFormat } from '../../model/text/time.js';
import { type State, saidIn, signalsFor, toSay, withMore, withSignals } from './say.js';
import { type Way, withPlaced } from './wire-places.js';
import { type Surroundings, writeAnswer } from './write-answer.js';
import {
  type ResultBody,
  stateOfOne,
  withCallTicket,
  writePending,
  writeResult,
} from './write-result.js';

interface Reply {
  readonly status: number;
  readonly body: JsonValue;
}

const HEADERS = ['limit', 'remaining', 'reset', 'retryAfter'] as const;

/** `neutral` is the answer of the route, or of the server if there was no route. */
export function writeReply(match: Match, neutral: Reply, surroundings: Surroundings): Reply {
  const { dialect } = surroundings;
  const { status, body } = neutral;
  // A refusal of the gates before every route (401, 429) applies to any path.
  const isUnrouted = match.kind !== 'call' && status === 404;
  if (match.kind === 'other-method' && isUnrouted) {
    return writeState(
      [{ status: 405 }],
      `Only ${match.methods.join(', ')} is possible here.`,
      dialect,
    );
  }
  const { id, error } = isJsonObject(body) ? body : {};
  const name = match.kind === 'call' ? match.call.name : undefined;
  const sentence = typeof error === 'string' ? error : '';
  const isResult = name === 'result' || name === 'batch';
  const { unknown } = dialect.answer.read;
  if (isResult && status === 404) {
    return writeState(unknown.length === 0 ? [{ status }] : toSay(unknown), sentence, dialect);
  }
  if (name === undefined || status >= 300) {
    const isPaid = name === 'enrich' || name === 'bulk';
    const [first, ...others] = toSay(signalsOf(status, isPaid, dialect));
    const said = first === undefined ? { status } : { ...first, status: first.status ?? 200 };
    return writeState([said, ...others], sentence, dialect);
  }
  if (status === 202) return writeUnready(typeof id === 'string' ? id : '', status, surroundings);
  if (name === 'result') return writeOne(body as unknown as ResultBody, surroundings, 'read');
  const atOnce =
    name === 'enrich' && typeof id === 'string' ? surroundings.atOnce('enrich', id) : undefined;
  if (atOnce !== undefined) return writeAtOnce(atOnce, surroundings);
  const told = writeAnswer(name, body, surroundings);
  const accepted = toSay(acceptedBy(name, body, dialect));
  return { status: accepted[0]?.status ?? status, body: withMore(told, accepted) };
}

/** The dialect's signals for a submission of which something was accepted. */
function acceptedBy(name: CallName, body: JsonValue, { bulk, enrich }: Dialect): Signals {
  if (name === 'enrich') return enrich?.accepted ?? [];
  const entries: readonly JsonValue[] = name === 'bulk' && Array.isArray(body) ? body : [];
  const hasAccepted = entries.some((entry) => isJsonObject(entry) && entry['id'] !== undefined);
  return hasAccepted ? bulk.answer.accepted : [];
}

/** Renames the headers of the limit; `now` in milliseconds since the Unix epoch. */
export function writeHeaders(reply: FastifyReply, { limits }: Dialect, now: number): void {
  const neutral = NEUTRAL_DIALECT.limits.headers;
  const values = HEADERS.map((name) => reply.getHeader(neutral[name]));
  for (const name of HEADERS) reply.removeHeader(neutral[name]);
  for (const [index, name] of HEADERS.entries()) {
    const value = values[index];
    if (value === undefined) continue;
    const written = name === 'reset' ? writeWait(Number(value), limits.reset, now) : value;
    reply.header(limits.headers[name], written);
  }
}

/** The wait in a header's format. A moment is rounded up to the whole second: no client comes too early. */
function writeWait(seconds: number, format: ResetFormat, now: number): string | number {
  const at = Math.ceil(now / 1000) + seconds;
  const date = new Date(at * 1000);
  switch (format) {
    case 'auto':
    case 'seconds':
      return seconds;
    case 'epoch':
      return at;
    case 'epoch-ms':
      return date.getTime();
    case 'date':
      return date.toUTCString();
    case 'iso':
      return date.toISOString();
    case 'javascript':
      return date.toString();
  }
}

/** The dialect's signals for a state that the neutral dialect shows by a status alone. */
function signalsOf(status: number, isPaid: boolean, { limits, errors }: Dialect): Signals {
  if (status === 429) return limits.throttled;
  if (status === 402) return errors.outOfCredits;
  return isPaid && status === 400 ? errors.refused : [];
}

/** The reply for a result that is not ready yet: by its ticket, or as entries if the dialect says it in them. */
function writeUnready(id: string, neutral: number, surroundings: Surroundings): Reply {
  const { bulkCalls, dialect, knownOf } = surroundings;
  const signals = signalsFor(dialect.answer.read, 'pending', true);
  const [{ status = 200, word } = { status: neutral }] = signals;
  if (saidIn('entry', signals).length === 0 || status >= 400 || word !== undefined) {
    const all = signals.length === 0 ? [{ status }] : signals;
    return writeState(all, 'There is no result yet.', dialect, id);
  }
  const call = bulkCalls.find(id);
  const metadata = knownOf(id)?.metadata;
  const items = call?.items ?? [{ id, ...(metadata !== undefined && { metadata }) }];
  const writing = { dialect, way: 'read', isOne: call === undefined } as const;
  const body = writePending(items, writing, knownOf);
  const ticket = call === undefined ? undefined : id;
  return { status, body: withCallTicket(body, ticket, dialect, 'read') };
}

/**
 * The reply for a state without a result: an error with its sentence and word at the dialect's place, or a success with
 * the ticket; and the values of the signals. There is at least one signal.
 */
function writeState(
  signals: Signals,
  sentence: string,
  dialect: Dialect,
  ticket?: JsonValue,
): Reply {
  const [{ status = 200, word = '' } = {}] = signals;
  const isError = status >= 400 || word !== '' || ticket === undefined;
  const isSaid = sentence.toLowerCase().includes(word.toLowerCase());
  const { reason } = dialect.errors;
  const body = isError
    ? withPlaced(
        {},
        reason.length === 0 ? ['error'] : reason,
        isSaid ? sentence : `${word}: ${sentence}`,
      )
    : withPlaced({}, dialect.answer.read.ticket, ticket);
  return { status, body: withSignals(body, signals) };
}

/** The reply with a result by its own ticket. A state that is an error has no result. */
function writeOne(body: ResultBody, { dialect, knownOf }: Surroundings, way: Way): Reply {
  const state = stateOfOne(body, knownOf) ?? 'done';
  const signalsOf = (one: State) => signalsFor(dialect.answer[way], one, true);
  const signals = signalsOf(state);
  const [{ status = 200, word } = {}] = [...signals, ...signalsOf('done')];
  if (state !== 'done' && (status >= 400 || word !== undefined)) {
    const { error } = body.data[0] ?? {};
    const sentence = typeof error === 'string' ? error : 'Nothing was found.';
    return writeState(signals, sentence, dialect);
  }
  const writing = { dialect, way, isOne: true } as const;
  return { status, body: writeResult(body, writing, knownOf) };
}

/** The reply with a result in the answer to its submission, with the ticket if there is one. */
function writeAtOnce(result: ResultBody, surroundings: Surroundings): Reply {
  const { status, body } = writeOne(result, surroundings, 'submit');
  const { enrich } = surroundings.dialect;
  const ticket = result.data[0]?.['id'];
  const isPlaced = status < 300 && isJsonObject(body);
  return { status, body: isPlaced ? withPlaced(body, enrich?.ticket ?? [], ticket) : body };
}
