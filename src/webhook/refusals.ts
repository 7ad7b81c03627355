// Everything that the listener refuses, with the status and the sentence for each, in one place.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { CorrelationKey } from '../model/correlation-key.js';

export interface Refusal {
  /** The name of the refusal in logs and metrics. */
  readonly reason: string;
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const AGAIN = { 'retry-after': '1' };

export const REFUSALS = {
  twoHosts: {
    reason: 'two_hosts',
    status: 400,
    error: 'The request has two Host headers; send one.',
  },
  unknownAddress: {
    reason: 'unknown_address',
    status: 404,
    error: 'No delivery is expected at this address.',
  },
  onlyPost: {
    reason: 'only_post',
    status: 405,
    error: 'Only POST is possible here: this address receives deliveries.',
    headers: { allow: 'POST' },
  },
  onlyGet: {
    reason: 'only_get',
    status: 405,
    error: 'Only GET is possible here: this address says how the listener is.',
    headers: { allow: 'GET, HEAD' },
  },
  brokenOff: {
    reason: 'broken_off',
    status: 400,
    error: 'The body ended too early; send all of it again.',
  },
  unknownEncoding: {
    reason: 'unknown_encoding',
    status: 415,
    error: 'The body is packed in a form that is not known here; send it as gzip, deflate or br.',
  },
  notText: {
    reason: 'not_text',
    status: 400,
    error: 'The body is no text in its charset; send it in UTF-8.',
  },
  tooLarge: {
    reason: 'too_large',
    status: 413,
    error: 'The body is too large; send fewer results at once.',
  },
  notJson: {
    reason: 'not_json',
    status: 400,
    error: 'The body is neither a JSON object nor a JSON array.',
  },
  tooManyValues: {
    reason: 'too_many_values',
    status: 413,
    error: 'The body holds too many values; send fewer results at once.',
  },
  tooDeep: { reason: 'too_deep', status: 400, error: 'The body is nested too deeply.' },
  wrongSecret: {
    reason: 'wrong_secret',
    status: 401,
    error: 'The secret is missing or wrong; register the webhook again.',
  },
  wrongSignature: {
    reason: 'wrong_signature',
    status: 401,
    error: 'The signature of the body is missing or wrong.',
  },
  tooBusy: {
    reason: 'too_busy',
    status: 503,
    error: 'Too much is waiting to be stored; send it again later.',
    headers: AGAIN,
  },
  draining: {
    reason: 'draining',
    status: 503,
    error: 'The listener is closing, and takes no more deliveries; send it again later.',
    headers: AGAIN,
  },
  notReady: {
    reason: 'not_ready',
    status: 503,
    error: 'The state cannot be written at the moment; deliveries are refused.',
    headers: AGAIN,
  },
  notStored: {
    reason: 'not_stored',
    status: 503,
    error: 'The delivery could not be stored; send it again later.',
    headers: AGAIN,
  },
} satisfies Record<string, Refusal>;

export function brokenEvent(error: string): Refusal {
  return { reason: 'broken_event', status: 400, error };
}

export interface Refused extends Pick<Refusal, 'reason' | 'status'> {
  /** The account of the genuine key at whose address it came; undefined if that is not known. */
  readonly scope: string | undefined;
  readonly encoding: string | undefined;
}

/** Called for each refusal. Must not throw. */
export type OnRefused = (refused: Refused) => void;
/** The name under which the app keeps the callback. */
export const ON_REFUSED = 'onRefused';
/** The name under which the gate leaves the opened key on a request. */
export const KEY = 'correlationKey';

/** Answers `{error: sentence}`. Closes the connection if a body is still to come, because it will not be read. */
export function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
  const { status, error, headers, reason } = refusal;
  const encoding = request.headers['content-encoding'];
  // An address that cannot be decoded never comes to the gate.
  const scope = (request as { readonly [KEY]?: CorrelationKey | null })[KEY]?.scope;
  request.server.getDecorator<OnRefused>(ON_REFUSED)({ reason, status, scope, encoding });
  if (headers !== undefined) reply.headers(headers);
  if (!request.raw.complete) reply.header('connection', 'close');
  void reply.code(status).send({ error });
}

export function refusalOf({ code, statusCode }: Partial<FastifyError>): Refusal {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return REFUSALS.tooLarge;
  // The listener's `keep` option has reported the reason; the platform only has to know that it must repeat.
  return statusCode === 400 ? REFUSALS.brokenOff : REFUSALS.notStored;
}
