// The control routes that steer faults while the sandbox runs. No part of the platform.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { SluiceError } from '../../model/errors.js';
import { checkFaultShares } from '../faults/fault-names.js';
import type { SandboxContext } from '../sandbox-context.js';
import { acceptJson } from './accept-json.js';

const BODY = z.record(z.string(), z.unknown());

/**
 * `GET /sandbox/faults` shows the probability of every fault; `PUT /sandbox/faults` replaces them all (what
 * is left out becomes 0) and shows them, or answers 400 `{error}` and changes nothing.
 */
export function registerFaults(app: FastifyInstance, { faults }: SandboxContext): void {
  acceptJson(app);
  app.get('/sandbox/faults', (_request, reply) => reply.send(faults.shares));

  app.put('/sandbox/faults', (request, reply) => {
    const body = BODY.safeParse(request.body);
    if (!body.success) {
      const error = 'The body must be an object of probabilities, like {"drop-after": 0.05}.';
      return reply.code(400).send({ error });
    }
    try {
      faults.replace(checkFaultShares(body.data));
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      return reply.code(400).send({ error: error.message });
    }
    return reply.send(faults.shares);
  });
}
