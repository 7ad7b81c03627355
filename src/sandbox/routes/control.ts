// The control routes: the ledger, the credits of the account, and the faults. They are not part of
// the platform: no credentials, no limit.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isCredits } from '../../model/credits.js';
import { judgeEventType } from '../../model/events/event-catalogue.js';
import { isJsonObject, type JsonObject } from '../../model/text/json.js';
import { buildRecord } from '../activities.js';
import { FAULT_SHARES } from '../faults.js';
import type { SandboxContext } from '../sandbox-context.js';
import { acceptJson, Refusal, read } from './read-request.js';

const PAGE = z.object({
  after: z.string().exactOptional(),
  limit: z.string().regex(/^\d+$/).default('100').pipe(z.coerce.number<string>().min(1).max(1000)),
});
const CREDITS = z.strictObject({ credits: z.number().refine(isCredits).nullable() });

/**
 * - `GET /sandbox/health`
 * - `GET /sandbox/ledger`: a `LedgerSummary`
 * - `GET /sandbox/ledger/entries?after=ID&limit=1..1000`: `{entries, next}`; `next` is the `after` of the next page,
 *   null at the end
 * - `GET /sandbox/credits` shows an `AccountState`; `POST /sandbox/credits` with `{credits}` sets the credits bought in
 *   all (null: no limit) and shows it
 * - `GET /sandbox/faults` shows the probability of every fault; `PUT /sandbox/faults` replaces them all (those left out
 *   become 0) and shows them
 *
 * A wrong request is answered 400 `{error}` and changes nothing.
 */
export function registerControl(app: FastifyInstance, context: SandboxContext): void {
  const { ledger, account, faults } = context;
  acceptJson(app);
  app.get('/sandbox/health', () => ({ status: 'ok' }));
  app.get('/sandbox/ledger', () => ledger.summary());

  app.get('/sandbox/ledger/entries', ({ query }) => {
    const { limit, ...after } = read(PAGE, query);
    // One entry more than requested shows whether there is a next page.
    const found = ledger.entries({ limit: limit + 1, ...after });
    if (found === null) throw new Refusal(400, 'There is no entry after this id.');
    const entries = found.slice(0, limit);
    return { entries, next: found.length > limit ? entries.at(-1)?.id : null };
  });

  app.get('/sandbox/credits', () => account.state());
  app.post('/sandbox/credits', ({ body }) => {
    account.set(read(CREDITS, body).credits ?? undefined);
    return account.state();
  });

  app.get('/sandbox/faults', () => faults.shares);
  app.put('/sandbox/faults', ({ body }) => {
    faults.replace(read(FAULT_SHARES, body));
    return faults.shares;
  });
}

const BODY = z.strictObject({
  type: z.string(),
  fields: z.custom<JsonObject>(isJsonObject).exactOptional(),
});

/**
 * `POST /sandbox/emit` `{type, fields?}`: 200 `{record, hooks, state}`: the record (without any secret), the number of
 * hooks, and the new state of its lead, or null; 400 `{error}` for an unknown event. A field of `null` is left out.
 */
export function registerEmit(app: FastifyInstance, context: SandboxContext): void {
  const { activities, webhooks, people } = context;
  acceptJson(app);

  app.post('/sandbox/emit', ({ body }) => {
    const { type, fields = {} } = read(BODY, body);
    const verdict = judgeEventType(type);
    if (verdict.kind !== 'known') throw new Refusal(400, verdict.problem);
    const activity = activities.emit(type, (id, now) =>
      buildRecord(verdict.event, fields, { id, now, seed: people.seed }),
    );
    const hooks = webhooks.announce(activity);
    const change = activities.emitState(activity);
    if (change !== undefined) webhooks.announce(change);
    return { record: activity.record, hooks, state: change?.type ?? null };
  });
}
