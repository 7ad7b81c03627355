// How the sandbox says by a dialect's signals what its own routes say in neutral words.
import type { AnswerSection } from '../../dialect/answer.js';
import type { Dialect } from '../../dialect/dialect.js';
import { eventOnWire } from '../../dialect/events.js';
import { isSomething, type Scalar, type Signal, type Signals } from '../../dialect/signal.js';
import { stepsOf, valueAt, valueBehind } from '../../dialect/wire-path.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import { placeAt, placeOf, type Way } from './wire-places.js';

/** What became of an enrichment, as the keys of a section have it. */
export type State = 'pending' | 'notFound' | 'failed' | 'done';

/** Words for what is there where the dialect names none: the first counts that no signal has. */
const DONE_WORDS = ['finished', 'done', 'complete'];

/**
 * What is said of a list of signals: the first, and beside it, once for each place, what names its place by `in`. In
 * what has no status of its own, only those that need none; but what is done is so in any case.
 */
export function signalsFor(section: AnswerSection, state: State, hasStatus: boolean): Signals {
  const all = section[state];
  return toSay(
    state === 'done' ? all : all.filter(({ status }) => hasStatus || status === undefined),
  );
}

/** The same of a list that no state has. */
export function toSay(signals: Signals): Signals {
  const spoken = new Map<string, Signal>();
  for (const signal of signals) {
    const place = `${signal.in ?? ''} ${signal.at?.at(-1) ?? ''}`;
    const isFirst = spoken.size === 0;
    if (isFirst || (signal.in !== undefined && !spoken.has(place))) spoken.set(place, signal);
  }
  return [...spoken.values()];
}

/** Those that stand in an entry, or in the body around it. */
export function saidIn(part: 'entry' | 'body', signals: Signals): Signals {
  return signals.filter((signal) => (signal.in === 'entry') === (part === 'entry'));
}

export function withSignals(body: JsonValue, signals: Signals): JsonValue {
  return signals.reduce(withSignal, body);
}

/**
 * The body with the value of a signal at its last place: those before it are looked at first. Null at `.` is an empty
 * object.
 */
function withSignal(body: JsonValue, { at = [], values }: Signal): JsonValue {
  const place = at.at(-1);
  if (place === '.' && values?.[0] === null) return {};
  // Anything there is the signal.
  const isThere = values === undefined && place !== undefined && isSomething(valueAt(body, place));
  if (isThere) return body;
  const value = (values ?? [true]).find((one) => one !== null);
  return place === undefined || value === undefined ? body : placeAt(body, place, value);
}

/** The body with the values of the signals that are not said in it yet, where there is room for them. */
export function withMore(body: JsonValue, signals: Signals): JsonValue {
  return signals.reduce(
    (written, signal) =>
      isFree(written, signal.at?.at(-1) ?? '.') ? withSignal(written, signal) : written,
    body,
  );
}

/**
 * The body with a word at every place where a signal looks, so that none of them says what is not so; but not where a value
 * of the result stands, if it may be missing there. Where the dialect says what stands in such a body, nothing else does,
 * unless it would say something by its absence.
 */
export function withDone(
  body: JsonValue,
  { answer, blocks, fields }: Dialect,
  way: Way,
  part: 'entry' | 'body',
): JsonValue {
  const section = answer[way];
  const { pending, notFound, failed, unknown, outOfCredits } = section;
  // Where nothing is found, nothing stands at the place of what was asked for.
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
  ]);
  return [...new Set(places)].reduce((written, place) => {
    const here = all.filter(({ at = [] }) => at.includes(place));
    // Nothing may be where anything would be a signal.
    if (here.some(({ values }) => values === undefined) || !isFree(written, place)) return written;
    const taken = here.flatMap(({ values = [] }) => values);
    if (ofValues.has(place) && !taken.includes(null)) return written;
    return placeAt(written, place, wordBeside(taken));
  }, body);
}

/** Every path through one of each. */
function joined(...parts: readonly (readonly string[])[]): string[] {
  return parts.reduce<string[]>(
    (outer, inner) => outer.flatMap((path) => inner.map((next) => joinPath(path, next))),
    ['.'],
  );
}

function joinPath(one: string, next: string): string {
  return [one, next].filter((path) => path !== '.').join('.') || '.';
}

/** The type of a webhook, where nothing else says it; elsewhere only where a signal looks for it. */
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

/** A value that is none of these, and like them. */
function wordBeside(values: readonly Scalar[]): JsonValue {
  const others = [true, false].filter((one) => !values.includes(one));
  const areBooleans = values.every((value) => typeof value === 'boolean' || value === null);
  if (areBooleans && others[0] !== undefined && values.some((one) => one !== null))
    return others[0];
  const taken = values.map((value) => String(value).toLowerCase());
  return DONE_WORDS.find((word) => !taken.includes(word)) ?? 'no more to come';
}

/** Whether nothing stands at the place, and nothing of another kind on the way to it. */
function isFree(body: JsonValue, path: string): boolean {
  let current: JsonValue | undefined = body;
  for (const step of stepsOf(path)) {
    if (current === undefined) return true;
    if ('key' in step ? !isJsonObject(current) : !Array.isArray(current)) return false;
    current = valueBehind(current, step);
  }
  return current === undefined;
}
