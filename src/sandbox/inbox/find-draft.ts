// One draft of an inbox conversation, for a user of the team
// (docs/platform-api.md, GET /inbox/{contactId}/drafts/{draftId}).
import { isEmail } from '../routes/read/judge-inputs.js';
import { CONTACTS, type SeededUser, TEAM, USERS } from '../seeds.js';
import { DRAFTS, type SeededDraft } from './seeded-drafts.js';

interface DraftQuestion {
  readonly contactId: string;
  readonly draftId: string;
  /** A user id (`usr_…`), or the login e-mail of a user. */
  readonly draftOwner: string;
}

export type DraftAnswer =
  | { readonly kind: 'found'; readonly draft: { readonly _id: string } & SeededDraft['draft'] }
  | { readonly kind: 'refused'; readonly status: 400 | 403 | 404; readonly sentence: string };

/**
 * The owner is judged before the rest, so that nobody outside of the team learns what is there: 400 for a text
 * that names nobody, 404 for an unknown user, 403 for one of another team; then 404 for an unknown contact, and
 * for a draft that is not this owner's in this conversation.
 */
export function findDraft({ contactId, draftId, draftOwner }: DraftQuestion): DraftAnswer {
  if (!draftOwner.startsWith('usr_') && !isEmail(draftOwner)) {
    return refuse(400, 'The value of draftOwner is neither a user id (usr_…) nor a login e-mail.');
  }
  const owner = findUser(draftOwner);
  if (owner === undefined) return refuse(404, 'There is no user with this draftOwner.');
  if (owner.teamId !== TEAM.id) return refuse(403, 'The draftOwner does not belong to your team.');
  if (!CONTACTS.some(({ id }) => id === contactId)) {
    return refuse(404, 'There is no contact with this id.');
  }
  const seeded = DRAFTS.find(
    (one) => one.id === draftId && one.contactId === contactId && one.ownerId === owner.id,
  );
  if (seeded !== undefined) return { kind: 'found', draft: { _id: seeded.id, ...seeded.draft } };
  return refuse(404, 'There is no draft with this id for this contact and draftOwner.');
}

// An id is used as is, an e-mail is looked up, in any case of its letters.
function findUser(draftOwner: string): SeededUser | undefined {
  if (draftOwner.startsWith('usr_')) return USERS.find(({ id }) => id === draftOwner);
  return USERS.find(({ email }) => email.toLowerCase() === draftOwner.toLowerCase());
}

function refuse(status: 400 | 403 | 404, sentence: string): DraftAnswer {
  return { kind: 'refused', status, sentence };
}
