// The small schemas that a dialect is made of: names, paths of calls, paths into JSON, aliases, wire signals; and the
// check that no two values are written at one place.
import * as z from 'zod';
import type { Ask } from '../model/ask.js';
import type { FieldTable } from '../model/result.js';
import { isWirePath } from './wire-path.js';

export const wireName = z.string().min(1).max(100);

/** A header's name (RFC 9110, 5.1: a token). */
export const headerName = z
  .string()
  .max(100)
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'a header\'s name has no blanks, and no ":"');

/** What every request has, and what HTTP itself writes. */
const TAKEN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** A header whose value a dialect decides. */
export const freeHeader = headerName.refine(
  (name) => !TAKEN_HEADERS.has(name.toLowerCase()),
  'this header is written by Sluice or by HTTP itself; give another one',
);

/** Characters that would end the path, start another host, or make the request line invalid. */
const UNSAFE_IN_PATH = /[\s#\\]|[^\x21-\x7e]/;
const LEAVES_ADDRESS = /^\/\/|(^|\/)(\.|%2e){1,2}(\/|\?|$)/i;

function isCallPath(path: string): boolean {
  return path.startsWith('/') && !UNSAFE_IN_PATH.test(path) && !LEAVES_ADDRESS.test(path);
}

function placeholdersOf(path: string): string[] {
  return [...path.matchAll(/\{[^}]*\}?|\}/g)].map(([placeholder]) => placeholder);
}

/** The path of a call below the base address, with exactly these placeholders, each once. */
export function callPath(neutral: string, placeholders: readonly string[] = []) {
  return pathWith(placeholders).default(neutral);
}

/** One path for all that is asked, or one for each ask: an ask without a path cannot be asked for. */
export function callPaths(neutral: string, placeholders: readonly string[] = []) {
  const path = pathWith(placeholders);
  const byAsk = z
    .strictObject({
      find_email: path.exactOptional(),
      verify_email: path.exactOptional(),
      social_enrichment: path.exactOptional(),
      find_phone: path.exactOptional(),
    } satisfies Record<Ask, z.ZodType>)
    .refine((paths) => Object.keys(paths).length > 0, 'give a path for one ask at least');
  return z.union([path, byAsk]).default(neutral);
}

function pathWith(placeholders: readonly string[]) {
  const rule =
    placeholders.length === 0
      ? 'has no placeholder here'
      : `holds ${placeholders.join(' and ')} exactly once and no other placeholder`;
  return z
    .string()
    .refine(isCallPath, 'a path starts with one "/", stays below the base address and has no "#"')
    .refine((path) => placeholdersOf(path).sort().join() === [...placeholders].sort().join(), {
      error: `the path ${rule}`,
    });
}

/** A path before every call, `''` for none. */
export const prefixSchema = z
  .string()
  .refine(
    (prefix) => prefix === '' || (isCallPath(prefix) && !/[?{}]|\/$/.test(prefix)),
    'a prefix is empty, or starts with one "/", does not end with one, and stays below the base address',
  )
  .default('');

/** One dotted path into JSON, `.` for the value itself. */
export const wirePath = z
  .string()
  .refine(isWirePath, 'a path into JSON is keys joined by dots, or "." for the value itself');

/** Keys joined by dots: where a value is written, and not the whole. */
export const innerPath = wirePath.refine(
  (path) => path !== '.',
  '"." is the whole: give a key, or keys joined by dots',
);

/** One path, or the alternatives in the order in which they are tried. */
export const wirePaths = z
  .union([wirePath, z.array(wirePath).max(20)], 'a path into JSON, or a list of such paths')
  .transform((paths): readonly string[] => (typeof paths === 'string' ? [paths] : paths));

/** A strict object that gives every field of a table its aliases; the default is the field's own name. */
export function aliasTable(table: FieldTable) {
  const names = Object.keys(table);
  return z
    .strictObject(Object.fromEntries(names.map((name) => [name, wirePaths.prefault(name)])))
    .prefault({});
}

/** A status code of HTTP that is an answer. */
export const httpStatus = z.int().min(200).max(599);

/**
 * Signals by which a platform says one thing: a status code, or a status code together with a word
 * in the body (whatever its case). A 2xx needs a word, or every success would be the signal.
 */
export const wireSignals = z
  .array(
    z
      .strictObject({
        status: httpStatus,
        word: z.string().min(1).max(100).nullable().default(null),
      })
      .refine(({ status, word }) => status >= 300 || word !== null, 'a 2xx status needs a "word"'),
  )
  .max(10)
  .readonly();

export type WireSignals = z.output<typeof wireSignals>;

/** A name of ours, and the keys that lead to its place in a body that we write, from the outermost on. */
export type Place<Name extends string> = readonly [name: Name, keys: readonly string[]];

/**
 * The first two names at the same place, or one inside the other: the second would overwrite the first, unnoticed.
 * Undefined when there are none.
 */
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
  const message = `${clash.join(' and ')} would stand at the same place of the body. Give each its own place`;
  context.addIssue({ code: 'custom', message });
}
