// The gate that every platform request passes first: it is counted, compared with the limit, and authorised, in this
// order, so that a request without credentials uses up the limit as well.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from './sandbox-context.js';
import type { Admission } from './traffic.js';

/** True when the request may go on; false when it has been answered. */
export type Gate = (
  request: FastifyRequest,
  reply: FastifyReply,
  options: { readonly needsAuthorisation: boolean },
) => boolean;

/** The beginning of control routes, which steer the emulator and are not part of the platform. */
export const CONTROL_PREFIX = '/sandbox/';

/**
 * Answers 429 (docs/platform-api.md, Limits) and 401 (docs/platform-api.md, Authentication). `X-RateLimit-Reset` is in
 * whole seconds, rounded up, until one more request is possible than now.
 */
export function createGate(context: SandboxContext): Gate {
  const { now, traffic, isAuthorised } = context;
  return (request, reply, { needsAuthorisation }) => {
    if (request.url.startsWith(CONTROL_PREFIX)) return true;
    const admission = traffic.arrive(now());
    if (admission !== null && !passLimit(admission, reply)) return false;
    if (!needsAuthorisation || isAuthorised(request.headers)) return true;
    refuseUnauthorised(reply);
    return false;
  };
}

/** Answers 401, with the challenge that RFC 9110 requires. */
function refuseUnauthorised(reply: FastifyReply): void {
  void reply
    .code(401)
    .header('www-authenticate', 'Basic realm="sandbox", charset="UTF-8"')
    .send({ error: 'The Authorization header is missing or its credentials are wrong.' });
}

function passLimit(admission: Admission, reply: FastifyReply): boolean {
  const freeInSeconds = Math.ceil(admission.freeInMs / 1000);
  reply.header('x-ratelimit-limit', admission.limit.requests);
  reply.header('x-ratelimit-remaining', admission.remaining);
  reply.header('x-ratelimit-reset', freeInSeconds);
  if (admission.isAdmitted) return true;
  const { requests, perMs } = admission.limit;
  void reply
    .code(429)
    .header('retry-after', Math.max(1, freeInSeconds))
    .send({ error: `More than ${requests} requests in ${perMs} ms.` });
  return false;
}

/** Accepts `Basic base64(username:password)` (docs/platform-api.md, Authentication). */
export function createAuthenticator({
  username,
  password,
}: {
  readonly username: string;
  readonly password: string;
}): SandboxContext['isAuthorised'] {
  const credentials = `${username}:${password}`;
  const usualHeader = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return ({ authorization: header }) => {
    if (header === usualHeader) return true;
    const encoded = /^basic +([\w+/=-]+) *$/i.exec(header ?? '')?.[1];
    return encoded !== undefined && Buffer.from(encoded, 'base64').toString() === credentials;
  };
}
