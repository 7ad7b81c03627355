// Everything that the listener refuses, with the status and the sentence for each, in one place.
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const AGAIN = { 'retry-after': '1' };

export const REFUSALS = {
  unknownAddress: { status: 404, error: 'No delivery is expected at this address.' },
  onlyPost: {
    status: 405,
    error: 'Only POST is possible here: this address receives deliveries.',
    headers: { allow: 'POST' },
  },
  onlyGet: {
    status: 405,
    error: 'Only GET is possible here: this address tells that the listener is well.',
    headers: { allow: 'GET, HEAD' },
  },
  brokenOff: { status: 400, error: 'The body broke off; send it again, whole.' },
  tooLarge: { status: 413, error: 'The body is too large; send fewer results at once.' },
  notJson: { status: 400, error: 'The body is neither a JSON object nor a JSON array.' },
  tooDeep: { status: 400, error: 'The body is nested too deeply.' },
  wrongSecret: {
    status: 401,
    error: 'The secret in the body is missing or wrong; register the webhook anew.',
  },
  tooBusy: {
    status: 503,
    error: 'Too much is waiting to be stored; send it again later.',
    headers: AGAIN,
  },
  notStored: {
    status: 503,
    error: 'The delivery could not be stored; send it again later.',
    headers: AGAIN,
  },
} satisfies Record<string, Refusal>;

/** For an event that cannot be kept as one. */
export function brokenEvent(error: string): Refusal {
  return { status: 400, error };
}

/** `{error: sentence}`. Closes the connection where a body is still to come: it will not be read. */
export function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
  const { status, error, headers } = refusal;
  if (headers !== undefined) reply.headers(headers);
  if (!request.raw.complete) reply.header('connection', 'close');
  void reply.code(status).send({ error });
}
