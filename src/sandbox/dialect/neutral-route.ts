// The neutral dialect's route for each call. Some exist for other dialects alone: the results of a whole bulk call,
// results by a ticket in the body, the contact upsert, and the account.
import type { Dialect } from '../../dialect/dialect.js';
import type { CallName } from '../../dialect/wire-calls.js';

/** Method and path with placeholders. */
const ROUTES = {
  enrich: ['POST', '/enrich'],
  bulk: ['POST', '/enrich/bulk'],
  result: ['GET', '/enrich/{id}'],
  batch: ['GET', '/enrich/batches/{id}'],
  account: ['GET', '/account'],
  peopleSchema: ['GET', '/schema/people'],
  listHooks: ['GET', '/hooks'],
  addHook: ['POST', '/hooks'],
  removeHook: ['DELETE', '/hooks/{id}'],
  createList: ['POST', '/contacts/lists'],
  addToList: ['POST', '/contacts/lists/{listId}/entities'],
  upsertContact: ['POST', '/contacts'],
  draft: ['GET', '/inbox/{contactId}/drafts/{draftId}'],
} as const satisfies Record<CallName, readonly [method: string, path: string]>;

/** The route of a result and of a batch, if the ticket is in the body. */
const READ_BY_BODY = ['POST', '/enrich/read'] as const;

export function neutralRoute(
  name: CallName,
  { result }: Dialect,
): readonly [method: string, path: string] {
  const isByBody = (name === 'result' || name === 'batch') && (result?.id ?? null) !== null;
  return isByBody ? READ_BY_BODY : ROUTES[name];
}
