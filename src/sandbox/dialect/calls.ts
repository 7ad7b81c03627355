// The calls of a dialect, each beside the route of the neutral dialect that does its work. Three of the routes are
// there for other dialects alone: the results of a whole bulk call, the contact upsert, and the account.
import type { Dialect } from '../../dialect/dialect.js';
import { pathsOf } from '../../dialect/forms.js';

/** A call as a dialect has it. */
export interface Call {
  readonly name: CallName;
  readonly method: string;
  /** With the prefix and its placeholders. */
  readonly path: string;
  /** Without the prefix. */
  readonly ownPath: string;
}

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
} as const;

/** `path` without the prefix; null where the dialect has no such call. */
type Named = readonly [name: CallName, method: string, path: string | null];

export type CallName = keyof typeof ROUTES;

export function neutralRoute(name: CallName): readonly [method: string, path: string] {
  return ROUTES[name];
}

/** Whether a bulk call has one ticket for all its items. */
export function hasBatchTickets({ bulk }: Dialect): boolean {
  return bulk.path !== null && bulk.answer.batchTicket.length > 0;
}

export function callsOf(dialect: Dialect): Call[] {
  const { prefix, enrich, bulk, result, account, peopleSchema, hooks, lists, drafts } = dialect;
  const calls: Named[] = [
    ...pathsOf(enrich?.path ?? null).map((path): Named => ['enrich', enrich?.method ?? '', path]),
    ...pathsOf(bulk.path).map((path): Named => ['bulk', bulk.method, path]),
    ...pathsOf(result?.path ?? null).map((path): Named => ['result', result?.method ?? '', path]),
    ...pathsOf(hasBatchTickets(dialect) ? (result?.batchPath ?? null) : null).map(
      (path): Named => ['batch', result?.method ?? '', path],
    ),
    ['account', 'GET', account?.path ?? null],
    ['peopleSchema', 'GET', peopleSchema?.path ?? null],
    ...(hooks === null ? [] : hookCalls(hooks)),
    ...(lists === null ? [] : listCalls(lists)),
    ['draft', 'GET', drafts?.path ?? null],
  ];
  return calls.flatMap(([name, method, path]) =>
    path === null ? [] : [{ name, method, path: prefix + path, ownPath: path }],
  );
}

function hookCalls({ path, add, remove }: NonNullable<Dialect['hooks']>): Named[] {
  return [
    ['listHooks', 'GET', path],
    ['addHook', add.method, add.path ?? path],
    ['removeHook', remove.method, remove.path],
  ];
}

function listCalls({ create, add, upsert }: NonNullable<Dialect['lists']>): Named[] {
  return [
    ['createList', create.method, create.path],
    ['addToList', add.method, add.path],
    ['upsertContact', upsert.method, add.members === 'contacts' ? upsert.path : null],
  ];
}
