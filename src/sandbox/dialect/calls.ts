// The calls of a dialect, each beside the route of the neutral dialect that does its work. Two of the routes are
// there for other dialects alone: the results of a whole bulk call, and the contact upsert.
import type { Dialect } from '../../dialect/dialect.js';

/** A call as a dialect has it; `path` with its prefix and placeholders. */
export interface Call {
  readonly name: CallName;
  readonly method: string;
  readonly path: string;
}

/** Method and path with placeholders. */
const ROUTES = {
  enrich: ['POST', '/enrich'],
  bulk: ['POST', '/enrich/bulk'],
  result: ['GET', '/enrich/{id}'],
  batch: ['GET', '/enrich/batches/{id}'],
  peopleSchema: ['GET', '/schema/people'],
  listHooks: ['GET', '/hooks'],
  addHook: ['POST', '/hooks'],
  removeHook: ['DELETE', '/hooks/{id}'],
  createList: ['POST', '/contacts/lists'],
  addToList: ['POST', '/contacts/lists/{listId}/entities'],
  upsertContact: ['POST', '/contacts'],
  draft: ['GET', '/inbox/{contactId}/drafts/{draftId}'],
} as const;

export type CallName = keyof typeof ROUTES;

export function neutralRoute(name: CallName): readonly [method: string, path: string] {
  return ROUTES[name];
}

/** Whether a bulk call has one ticket for all its items. */
export function hasBatchTickets({ bulk }: Dialect): boolean {
  return bulk.path !== null && bulk.answer.batchTicket.length > 0;
}

export function callsOf(dialect: Dialect): Call[] {
  const { prefix, enrich, bulk, result, peopleSchema, hooks, lists, drafts } = dialect;
  const calls: [CallName, string, string | null][] = [
    ['enrich', enrich.method, enrich.path],
    ['bulk', bulk.method, bulk.path],
    ['result', result.method, result.path],
    ['batch', result.method, hasBatchTickets(dialect) ? result.batchPath : null],
    ['peopleSchema', 'GET', peopleSchema.path],
    ['listHooks', 'GET', hooks.path],
    ['addHook', hooks.add.method, hooks.add.path ?? hooks.path],
    ['removeHook', hooks.remove.method, hooks.remove.path],
    ['createList', lists.create.method, lists.create.path],
    ['addToList', lists.add.method, lists.add.path],
    [
      'upsertContact',
      lists.upsert.method,
      lists.add.members === 'contacts' ? lists.upsert.path : null,
    ],
    ['draft', 'GET', drafts.path],
  ];
  return calls.flatMap(([name, method, path]) =>
    path === null ? [] : [{ name, method, path: prefix + path }],
  );
}
