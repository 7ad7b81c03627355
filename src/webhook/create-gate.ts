// The gate before every route: decides by method and address alone, so that no byte of a stranger's body is ever read.
import type { IncomingMessage } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import type { CorrelationKey, Keyring } from '../model/correlation-key.js';
import type { ConnectionBudget } from './connection-budget.js';
import { REFUSALS, type Refusal, refuse } from './refusals.js';

/**
 * Asks whether the process runs; the next asks whether deliveries can be kept. Both count under any path, because a
 * proxy may leave its own part.
 */
const HEALTH_PATH = '/healthz';
const READY_PATH = '/readyz';

/** The name under which the gate leaves the opened key on a request. */
export const KEY = 'correlationKey';

export function createGate(
  keyring: Pick<Keyring, 'open'>,
  isDraining: () => boolean,
  connections: Pick<ConnectionBudget, 'showKey'>,
): onRequestHookHandler {
  return (request, reply, done) => {
    const { method, headers, headersDistinct } = request.raw;
    const path = pathOf(request.raw);
    const key = keyring.open(path.slice(path.lastIndexOf('/') + 1));
    const isHealth = path.endsWith(HEALTH_PATH);
    const isProbe = isHealth || path.endsWith(READY_PATH);
    const judged = isProbe ? judgeProbe(method) : judgeDelivery(method, key);
    const hasTwoHosts = (headersDistinct['host']?.length ?? 0) > 1;
    const refusal =
      (hasTwoHosts ? REFUSALS.twoHosts : judged) ??
      (isDraining() && !isHealth ? REFUSALS.draining : undefined);
    if (refusal === undefined && key !== undefined) {
      request.setDecorator(KEY, key);
      connections.showKey(request.raw, reply.raw);
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

/** Whether a request asks if deliveries can be kept. */
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
