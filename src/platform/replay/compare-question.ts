// Finds the differences between a request of ours and the recorded one: in method, path, parameter, header, or place in
// the body.
import type { RecordedQuestion } from '../../dialect/transcript/recorded.js';
import type { Difference } from '../../model/resources/transcript-check.js';
import { decoded } from '../../model/text/address.js';
import { isJsonObject, type JsonValue, parseJson } from '../../model/text/json.js';
import type { Call } from '../wire/exchange.js';

/** The mark in a recorded text for a part that was left out, such as a credential. */
export const LEFT_OUT = '…';

/** Headers of every client, which say nothing about the dialect. */
const USUAL_HEADERS = new Set(
  'accept accept-encoding connection content-length content-type host user-agent'.split(' '),
);

export function compareQuestion(sent: Call, recorded: RecordedQuestion): Difference[] {
  const [ours, theirs] = [partsOf(sent.path), partsOf(recorded.target)];
  return [
    ...differ('method', sent.method, recorded.method),
    ...differ('path', ours.path, theirs.path),
    ...named('query', ours.query, theirs.query),
    ...(Object.keys(recorded.headers).length === 0
      ? []
      : named('header', headersOf(sent.headers), headersOf(recorded.headers))),
    ...compareBodies(sent.body ?? '', recorded.body),
  ];
}

interface Parts {
  readonly path: string;
  readonly query: Readonly<Record<string, JsonValue>>;
}

/** A repeated parameter has its values in a list. */
function partsOf(target: string): Parts {
  const [path = '', ...rest] = target.split('?');
  const parameters = new URLSearchParams(rest.join('?'));
  const query = [...new Set(parameters.keys())].map((name) => {
    const values = parameters.getAll(name);
    return [name, values.length === 1 ? (values[0] ?? '') : values] as const;
  });
  return { path: decoded(path), query: Object.fromEntries(query) };
}

function headersOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(own.filter(([name]) => !USUAL_HEADERS.has(name)));
}

/** Compares each name's value; places are `query want_mail`, `header x-api-key`. */
function named(
  what: string,
  ours: Readonly<Record<string, JsonValue>>,
  theirs: Readonly<Record<string, JsonValue>>,
): Difference[] {
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  return names.flatMap((name) => differ(`${what} ${name}`, ours[name], theirs[name]));
}

function compareBodies(sent: string, recorded: string): Difference[] {
  const [ours, theirs] = [parseJson(sent), parseJson(recorded)];
  if (theirs === undefined && recorded !== '') return differ('body', sent, recorded);
  return differ('body', ours, theirs);
}

function differ(
  place: string,
  ours: JsonValue | undefined,
  theirs: JsonValue | undefined,
): Difference[] {
  if (isJsonObject(ours) && isJsonObject(theirs)) {
    const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
    return keys.flatMap((key) => differ(`${place}.${key}`, ours[key], theirs[key]));
  }
  if (Array.isArray(ours) && Array.isArray(theirs)) return differInLists(place, ours, theirs);
  if (isSame(ours, theirs)) return [];
  return [{ place, sent: ours ?? null, recorded: theirs ?? null }];
}

/** The elements of a longer list are compared place by place. */
const COMPARED_MAX = 20;

/** Compares lists regardless of order: equal elements are matched first, then those that are most alike. */
function differInLists(
  place: string,
  ours: readonly JsonValue[],
  theirs: readonly JsonValue[],
): Difference[] {
  const isLong = Math.max(ours.length, theirs.length) > COMPARED_MAX;
  const others = new Set(theirs.keys());
  const at = (i: number, j: number) => differ(`${place}[${i}]`, ours[i], theirs[j]);
  /** Takes the element in the same place first, if it fits. */
  const take = (i: number, fits: (j: number) => boolean): number | undefined => {
    const j = [i, ...(isLong ? [] : others)].find((one) => others.has(one) && fits(one));
    if (j !== undefined) others.delete(j);
    return j;
  };
  const unlike = [...ours.keys()].filter(
    (i) => take(i, (j) => at(i, j).length === 0) === undefined,
  );
  const differences = unlike.flatMap((i) => {
    const counts = new Map([...others].map((j) => [j, at(i, j).length] as const));
    const least = Math.min(...counts.values());
    return at(i, take(i, (j) => isLong || counts.get(j) === least) ?? theirs.length);
  });
  return [...differences, ...[...others].flatMap((j) => at(ours.length, j))];
}

function isSame(ours: JsonValue | undefined, theirs: JsonValue | undefined): boolean {
  if (typeof theirs === 'string' && theirs.includes(LEFT_OUT)) {
    const [start = '', end = ''] = theirs.split(LEFT_OUT, 2);
    return typeof ours === 'string' && ours.startsWith(start) && ours.endsWith(end);
  }
  return ours === theirs || JSON.stringify(ours) === JSON.stringify(theirs);
}

/** The recorded text at the place of `marker` in our request; undefined if there is none, or another kind of value. */
export function recordedAt(
  marker: string,
  sent: Call,
  recorded: RecordedQuestion,
): string | undefined {
  const all = { headers: recorded.headers, target: recorded.target, body: recorded.body };
  // Headers are compared in any case, because they may hold the callback URL.
  const places = compareQuestion(sent, {
    ...recorded,
    ...all,
    headers: { ...all.headers, '-': '' },
  });
  const at = places.find(({ sent: value }) => value === marker);
  return typeof at?.recorded === 'string' ? at.recorded : undefined;
}
