// Which call of a dialect a request line is: paths with placeholders, also in the query (`/jobs?ref={id}`).
import type { Call } from './wire-calls.js';

/** The values of the placeholders, percent-encoded as they came. */
export type Values = Readonly<Record<string, string>>;

export type Match =
  | { readonly kind: 'call'; readonly call: Call; readonly values: Values; readonly query: string }
  /** The path is there, with these methods. */
  | { readonly kind: 'other-method'; readonly methods: readonly string[] }
  | { readonly kind: 'none' };

/** Finds the call of a request; where several fit, the one with the most literal path. */
export type MatchCall = (method: string, url: string) => Match;

export function createMatcher(calls: readonly Call[]): MatchCall {
  const patterns = calls.map(compile).toSorted((one, other) => other.weight - one.weight);
  return (method, url) => {
    const [path = '', query = ''] = splitOnce(url, '?');
    const fitting = patterns.flatMap((pattern) => {
      const found = fit(pattern, path, query);
      return found === undefined ? [] : [{ call: pattern.call, ...found }];
    });
    const own = fitting.find(({ call }) => call.method === method);
    if (own !== undefined) return { kind: 'call', ...own };
    if (fitting.length === 0) return { kind: 'none' };
    const methods = [...new Set(fitting.map(({ call }) => call.method))].toSorted();
    return { kind: 'other-method', methods };
  };
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

function fit(pattern: Pattern, path: string, query: string) {
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
  return { values, query: rest.map((pair) => pair.join('=')).join('&') };
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
