// Paths into a platform's JSON: `data.enrichment.id`, `emails[0].email`, `emails[type=work].email`, `[0].data`; `.` is
// the value itself. And lists of alternatives, which are tried in order.
import { isJsonObject, type JsonValue } from '../model/text/json.js';

/**
 * One step of a path: into an object by a key, or into a list by a position or by a key and value of an element. A step
 * by key and value from an object that is no list stays at the object, if it has them.
 */
export type Step =
  | { readonly key: string }
  | { readonly index: number }
  | { readonly where: string; readonly is: string };

const SELF_PATH = '.';

const KEY = String.raw`[^.\s[\]]+`;
const ELEMENT = String.raw`\[(?:\d{1,4}|[^.\s[\]=]+=[^[\]]+)\]`;
const PATH = new RegExp(
  String.raw`^(?:${KEY}|${ELEMENT})(?:${ELEMENT})*(?:\.${KEY}(?:${ELEMENT})*)*$`,
);
/** `[…]`, whose value may hold dots, or a key. */
const STEP = /\[([^\]]+)\]|[^.[\]]+/g;
const PATH_LENGTH_MAX = 200;

/** Whether `text` is `.`, or keys joined by dots, each of which `[0]` or `[key=value]` may follow. */
export function isWirePath(text: string): boolean {
  return text.length <= PATH_LENGTH_MAX && (text === SELF_PATH || PATH.test(text));
}

/** Paths come from dialects alone, so there are few. */
const known = new Map<string, readonly Step[]>();

/** The steps of a path that `isWirePath` takes; none for `.`. */
export function stepsOf(path: string): readonly Step[] {
  let steps = known.get(path);
  if (steps === undefined) {
    steps = path === SELF_PATH ? [] : [...path.matchAll(STEP)].map(toStep);
    known.set(path, steps);
  }
  return steps;
}

function toStep([text, element]: RegExpExecArray): Step {
  if (element === undefined) return { key: text };
  const at = element.indexOf('=');
  if (at === -1) return { index: Number(element) };
  return { where: element.slice(0, at), is: element.slice(at + 1) };
}

/** The value at `path`, or undefined. Only own keys count, so `__proto__` and `toString` find nothing. */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  let current = value;
  for (const step of stepsOf(path)) {
    current = valueBehind(current, step);
    if (current === undefined) return undefined;
  }
  return current;
}

export function valueBehind(value: JsonValue | undefined, step: Step): JsonValue | undefined {
  if ('key' in step) {
    return isJsonObject(value) && Object.hasOwn(value, step.key) ? value[step.key] : undefined;
  }
  if ('where' in step && isJsonObject(value)) return isElement(value, step) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const list: readonly JsonValue[] = value;
  return 'index' in step ? list[step.index] : list.find((element) => isElement(element, step));
}

/**
 * Missing objects and elements on the way are added. Undefined if something else stands in the way, or an element would
 * have to skip a place.
 */
export function withValueAt(
  value: JsonValue | undefined,
  path: string,
  put: JsonValue,
): JsonValue | undefined {
  return withValueBehind(value, stepsOf(path), put);
}

function withValueBehind(
  value: JsonValue | undefined,
  [step, ...rest]: readonly Step[],
  put: JsonValue,
): JsonValue | undefined {
  if (step === undefined) return put;
  const isEmpty = value === undefined || value === null || value === '';
  if ('key' in step) {
    const own = isEmpty ? {} : value;
    if (!isJsonObject(own)) return undefined;
    const inner = withValueBehind(valueBehind(own, step), rest, put);
    return inner === undefined ? undefined : { ...own, [step.key]: inner };
  }
  if ('where' in step && isJsonObject(value))
    return isElement(value, step) ? withValueBehind(value, rest, put) : undefined;
  const list: JsonValue | undefined = isEmpty ? [] : value;
  if (!Array.isArray(list)) return undefined;
  const elements: readonly JsonValue[] = list;
  const found = 'index' in step ? step.index : elements.findIndex((one) => isElement(one, step));
  const at = found === -1 ? elements.length : found;
  if (at > elements.length) return undefined;
  const before = elements[at] ?? ('where' in step ? { [step.where]: step.is } : undefined);
  const inner = withValueBehind(before, rest, put);
  return inner === undefined ? undefined : elements.toSpliced(at, 1, inner);
}

function isElement(element: JsonValue, { where, is }: Extract<Step, { where: string }>): boolean {
  if (!isJsonObject(element) || !Object.hasOwn(element, where)) return false;
  const own = element[where];
  return typeof own !== 'object' && String(own) === is;
}

/** The first value that is there and not null, over the alternatives in order. */
export function firstValueAt(
  value: JsonValue | undefined,
  paths: readonly string[],
): JsonValue | undefined {
  for (const path of paths) {
    const found = valueAt(value, path);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}
