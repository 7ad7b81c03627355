// The calls of a dialect by our names, with method and path.
import type { Dialect } from './dialect.js';
import { pathsOf } from './forms.js';

/** A call as a dialect has it. */
export interface Call {
  readonly name: CallName;
  readonly method: string;
  /** With the prefix and its placeholders. */
  readonly path: string;
  /** Without the prefix. */
  readonly ownPath: string;
}

/** `path` without the prefix; null where the dialect has no such call. */
type Named = readonly [name: CallName, method: string, path: string | null];

/** `batch`: the results of a whole bulk call by its one ticket. */
export type CallName =
  | 'enrich'
  | 'bulk'
  | 'result'
  | 'batch'
  | 'account'
  | 'peopleSchema'
  | 'listHooks'
  | 'addHook'
  | 'removeHook'
  | 'createList'
  | 'addToList'
  | 'upsertContact'
  | 'draft';

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
