// What a client gets, from the neutral words to a dialect's: the answer of a neutral route, and the answer to a request
// that is no call of the dialect. Answers without success are written here: in progress, throttled, out of credits, and
// every other error.
import type { FastifyReply } from 'fastify';
import { type Dialect, NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import type { Signal } from '../../dialect/signal.js';
import type { Match } from '../../dialect/wire-calls.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { ResetFormat } from '../../model/text/time.js';
import { signalFor, withSignal } from './say.js';
import { type Way, withPlaced } from './wire-places.js';
import { type Surroundings, writeAnswer } from './write-answer.js';
import { type ResultBody, stateOfOne, writeResult } from './write-result.js';

interface Reply {
  readonly status: number;
  readonly body: JsonValue;
}

const HEADERS = ['limit', 'remaining', 'reset', 'retryAfter'] as const;

/** `neutral` is the answer of the route, or of the server where there was none. */
export function writeReply(match: Match, neutral: Reply, surroundings: Surroundings): Reply {
  const { dialect } = surroundings;
  const { status, body } = neutral;
  // What the gates before every route refused (401, 429) is refused on any path.
  const isUnrouted = match.kind !== 'call' && status === 404;
  if (match.kind === 'other-method' && isUnrouted) {
    return writeState(
      { status: 405 },
      `Only ${match.methods.join(', ')} is possible here.`,
      dialect,
    );
  }
  const { id, error } = isJsonObject(body) ? body : {};
  const name = match.kind === 'call' ? match.call.name : undefined;
  const sentence = typeof error === 'string' ? error : '';
  const isResult = name === 'result' || name === 'batch';
  const { pending, unknown } = dialect.answer.read;
  if (isResult && status === 404) return writeState(unknown[0] ?? { status }, sentence, dialect);
  if (name === undefined || status >= 300) {
    const isPaid = name === 'enrich' || name === 'bulk';
    const signal =
      signalOf(status, dialect) ??
      (isPaid && status === 400 ? dialect.errors.refused[0] : undefined);
    return writeState(
      { ...signal, status: signal?.status ?? (signal === undefined ? status : 200) },
      sentence,
      dialect,
    );
  }
  if (status === 202)
    return writeState(pending[0] ?? { status }, 'There is no result yet.', dialect, id);
  if (name === 'result') return writeOne(body as unknown as ResultBody, surroundings, 'read');
  const atOnce =
    name === 'enrich' && typeof id === 'string' ? surroundings.atOnce('enrich', id) : undefined;
  if (atOnce !== undefined) return writeAtOnce(atOnce, surroundings);
  return { status, body: writeAnswer(name, body, surroundings) };
}

/** Renames the headers of the limit; `now` in milliseconds since the Unix epoch. */
export function writeHeaders(reply: FastifyReply, { limits }: Dialect, now: number): void {
  const neutral = NEUTRAL_DIALECT.limits.headers;
  const values = HEADERS.map((name) => reply.getHeader(neutral[name]));
  for (const name of HEADERS) reply.removeHeader(neutral[name]);
  for (const [index, name] of HEADERS.entries()) {
    const value = values[index];
    if (value === undefined) continue;
    const written = name === 'reset' ? writeReset(Number(value), limits.reset, now) : value;
    reply.header(limits.headers[name], written);
  }
}

/** A moment is rounded up to the whole second: no client comes too early. */
function writeReset(seconds: number, format: ResetFormat, now: number): string | number {
  const at = Math.ceil(now / 1000) + seconds;
  switch (format) {
    case 'auto':
    case 'seconds':
      return seconds;
    case 'epoch':
      return at;
    case 'date':
      return new Date(at * 1000).toUTCString();
  }
}

/** The first of the dialect's signals for what the neutral dialect says by a status alone. */
function signalOf(status: number, { limits, errors }: Dialect): Signal | undefined {
  if (status === 429) return limits.throttled[0];
  return status === 402 ? errors.outOfCredits[0] : undefined;
}

/**
 * What a signal says, without a result: an error with its sentence and word at the dialect's place, or a success with the
 * ticket; and the value of the signal.
 */
function writeState(signal: Signal, sentence: string, dialect: Dialect, ticket?: JsonValue): Reply {
  const { status = 200, word = '' } = signal;
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
  return { status, body: withSignal(body, signal) };
}

/** A result by its own ticket. A state that is an error has no result. */
function writeOne(body: ResultBody, { dialect, knownOf }: Surroundings, way: Way): Reply {
  const state = stateOfOne(body, knownOf) ?? 'done';
  const signal = signalFor(dialect.answer[way], state, true);
  const { status = 200, word } = signal ?? {};
  if (signal !== undefined && (status >= 400 || word !== undefined)) {
    const { error } = body.data[0] ?? {};
    const sentence = typeof error === 'string' ? error : 'Nothing was found.';
    return writeState(signal, sentence, dialect);
  }
  const writing = { dialect, way, isOne: true } as const;
  return { status, body: writeResult(body, writing, knownOf) };
}

/** A result in the answer to its submission, with the ticket where there is one. */
function writeAtOnce(result: ResultBody, surroundings: Surroundings): Reply {
  const { status, body } = writeOne(result, surroundings, 'submit');
  const { enrich } = surroundings.dialect;
  const ticket = result.data[0]?.['id'];
  const isPlaced = status < 300 && isJsonObject(body);
  return { status, body: isPlaced ? withPlaced(body, enrich?.ticket ?? [], ticket) : body };
}
