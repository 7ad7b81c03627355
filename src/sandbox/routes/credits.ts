// The control routes of the account's credits. No part of the platform.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SandboxContext } from '../sandbox-context.js';
import { acceptJson } from './accept-json.js';

const BODY = z.strictObject({ credits: z.int().min(0).nullable() });

/**
 * `GET /sandbox/credits` shows an `AccountState`; `POST /sandbox/credits` with `{credits}` says what was
 * bought in all (null: no limit) and shows it, or answers 400 `{error}`.
 */
export function registerCredits(app: FastifyInstance, { account }: SandboxContext): void {
  acceptJson(app);
  app.get('/sandbox/credits', (_request, reply) => reply.send(account.state()));

  app.post('/sandbox/credits', (request, reply) => {
    const body = BODY.safeParse(request.body);
    if (!body.success) {
      const error = 'The body must be {"credits": N}, a whole number of at least 0, or null.';
      return reply.code(400).send({ error });
    }
    account.set(body.data.credits ?? undefined);
    return reply.send(account.state());
  });
}
