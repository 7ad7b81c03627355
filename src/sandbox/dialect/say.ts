// Writes the states of the sandbox's own routes, which have neutral words, with a dialect's signals.
import type { AnswerSection } from '../../dialect/answer.js';
import { placesOf } from '../../dialect/custom-asks.js';
import type { Dialect } from '../../dialect/dialect.js';
import { eventOnWire } from '../../dialect/events.js';
import { isSomething, type Scalar, type Signal, type Signals } from '../../dialect/signal.js';
import { stepsOf, valueAt, valueBehind } from '../../dialect/wire-path.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import { placeAt, placeOf, type Way } from './wire-places.js';

/** The state of an enrichment, as the keys of a section name it. */
export type State = 'pending' | 'notFound' | 'failed' | 'done';

/** Words for a finished result if the dialect names none; the first that no signal has is used. */
const DONE_WORDS = ['finished', 'done', 'complete'];

/**
 * The signals to write for a state: the first of its list, and those with `in`, once for each place. In a body without
 * a status of its own, only signals that need none; but those of `done` in any case.
 */
export function signalsFor(section: AnswerSection, state: State, hasStatus: boolean): Signals {
  const all = section[state];
  return toSay(
    state === 'done' ? all : all.filter(({ status }) => hasStatus || status === undefined),
  );
}

/** The same for a list that belongs to no state. */
export function toSay(signals: Signals): Signals {
  const spoken = new Map<string, Signal>();
  for (const signal of signals) {
    const place = `${signal.in ?? ''} ${signal.at?.at(-1) ?? ''}`;
    const isFirst = spoken.size === 0;
    if (isFirst || (signal.in !== undefined && !spoken.has(place))) spoken.set(place, signal);
  }
  return [...spoken.values()];
}

/** The signals that stand in an entry, or in the body around it. */
export function saidIn(part: 'entry' | 'body', signals: Signals): Signals {
  return signals.filter((signal) => (signal.in === 'entry') === (part === 'entry'));
}

export function withSignals(body: JsonValue, signals: Signals): JsonValue {
  return signals.reduce(withSignal, body);
}

/**
 * The body with the value of a signal at its last place, because those before it are read first. Null at `.` is an
 * empty object.
 */
function withSignal(body: JsonValue, { at = [], values }: Signal): JsonValue {
  const place = at.at(-1);
  if (place === '.' && values?.[0] === null) return {};
  // Any value there is the signal already.
  const isThere = values === undefined && place !== undefined && isSomething(valueAt(body, place));
  if (isThere) return body;
  const value = (values ?? [true]).find((one) => one !== null);
  return place === undefined || value === undefined ? body : placeAt(body, place, value);
}

/** The body with the values of further signals, if their places are free. */
export function withMore(body: JsonValue, signals: Signals): JsonValue {
  return signals.reduce(
    (written, signal) =>
      isFree(written, signal.at?.at(-1) ?? '.') ? withSignal(written, signal) : written,
    body,
  );
}

/**
 * The body with a word at every place that a signal reads, so that none of them is said wrongly; but not at the place
 * of a value of the result that may be missing. If the dialect states the words of such a body, no other word is
 * written, except at places whose absence would be a signal.
 */
export function withDone(
  body: JsonValue,
  { answer, asks, blocks, fields }: Dialect,
  way: Way,
  part: 'entry' | 'body',
): JsonValue {
  const section = answer[way];
  const { pending, notFound, failed, unknown, outOfCredits } = section;
  // If nothing is found, the place of the value is empty.
  const ends = [notFound, failed].flat().filter(({ values = [] }) => !values.includes(null));
  const mayLack = ({ values = [] }: Signal) => section.done.length === 0 || values.includes(null);
  const all = [pending, unknown, outOfCredits, ends].flat();
  const places = saidIn(part, all)
    .filter(mayLack)
    .flatMap(({ at = [] }) => at.at(-1) ?? []);
  const ofValues = new Set([
    ...joined(section.blocks, blocks.find_email, Object.values(fields.find_email).flat()),
    ...joined(section.blocks, blocks.verify_email, Object.values(fields.find_email).flat()),
    ...joined(section.blocks, blocks.find_phone, fields.find_phone.phone),
    ...Object.values(asks).flatMap((one) =>
      joined(section.blocks, one.blocks, Object.values(placesOf(one)).flat()),
    ),
  ]);
  return [...new Set(places)].reduce((written, place) => {
    const here = all.filter(({ at = [] }) => at.includes(place));
    // A place at which any value would be a signal stays empty.
    if (here.some(({ values }) => values === undefined) || !isFree(written, place)) return written;
    const taken = here.flatMap(({ values = [] }) => values);
    if (ofValues.has(place) && !taken.includes(null)) return written;
    return placeAt(written, place, wordBeside(taken));
  }, body);
}

/** All paths that join one of each. */
function joined(...parts: readonly (readonly string[])[]): string[] {
  return parts.reduce<string[]>(
    (outer, inner) => outer.flatMap((path) => inner.map((next) => joinPath(path, next))),
    ['.'],
  );
}

function joinPath(one: string, next: string): string {
  return [one, next].filter((path) => path !== '.').join('.') || '.';
}

/** Adds the type of a webhook if nothing else states it; to other bodies only if a signal reads it. */
export function withType(
  body: JsonValue,
  { answer, events }: Pick<Dialect, 'answer' | 'events'>,
  state: State,
  way: Way,
): JsonValue {
  const { type, types, failed } = answer.webhook;
  const place = placeOf(type, way);
  if (place === undefined || !isFree(body, place)) return body;
  if (way !== 'webhook' && !looksAt(answer[way], place)) return body;
  const bad = failed
    .filter(({ at = [] }) => at.includes(place))
    .flatMap(({ values = [] }) => values);
  const own = types.find((one) => bad.includes(one) === (state === 'failed')) ?? types[0];
  return own === undefined ? body : placeAt(body, place, eventOnWire(own, { answer, events }));
}

function looksAt(
  { pending, done, notFound, failed, unknown, outOfCredits }: AnswerSection,
  place: string,
): boolean {
  const signals = [pending, done, notFound, failed, unknown, outOfCredits].flat();
  return signals.some(({ at = [] }) => at.includes(place));
}

/** A value that is none of these, but of the same kind. */
function wordBeside(values: readonly Scalar[]): JsonValue {
  const others = [true, false].filter((one) => !values.includes(one));
  const areBooleans = values.every((value) => typeof value === 'boolean' || value === null);
  if (areBooleans && others[0] !== undefined && values.some((one) => one !== null))
    return others[0];
  const taken = values.map((value) => String(value).toLowerCase());
  return DONE_WORDS.find((word) => !taken.includes(word)) ?? 'no more to come';
}

/** Whether the place is empty, and no value of another kind is on the way to it. */
function isFree(body: JsonValue, path: string): boolean {
  let current: JsonValue | undefined = body;
  for (const step of stepsOf(path)) {
    if (current === undefined) return true;
    if ('key' in step ? !isJsonObject(current) : !Array.isArray(current)) return false;
    current = valueBehind(current, step);
  }
  return current === undefined;
}
