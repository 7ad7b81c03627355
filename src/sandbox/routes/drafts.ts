// One draft of an inbox conversation (docs/platform-api.md, GET /inbox/{contactId}/drafts/{draftId}).
import type { FastifyInstance } from 'fastify';
import { CONTACTS, DRAFTS, type SeededUser, TEAM, USERS } from '../seeds.js';
import { isEmail, type RawQuery, Refusal, readQuery } from './read-request.js';

interface Route {
  Params: { contactId: string; draftId: string };
  Querystring: RawQuery;
}

/**
 * 200 `{draft}`. The owner is judged before the rest, so that no user outside of the team learns what exists: 400 for a
 * text that names no user, 404 for an unknown user, 403 for a user of another team; then 404 for an unknown contact,
 * and for a draft that is not this owner's in this conversation.
 */
export function registerDrafts(app: FastifyInstance): void {
  app.get<Route>('/inbox/:contactId/drafts/:draftId', (request) => {
    const { contactId, draftId } = request.params;
    const owner = findOwner(readQuery(request.query, ['draftOwner']).draftOwner);
    if (!CONTACTS.some(({ id }) => id === contactId)) {
      throw new Refusal(404, 'There is no contact with this id.');
    }
    const seeded = DRAFTS.find(
      (one) => one.id === draftId && one.contactId === contactId && one.ownerId === owner.id,
    );
    if (seeded !== undefined) return { draft: { _id: seeded.id, ...seeded.draft } };
    throw new Refusal(404, 'There is no draft with this id for this contact and draftOwner.');
  });
}

/** The owner: an id (`usr_…`) is used as it is, a login e-mail is looked up, in upper or lower case. */
function findOwner(draftOwner: string | undefined): SeededUser {
  if (!draftOwner) {
    const sentence = 'The parameter draftOwner is missing: give a user id or a login e-mail.';
    throw new Refusal(400, sentence);
  }
  const isId = draftOwner.startsWith('usr_');
  if (!isId && !isEmail(draftOwner)) {
    const sentence = 'The value of draftOwner is neither a user id (usr_…) nor a login e-mail.';
    throw new Refusal(400, sentence);
  }
  const owner = isId
    ? USERS.find(({ id }) => id === draftOwner)
    : USERS.find(({ email }) => email.toLowerCase() === draftOwner.toLowerCase());
  if (owner === undefined) throw new Refusal(404, 'There is no user with this draftOwner.');
  if (owner.teamId !== TEAM.id) {
    throw new Refusal(403, 'The draftOwner does not belong to your team.');
  }
  return owner;
}
