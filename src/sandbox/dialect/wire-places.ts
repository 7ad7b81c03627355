// Values at the places that a dialect names: written into our bodies, and read from a client's.
import type { AnswerPart, Dialect } from '../../dialect/dialect.js';
import { isElement, type Step, stepsOf, valueAt, valueBehind } from '../../dialect/wire-path.js';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../model/text/json.js';
import { type OnStrange, Refusal } from '../routes/read-request.js';

/** The way of a result to the client: by its id, in a webhook, or in the answer to its submission. */
export type Way = AnswerPart;

/**
 * The alternative of a dialect that the sandbox writes: the first, but the second in a webhook if there is one, so that
 * a client meets both. Undefined if the dialect has no place.
 */
export function placeOf(paths: readonly string[], way: Way = 'read'): string | undefined {
  return way === 'webhook' ? (paths[1] ?? paths[0]) : paths[0];
}

/** `body` with `value` at the place; unchanged if either is missing. */
export function withPlaced(
  body: JsonValue,
  paths: readonly string[],
  value: JsonValue | undefined,
  way: Way = 'read',
): JsonValue {
  const place = placeOf(paths, way);
  return place === undefined || value === undefined ? body : placeAt(body, place, value);
}

/** A body with each of the values at its place. */
export function placeAll(
  values: readonly (readonly [paths: readonly string[], value: JsonValue | undefined])[],
  way: Way = 'read',
): JsonValue {
  return values.reduce<JsonValue>(
    (body, [paths, value]) => withPlaced(body, paths, value, way),
    {},
  );
}

/**
 * The body with a value at a path. An object is merged into an existing one; any other value replaces it. `.` is the
 * body itself.
 */
export function placeAt(body: JsonValue, path: string, value: JsonValue): JsonValue {
  return placeIn(body, stepsOf(path), value);
}

/**
 * `body` with the client's metadata. If it has keys of its own beside ours, each stands at the place of our key under
 * its own name: for `uuid` beside `custom.ref`, that is `custom.uuid`, or `custom[name=uuid].value`.
 */
export function withMetadata(
  body: JsonValue,
  paths: readonly string[],
  metadata: JsonValue | undefined,
  { bulk, enrich }: Pick<Dialect, 'bulk' | 'enrich'>,
  way: Way = 'read',
): JsonValue {
  const place = placeOf(paths, way);
  if (place === undefined || metadata === undefined) return body;
  const ours = [bulk, enrich].flatMap((section) =>
    section?.ownKeys === true ? (section.metadata?.split('.').at(-1) ?? []) : [],
  );
  const own = ours.length === 0 ? undefined : ownMetadata(metadata);
  if (own === undefined) return placeAt(body, place, metadata);
  const steps = stepsOf(place);
  const at = steps.findLastIndex((step) => ours.some((key) => isStepOf(step, key)));
  return Object.entries(own).reduce((written, [key, value]) => {
    const step = steps[at];
    if (step === undefined) return written;
    const other = 'where' in step ? { ...step, is: key } : { key };
    return placeIn(written, steps.with(at, other), value);
  }, body);
}

function isStepOf(step: Step, key: string): boolean {
  return 'key' in step ? step.key === key : 'is' in step && step.is === key;
}

/** All keys of a client, as one value that the neutral routes keep; a text if there is only ours. */
export function keepMetadata(own: JsonObject, ours: string): JsonValue | undefined {
  const { [ours]: text, ...others } = own;
  const isAlone = Object.keys(others).length === 0;
  return isAlone && !isOwn(text) ? text : JSON.stringify(own);
}

function ownMetadata(metadata: JsonValue): JsonObject | undefined {
  const own = isOwn(metadata) ? parseJson(metadata) : undefined;
  return isJsonObject(own) ? own : undefined;
}

function isOwn(metadata: JsonValue | undefined): metadata is string {
  return typeof metadata === 'string' && metadata.startsWith('{');
}

function merged(body: JsonValue | undefined, value: JsonValue): JsonValue {
  if (!isJsonObject(body) || !isJsonObject(value)) return value;
  const inner = Object.entries(value).map(([key, one]) => [key, merged(body[key], one)]);
  return { ...body, ...Object.fromEntries(inner) };
}

function placeIn(
  body: JsonValue | undefined,
  [step, ...rest]: readonly Step[],
  value: JsonValue,
): JsonValue {
  if (step === undefined) return merged(body, value);
  const inner = placeIn(valueBehind(body, step), rest, value);
  if ('key' in step) {
    const object: JsonObject = isJsonObject(body) ? body : {};
    return { ...object, [step.key]: inner };
  }
  const list: readonly JsonValue[] = Array.isArray(body) ? body : [];
  if ('index' in step) {
    const length = Math.max(list.length, step.index + 1);
    return Array.from({ length }, (_, i) => (i === step.index ? inner : (list[i] ?? {})));
  }
  const own = list.findIndex((element) => isElement(element, step));
  if (own === -1) {
    // A new element gets the value by which it is found, unless it has another one of its own.
    const isOther = isJsonObject(inner) && Object.hasOwn(inner, step.where);
    return [...list, isOther ? inner : placeIn(inner, [{ key: step.where }], step.is)];
  }
  return list.with(own, inner);
}

/** The path to the value of each name. */
export type Places<Name extends string> = Readonly<Record<Name, string>>;

/**
 * The values at the places, by their names; absent ones are left out.
 * @throws Refusal 400 for a body that is not an object
 */
export function readPlaces<Name extends string>(
  body: unknown,
  places: Places<Name>,
  onStrange: OnStrange,
  what = 'The body',
): JsonObject {
  const paths: [string, string][] = Object.entries(places);
  if (!isJsonObject(body)) throw new Refusal(400, `${what} must be an object.`);
  const strange = findStrange(
    body,
    paths.map(([, path]) => path.split('.')),
  );
  if (strange !== undefined) onStrange(`${what} has no place ${strange}.`);
  const values = paths.flatMap(([name, path]) => {
    const value = valueAt(body, path);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

/** The path of the first value that none of the places leads to. */
function findStrange(
  object: JsonObject,
  places: readonly (readonly string[])[],
): string | undefined {
  for (const [key, value] of Object.entries(object)) {
    const inner = places.filter(([first]) => first === key).map(([, ...rest]) => rest);
    if (inner.some((rest) => rest.length === 0)) continue;
    if (inner.length === 0 || !isJsonObject(value)) return key.slice(0, 50);
    const strange = findStrange(value, inner);
    if (strange !== undefined) return `${key}.${strange}`;
  }
  return undefined;
}
