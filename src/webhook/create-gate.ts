// The gate before every route: decides from method and address alone, so that nothing of a stranger's body
// is ever read.
import type { onRequestHookHandler } from 'fastify';
import type { CorrelationKey, Keyring } from '../domain/correlation-key.js';
import { REFUSALS, type Refusal, refuse } from './refusals.js';

/** Under any path, as deliveries are: the proxy may leave its own part. */
const HEALTH_PATH = '/healthz';

/** The name under which the gate leaves the opened key on a request. */
export const KEY = 'correlationKey';

export function createGate(keyring: Pick<Keyring, 'open'>): onRequestHookHandler {
  return (request, reply, done) => {
    const { method, headers, url = '' } = request.raw;
    const [path = ''] = url.split('?', 1);
    const key = keyring.open(path.slice(path.lastIndexOf('/') + 1));
    const refusal = path.endsWith(HEALTH_PATH) ? judgeHealth(method) : judgeDelivery(method, key);
    if (refusal === undefined && key !== undefined) {
      request.setDecorator(KEY, key);
      // The body is JSON whatever it is called, even where that name is no media type.
      delete headers['content-type'];
    } else {
      // Only who knows a key may keep a connection.
      reply.header('connection', 'close');
    }
    if (refusal === undefined) done();
    else refuse(request, reply, refusal);
  };
}

function judgeHealth(method: string | undefined): Refusal | undefined {
  return method === 'GET' || method === 'HEAD' ? undefined : REFUSALS.onlyGet;
}

function judgeDelivery(
  method: string | undefined,
  key: CorrelationKey | undefined,
): Refusal | undefined {
  if (key === undefined) return REFUSALS.unknownAddress;
  return method === 'POST' ? undefined : REFUSALS.onlyPost;
}
