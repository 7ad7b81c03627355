// The control routes: the events so far, the seeds, the credits of the account, and the faults. They are not part of
// the platform: no credentials, no limit.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isCredits } from '../../model/credits.js';
import { SluiceError } from '../../model/errors.js';
import { judgeEventType } from '../../model/events/event-catalogue.js';
import { isJsonObject, type JsonObject } from '../../model/text/json.js';
import { buildRecord } from '../activities.js';
import { checkFaultShares } from '../faults.js';
import type { SandboxContext } from '../sandbox-context.js';
import { CAMPAIGNS, CONTACTS, DRAFTS, DYNAMIC_LIST, TEAM, USERS } from '../seeds.js';
import { acceptJson, Refusal, readBody } from './read-request.js';

const PAGE_MAX = 1000;
const CREDITS = z.strictObject({ credits: z.number().refine(isCredits).nullable() });
const SHARES = z.record(z.string(), z.unknown());

const SEEDS = {
  team: TEAM,
  users: USERS.map((user) => ({ ...user, isInTeam: user.teamId === TEAM.id })),
  campaigns: CAMPAIGNS,
  contacts: CONTACTS,
  drafts: DRAFTS.map(({ id, contactId, ownerId, draft }) => ({
    id,
    contactId,
    ownerId,
    subject: draft.subject,
    /** A path that can be requested as it is, with credentials. */
    path: `/inbox/${contactId}/drafts/${id}?draftOwner=${ownerId}`,
  })),
  lists: [{ ...DYNAMIC_LIST, kind: 'dynamic' }],
};

/**
 * - `GET /sandbox/health`
 * - `GET /sandbox/seeds`: `{team, users, campaigns, contacts, drafts, lists}`, the same in every sandbox
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
  app.get('/sandbox/seeds', () => SEEDS);
  app.get('/sandbox/ledger', () => ledger.summary());

  app.get<{ Querystring: Record<string, string | string[]> }>(
    '/sandbox/ledger/entries',
    (request) => {
      const { after, limit: limitText = '100' } = request.query;
      const limit = Number(limitText);
      if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX) {
        throw new Refusal(400, `The limit must be a whole number from 1 to ${PAGE_MAX}.`);
      }
      // One entry more than requested shows whether there is a next page.
      const found = ledger.entries({ limit: limit + 1, ...(after && { after: String(after) }) });
      if (found === null) throw new Refusal(400, 'There is no entry after this id.');
      const entries = found.slice(0, limit);
      return { entries, next: found.length > limit ? entries.at(-1)?.id : null };
    },
  );

  app.get('/sandbox/credits', () => account.state());
  app.post('/sandbox/credits', (request) => {
    const sentence =
      'The body must be {"credits": N}, a number of at least 0 with three decimals at most, or null.';
    account.set(readBody(CREDITS, request.body, sentence).credits ?? undefined);
    return account.state();
  });

  app.get('/sandbox/faults', () => faults.shares);
  app.put('/sandbox/faults', (request) => {
    const sentence = 'The body must be an object of probabilities, like {"drop-after": 0.05}.';
    const shares = readBody(SHARES, request.body, sentence);
    try {
      faults.replace(checkFaultShares(shares));
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      throw new Refusal(400, error.message);
    }
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

  app.post('/sandbox/emit', (request) => {
    const sentence =
      'The body must be an object {"type": EVENT, "fields": {…}}; fields may be left out.';
    const { type, fields = {} } = readBody(BODY, request.body, sentence);
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
