// Everything that the listener refuses, with the status and the sentence for each, in one place.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { CorrelationKey } from '../model/correlation-key.js';
import { snakeCase } from '../model/text/json.js';

export interface Refusal {
  /** The name of the refusal in logs and metrics. */
  readonly reason: string;
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const AGAIN = { 'retry-after': '1' };

type Answer = [status: number, error: string, headers?: Refusal['headers']];

/** By the name of each, with its status and its sentence. */
const ALL = {
  twoHosts: [400, 'The request has two Host headers; send one.'],
  unknownAddress: [404, 'No delivery is expected at this address.'],
  onlyPost: [
    405,
    'Only POST is possible here: this address receives deliveries.',
    { allow: 'POST' },
  ],
  onlyGet: [
    405,
    'Only GET is possible here: this address says how the listener is.',
    { allow: 'GET, HEAD' },
  ],
  brokenOff: [400, 'The body ended too early; send all of it again.'],
  unknownEncoding: [
    415,
    'The body is packed in a form that is not known here; send it as gzip, deflate or br.',
  ],
  notText: [400, 'The body is no text in its charset; send it in UTF-8.'],
  tooLarge: [413, 'The body is too large; send fewer results at once.'],
  notJson: [400, 'The body is neither a JSON object nor a JSON array.'],
  tooManyValues: [413, 'The body holds too many values; send fewer results at once.'],
  tooDeep: [400, 'The body is nested too deeply.'],
  wrongSecret: [401, 'The secret is missing or wrong; register the webhook again.'],
  wrongSignature: [401, 'The signature of the body is missing or wrong.'],
  tooBusy: [503, 'Too much is waiting to be stored; send it again later.', AGAIN],
  draining: [
    503,
    'The listener is closing, and takes no more deliveries; send it again later.',
    AGAIN,
  ],
  notReady: [503, 'The state cannot be written at the moment; deliveries are refused.', AGAIN],
  notStored: [503, 'The delivery could not be stored; send it again later.', AGAIN],
} satisfies Readonly<Record<string, Answer>>;

export const REFUSALS = Object.fromEntries(
  Object.entries<Answer>(ALL).map(([name, [status, error, headers]]) => [
    name,
    { reason: snakeCase(name), status, error, headers },
  ]),
) as Readonly<Record<keyof typeof ALL, Refusal>>;

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
