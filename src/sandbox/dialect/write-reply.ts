// What a client gets, from the neutral words to a dialect's: the answer of a neutral route, and the answer to a request
// that is no call of the dialect. Answers without success are written here: in progress, throttled, out of credits, and
// every other error.
import type { FastifyReply } from 'fastify';
import { type Dialect, NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import type { WireSignals } from '../../dialect/parts.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { ResetFormat } from '../../model/text/time.js';
import type { Match } from './match-call.js';
import { withPlaced } from './wire-places.js';
import { type Surroundings, writeAnswer } from './write-answer.js';

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
    return writeRefusal(405, `Only ${match.methods.join(', ')} is possible here.`, dialect);
  }
  const { id, error } = isJsonObject(body) ? body : {};
  if (match.kind !== 'call' || status >= 300) {
    return writeRefusal(status, typeof error === 'string' ? error : '', dialect);
  }
  if (status === 202) return writePending(id, dialect);
  return { status, body: writeAnswer(match.call.name, body, surroundings) };
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

/** An error with its sentence at the dialect's place, and the status and word of its signal if it is one. */
function writeRefusal(status: number, sentence: string, dialect: Dialect): Reply {
  const signal = signalOf(status, dialect);
  const word = signal?.word ?? '';
  const isSaid = sentence.toLowerCase().includes(word.toLowerCase());
  const text = isSaid ? sentence : `${word}: ${sentence}`;
  const { reason } = dialect.errors;
  const body = withPlaced({}, reason.length === 0 ? ['error'] : reason, text);
  return { status: signal?.status ?? status, body };
}

/** The first of the dialect's signals for what the neutral dialect says by a status alone. */
function signalOf(status: number, { limits, errors }: Dialect): WireSignals[number] | undefined {
  if (status === 429) return limits.throttled[0];
  return status === 402 ? errors.outOfCredits[0] : undefined;
}

/** By a field where the dialect has one, else by a status. */
function writePending(ticket: JsonValue | undefined, dialect: Dialect): Reply {
  const { statuses, at, values } = dialect.result.pending;
  const [status = 202] = statuses;
  if (at.length > 0 && values.length > 0) {
    return { status: 200, body: withPlaced({}, at, values[0]) };
  }
  if (status >= 400) return writeRefusal(status, 'There is no result yet.', dialect);
  return { status, body: withPlaced({}, dialect.answer.ticket, ticket) };
}
