// The route of the neutral dialect that does the work of each call. Three of them are there for other dialects alone: the
// results of a whole bulk call, the contact upsert, and the account.
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

export function neutralRoute(name: CallName): readonly [method: string, path: string] {
  return ROUTES[name];
}
