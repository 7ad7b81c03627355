// The calls of a dialect by our names, with method and path; and the call of a request line.
// Paths have placeholders, also in the query (`/jobs?ref={id}`).
import type { Dialect } from './dialect.js';
import { pathsOf } from './forms.js';

export interface Call {
  readonly name: CallName;
  readonly method: string;
  /** With the prefix and its placeholders. */
  readonly path: string;
}

/** `path` without the prefix; null if the dialect has no such call. */
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

/** Whether one ticket stands for a whole bulk call. */
export function hasBatchTickets({ bulk }: Dialect): boolean {
  return bulk.path !== null && bulk.answer.batchTicket.length > 0;
}

export function callsOf(dialect: Dialect): Call[] {
  const { prefix, enrich, bulk, result, account, peopleSchema, hooks, lists, drafts } = dialect;
  const calls: Named[] = [
    ...pathsOf(enrich?.path ?? null).map((path): Named => ['enrich', enrich?.method ?? '', path]),
    ...pathsOf(bulk.path).map((path): Named => ['bulk', 'POST', path]),
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
    path === null ? [] : [{ name, method, path: prefix + path }],
  );
}

function hookCalls({ path, remove }: NonNullable<Dialect['hooks']>): Named[] {
  return [
    ['listHooks', 'GET', path],
    ['addHook', 'POST', path],
    ['removeHook', 'DELETE', remove.path],
  ];
}

function listCalls({ create, add, upsert }: NonNullable<Dialect['lists']>): Named[] {
  return [
    ['createList', 'POST', create.path],
    ['addToList', 'POST', add.path],
    ['upsertContact', 'POST', add.members === 'contacts' ? upsert.path : null],
  ];
}

/** The values of the placeholders, percent-encoded as they came. */
export type Values = Readonly<Record<string, string>>;

interface Match {
  readonly call: Call;
  readonly values: Values;
}

/** Finds the call of a request; if several fit, the one with the most literal path. */
export function matchCall(calls: readonly Call[], method: string, url: string): Match | undefined {
  const [path = '', query = ''] = splitOnce(url, '?');
  const patterns = calls.map(compile).toSorted((one, other) => other.weight - one.weight);
  for (const pattern of patterns) {
    const values = pattern.call.method === method ? fit(pattern, path, query) : undefined;
    if (values !== undefined) return { call: pattern.call, values };
  }
  return undefined;
}

interface Pattern {
  readonly call: Call;
  readonly path: RegExp;
  /** Parameters that the query has to have. */
  readonly query: readonly (readonly [name: string, value: RegExp])[];
  /** Higher for more literal characters; a parameter counts more than any path. */
  readonly weight: number;
}

function compile(call: Call): Pattern {
  const [path = '', query = ''] = splitOnce(call.path, '?');
  const parameters = pairsOf(query);
  const literals = path.replaceAll(/\{\w+\}/g, '').length;
  return {
    call,
    // As forgiving as platforms are.
    path: toRegExp(path.replace(/\/$/, ''), '[^/]+', '/?'),
    query: parameters.map(([name, value]) => [name, toRegExp(value, '.+')] as const),
    weight: parameters.length * 10_000 + literals,
  };
}

function fit(pattern: Pattern, path: string, query: string): Values | undefined {
  const own = pattern.path.exec(path);
  if (own === null) return undefined;
  const rest = pairsOf(query);
  let values: Values = { ...own.groups };
  for (const [name, value] of pattern.query) {
    const index = rest.findIndex((pair) => pair[0] === name && value.test(pair[1]));
    const [pair] = index === -1 ? [] : rest.splice(index, 1);
    if (pair === undefined) return undefined;
    values = { ...values, ...value.exec(pair[1])?.groups };
  }
  return values;
}

function toRegExp(template: string, placeholder: string, ending = ''): RegExp {
  const source = template
    .split(/(\{\w+\})/)
    .map((part, index) =>
      index % 2 === 1 ? `(?<${part.slice(1, -1)}>${placeholder})` : escapePattern(part),
    );
  return new RegExp(`^${source.join('')}${ending}$`);
}

function pairsOf(query: string): [string, string][] {
  if (query === '') return [];
  return query.split('&').map((pair) => {
    const [name = '', value = ''] = splitOnce(pair, '=');
    return [name, value];
  });
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** A pattern for exactly this text; the flag `u` allows an escape only before these characters. */
function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
