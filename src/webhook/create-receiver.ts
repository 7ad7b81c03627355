// What happens to one delivery behind the gate: read, opened, stored, and only then answered.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CorrelationKey } from '../domain/correlation-key.js';
import { arrivalsOf } from './arrivals-of.js';
import type { SecretCheck } from './check-secret.js';
import { KEY } from './create-gate.js';
import type { GroupedDeliveries } from './group-deliveries.js';
import type { MemoryBudget } from './memory-budget.js';
import { openBody } from './open-body.js';
import { readBody } from './read-body.js';
import { REFUSALS, refuse } from './refusals.js';

export interface Reception {
  readonly bodyBytesMax: number;
  readonly memory: MemoryBudget;
  readonly isSecretRight: SecretCheck;
  readonly now: () => number;
  readonly deliveries: Pick<GroupedDeliveries, 'add'>;
}

const RECEIVED = '{"received":true}';

export function createReceiver({
  bodyBytesMax,
  memory,
  isSecretRight,
  now,
  deliveries,
}: Reception) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const share = memory.openShare();
    try {
      const bytes = await readBody(request.raw, bodyBytesMax, share);
      if (!Buffer.isBuffer(bytes)) return refuse(request, reply, bytes);
      const key = request.getDecorator<CorrelationKey>(KEY);
      const opened = openBody(bytes, key.kind, isSecretRight);
      if ('status' in opened) return refuse(request, reply, opened);
      const arrivals = arrivalsOf(opened, key, now());
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
