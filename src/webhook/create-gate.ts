// The gates before the routes: they decide by method, address and length alone, so that no byte of a stranger's body is
// ever read, and no body for which there is no room.
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, onRequestHookHandler, preParsingHookHandler } from 'fastify';
import type { CorrelationKey, Keyring } from '../model/correlation-key.js';
import { KEY, REFUSALS, type Refusal, refuse } from './refusals.js';

/**
 * Asks whether the process runs; the next asks whether deliveries can be kept. Both count under any path, because a
 * proxy may leave its own part.
 */
const HEALTH_PATH = '/healthz';
const READY_PATH = '/readyz';

/** The memory that a request takes beside its body. */
const REQUEST_BYTES = 1024;
/** The limit for the pieces of a body: each takes memory beside its bytes, and a body of 8 MiB has a few hundred. */
const PIECES_MAX = 20_000;

export function createGate(
  keyring: Pick<Keyring, 'open'>,
  isDraining: () => boolean,
): onRequestHookHandler {
  return (request, reply, done) => {
    const { method, headers, headersDistinct } = request.raw;
    const path = pathOf(request.raw);
    // Some proxies and platforms add a slash.
    const whole = path.endsWith('/') ? path.slice(0, -1) : path;
    const key = keyring.open(whole.slice(whole.lastIndexOf('/') + 1));
    const isHealth = path.endsWith(HEALTH_PATH);
    const isProbe = isHealth || path.endsWith(READY_PATH);
    const judged = isProbe ? judgeProbe(method) : judgeDelivery(method, key);
    const hasTwoHosts = (headersDistinct['host']?.length ?? 0) > 1;
    const refusal =
      (hasTwoHosts ? REFUSALS.twoHosts : judged) ??
      (isDraining() && !isHealth ? REFUSALS.draining : undefined);
    if (refusal === undefined && key !== undefined) {
      request.setDecorator(KEY, key);
      // The body is read as JSON whatever its content type is, even if that is not a media type.
      delete headers['content-type'];
    } else {
      // Only a client that knows a key may keep a connection.
      reply.header('connection', 'close');
    }
    if (refusal === undefined) done();
    else refuse(request, reply, refusal);
  };
}

/** Takes so many bytes until the answer is written; false if there is no room for them. */
export type TakeRoom = (reply: FastifyReply, bytes: number) => boolean;

export function createRoom(bytesMax: number): TakeRoom {
  let taken = 0;
  return ({ raw }, bytes) => {
    if (taken + bytes > bytesMax) return false;
    taken += bytes;
    raw.once('close', () => {
      taken -= bytes;
    });
    return true;
  };
}

/** One that does not tell its length counts as the largest. */
export function createRoomGate(takeRoom: TakeRoom, bodyBytesMax: number): onRequestHookHandler {
  return (request, reply, done) => {
    const { headers } = request;
    const told = Number(
      headers['content-length'] ?? ('transfer-encoding' in headers ? Infinity : 0),
    );
    if (takeRoom(reply, REQUEST_BYTES + Math.min(told, bodyBytesMax))) done();
    else refuse(request, reply, REFUSALS.tooBusy);
  };
}

export const boundPieces: preParsingHookHandler = (request, _reply, payload, done) => {
  let pieces = 0;
  payload.on('data', () => {
    pieces += 1;
    if (pieces > PIECES_MAX) request.raw.destroy();
  });
  done(null, payload);
};

export function isReadiness(request: IncomingMessage): boolean {
  return pathOf(request).endsWith(READY_PATH);
}

function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1);
  return path;
}

function judgeProbe(method: string | undefined): Refusal | undefined {
  return method === 'GET' || method === 'HEAD' ? undefined : REFUSALS.onlyGet;
}

function judgeDelivery(
  method: string | undefined,
  key: CorrelationKey | undefined,
): Refusal | undefined {
  if (key === undefined) return REFUSALS.unknownAddress;
  return method === 'POST' ? undefined : REFUSALS.onlyPost;
}
