// One draft of an inbox conversation (docs/platform-api.md, GET /inbox/{contactId}/drafts/{draftId}).
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { CONTACTS, DRAFTS, type SeededUser, TEAM, USERS } from '../seeds.js';
import { Refusal, read, TEXT } from './read-request.js';

const QUERY = z.strictObject({
  draftOwner: TEXT.regex(
    /^usr_|^[^\s@]+@\S+$/,
    'It is neither a user id (usr_…) nor a login e-mail',
  ),
});

/**
 * 200 `{draft}`. The owner is judged before the rest, so that no user outside of the team learns what exists: 400 for a
 * text that names no user, 404 for an unknown user, 403 for a user of another team; then 404 for an unknown contact,
 * and for a draft that is not this owner's in this conversation.
 */
export function registerDrafts(app: FastifyInstance): void {
  const path = '/inbox/:contactId/drafts/:draftId';
  app.get<{ Params: { contactId: string; draftId: string } }>(path, ({ params, query }) => {
    const { contactId, draftId } = params;
    const owner = findOwner(read(QUERY, query).draftOwner);
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
function findOwner(draftOwner: string): SeededUser {
  const owner = USERS.find(
    ({ id, email }) => id === draftOwner || email.toLowerCase() === draftOwner.toLowerCase(),
  );
  if (owner === undefined) throw new Refusal(404, 'There is no user with this draftOwner.');
  if (owner.teamId !== TEAM.id) {
    throw new Refusal(403, 'The draftOwner does not belong to your team.');
  }
  return owner;
}
