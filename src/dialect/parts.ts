// The small schemas that a dialect is made of: names, paths of calls, paths into JSON, aliases; and the
// check that no two values are written at one place.
import * as z from 'zod';
import type { Ask } from '../model/ask.js';
import { isCredits } from '../model/credits.js';
import type { FieldTable } from '../model/result.js';
import { KEYS, key, PATHS_FORM } from './keys.js';
import { isWirePath } from './wire-path.js';

export const wireName = z.string().min(1).max(100).register(KEYS, { form: 'name' });

/** A header's name (RFC 9110, 5.1: a token). */
export const headerName = z
  .string()
  .max(100)
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'a header\'s name has no blanks, and no ":"')
  .register(KEYS, { form: 'name of a header' });

/** The headers that every request has, and those that HTTP itself writes. */
const TAKEN_HEADERS =
  /^(accept|accept-encoding|connection|expect|host|te|trailer|upgrade|user-agent)$|^(content|keep|proxy|transfer)-/i;

/** A header whose value a dialect decides. */
export const freeHeader = headerName.refine(
  (name) => !TAKEN_HEADERS.test(name),
  'this header is written by Sluice or by HTTP itself; give another one',
);

/** Characters that would end the path, start another host, or make the request line invalid. */
const UNSAFE_IN_PATH = /[\s#\\]|[^\x21-\x7e]/;
const LEAVES_ADDRESS = /^\/\/|(^|\/)(\.|%2e){1,2}(\/|\?|$)/i;

function isCallPath(path: string): boolean {
  return path.startsWith('/') && !UNSAFE_IN_PATH.test(path) && !LEAVES_ADDRESS.test(path);
}

export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(/\{[^}]*\}?|\}/g)].map(([placeholder]) => placeholder);
}

const PRICE_MAX = 1_000_000;
const PRICE_FORM = `a price is a number of credits from 0 to ${PRICE_MAX}, with three decimals at most`;

export const price = z
  .number(PRICE_FORM)
  .max(PRICE_MAX, PRICE_FORM)
  .refine(isCredits, PRICE_FORM)
  .register(KEYS, { form: 'number from 0, with three decimals at most' });

/** The path of a call below the base address, with exactly these placeholders, each once. */
export function callPath(neutral: string, placeholders: readonly string[] = []) {
  const names = placeholders.map((one) => `\`${one}\``).join(' and ');
  const once = names === '' ? '' : ` It holds ${names} exactly once.`;
  return key(pathWith(placeholders).default(neutral), `The path of the call.${once}`);
}

/** The method of a call: one of these; the first is the default. */
export function callMethod<const M extends readonly [string, ...string[]]>(...methods: M) {
  return key(z.enum(methods).default(methods[0]), 'The method of the call.');
}

/** One path for all asks, or one for each: an ask without a path cannot be asked for. */
export function callPaths(neutral: string, placeholders: readonly string[] = []) {
  return orByAsk(pathWith(placeholders)).default(neutral);
}

/** The same; the caller checks whether `{id}` stands in it as it must. */
export function ticketPaths() {
  const message = 'the path has no placeholder but {id}';
  return orByAsk(
    basePath.refine((path) => placeholdersOf(path).every((one) => one === '{id}'), message),
  );
}

function orByAsk(path: z.ZodString) {
  const paths = z
    .record(z.string(), path)
    .refine((paths) => Object.keys(paths).length > 0, 'give a path for one ask at least');
  return z.union([path, paths]).register(KEYS, { form: 'path of a call, or one for each ask' });
}

const basePath = z
  .string()
  .refine(isCallPath, 'a path starts with one "/", stays below the base address and has no "#"')
  .register(KEYS, { form: 'path of a call' });

function pathWith(placeholders: readonly string[]) {
  const rule =
    placeholders.length === 0
      ? 'has no placeholder here'
      : `holds ${placeholders.join(' and ')} exactly once and no other placeholder`;
  return basePath.refine(
    (path) => placeholdersOf(path).sort().join() === [...placeholders].sort().join(),
    { error: `the path ${rule}` },
  );
}

export type CallPaths = string | Readonly<Record<Ask, string>>;

/** The path for these asks; the first path if they have none, or if the asks are not known. */
export function pathOrFirst(paths: CallPaths, ask: readonly Ask[] = []): string {
  if (typeof paths === 'string') return paths;
  const own = ask.map((one) => paths[one]).find((path) => path !== undefined);
  return own ?? Object.values(paths)[0] ?? '';
}

/** A path before every call, `''` for none. */
export const prefixSchema = z
  .string()
  .refine(
    (prefix) => prefix === '' || (isCallPath(prefix) && !/[?{}]|\/$/.test(prefix)),
    'a prefix is empty, or starts with one "/", does not end with one, and stays below the base address',
  )
  .register(KEYS, { form: 'path of a call, or nothing' })
  .default('');

const wirePath = z
  .string()
  .refine(isWirePath, 'a path into JSON is keys joined by dots, or "." for the value itself');

/** The place at which a value is written: keys joined by dots, or `.` for the whole. */
export const wirePlace = wirePath
  .refine(
    (path) => path === '.' || !path.includes('['),
    'a value is written at keys joined by dots; elements such as [0] are only for reading',
  )
  .register(KEYS, { form: 'path' });

export const innerPath = wirePlace.refine(
  (path) => path !== '.',
  '"." means all of it: give a key, or keys joined by dots',
);

/** One path, or at most so many. */
export function pathsUpTo(max: number) {
  return z
    .union(
      [wirePath, z.array(wirePath).max(max)],
      `a path into JSON, or a list of such paths (at most ${max})`,
    )
    .transform((paths): readonly string[] => (typeof paths === 'string' ? [paths] : paths))
    .register(KEYS, { form: PATHS_FORM });
}

export const wirePaths = pathsUpTo(20);

/** A section that gives every field of a table its paths; the default is the field's own name. */
export function aliasTable(table: FieldTable) {
  const names = Object.keys(table);
  return z
    .strictObject(Object.fromEntries(names.map((name) => [name, wirePaths.prefault(name)])))
    .prefault({});
}

export const httpStatus = z.int().min(200).max(599);

/** A name of ours, and the keys that lead to its place in a body that we write, from the outermost on. */
export type Place<Name extends string> = readonly [name: Name, keys: readonly string[]];

/** The second would overwrite the first, unnoticed. Undefined when there are none. */
export function clashingNames<Name extends string>(
  places: readonly Place<Name>[],
): [Name, Name] | undefined {
  for (const [i, [name, keys]] of places.entries()) {
    const clash = places.slice(i + 1).find(([, others]) => isSameStart(keys, others));
    if (clash !== undefined) return [name, clash[0]];
  }
  return undefined;
}

function isSameStart(keys: readonly string[], others: readonly string[]): boolean {
  const length = Math.min(keys.length, others.length);
  return keys.slice(0, length).every((key, i) => key === others[i]);
}

/** For `superRefine` of an object that gives names of ours, and of nothing else, their places in a body. */
export function refuseClash(
  places: Readonly<Record<string, string>>,
  context: z.core.$RefinementCtx,
): void {
  const written = Object.entries(places).map(([name, place]) => [name, place.split('.')] as const);
  const clash = clashingNames(written);
  if (clash === undefined) return;
  const message = `${clash.join(' and ')} would be at the same place of the body. Give each its own place`;
  context.addIssue({ code: 'custom', message });
}
