// What happens to one delivery behind the gate: read, opened, stored, and only then answered.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CorrelationKey } from '../model/correlation-key.js';
import type { GroupedWrites } from '../ports/group-writes.js';
import type { Arrival } from '../ports/store/deliveries.js';
import { arrivalsOf } from './body/arrivals-of.js';
import type { MemoryBudget, Share } from './body/memory-budget.js';
import { openBody } from './body/open-body.js';
import { readBody } from './body/read-body.js';
import type { WebhookSecret } from './body/webhook-secret.js';
import { KEY } from './create-gate.js';
import { REFUSALS, type Refusal, refuse } from './refusals.js';

export interface Reception {
  readonly bodyBytesMax: number;
  readonly memory: MemoryBudget;
  readonly secret: WebhookSecret;
  readonly now: () => number;
  readonly deliveries: Pick<GroupedWrites<Arrival>, 'add'>;
  /** Whether the listener is closing: nothing more is taken. */
  readonly isDraining: () => boolean;
}

const RECEIVED = '{"received":true}';
/** A larger body waits for its turn. One result is smaller, and so are most that come together. */
const AT_ONCE_BYTES_MAX = 64 * 2 ** 10;

export function createReceiver({
  bodyBytesMax,
  memory,
  secret,
  now,
  deliveries,
  isDraining,
}: Reception) {
  const nextTurn = createTurns();

  /** Returns nothing but what is to be kept: the body and what it was read into are free while that is stored. */
  const receive = async (
    request: FastifyRequest,
    share: Share,
  ): Promise<readonly Arrival[] | Refusal> => {
    const bytes = await readBody(request.raw, bodyBytesMax, share);
    if (!Buffer.isBuffer(bytes)) return bytes;
    if (bytes.length > AT_ONCE_BYTES_MAX) {
      await nextTurn();
      if (isDraining()) return REFUSALS.draining;
    }
    const key = request.getDecorator<CorrelationKey>(KEY);
    const opened = openBody(bytes, key.kind, secret);
    return 'status' in opened ? opened : arrivalsOf(opened, key, now());
  };

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { kind, scope, id } = request.getDecorator<CorrelationKey>(KEY);
    // A hook brings what belongs to the whole account.
    const share = memory.openShare(kind === 'hook' ? undefined : `${kind} ${scope} ${id}`);
    try {
      const arrivals = await receive(request, share);
      if ('status' in arrivals) return refuse(request, reply, arrivals);
      await Promise.all(arrivals.map((arrival) => deliveries.add(arrival)));
      void reply.type('application/json').send(RECEIVED);
    } catch {
      // Whoever keeps deliveries knows why; the platform only has to know that it must repeat.
      refuse(request, reply, REFUSALS.notStored);
    } finally {
      share.release();
    }
  };
}

/** One at a time, each in a turn of the event loop of its own, so that whoever comes with little is served between. */
function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}
