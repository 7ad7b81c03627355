// Finds values of a result that no path of the dialect reads, which show that a dialect looks in the wrong place. It
// walks once over the result, beside a tree of the places that the dialect names.
import type { AnswerPart, Dialect } from '../../dialect/dialect.js';
import { isElement, type Step, stepsOf, valueAt } from '../../dialect/wire-path.js';
import { COMPANY_FIELDS, POSITION_FIELDS, PROFILE_FIELDS } from '../../model/result.js';
import {
  isJsonObject,
  JSON_LEVELS_MAX,
  type JsonObject,
  type JsonValue,
} from '../../model/text/json.js';
import {
  type Aliases,
  customTable,
  decodeField,
  decodePartialDate,
  EMAIL_FIELDS,
  PHONE_FIELDS,
  type WireTable,
  type WireType,
} from './decode-result.js';

/** A place in an entry, and the parts that the dialect reads there and below it. */
interface Place {
  readonly types: WireType[];
  readonly inner: Map<string, Place>;
  /** The place of each object of the list that is here. */
  items: Place | undefined;
  /** The places of single elements of the list that is here. */
  readonly elements: Element[];
  /**
   * The structure of a date that is read here: a month and a year, or a text of both. A month without its year is in no
   * column.
   */
  date: Dialect['fields']['structure'] | undefined;
  /** Whether the place says nothing about the result, nor does anything below it. */
  isIgnored: boolean;
}

interface Element {
  readonly step: Exclude<Step, { key: string }>;
  readonly place: Place;
}

const PATHS_MAX = 20;
const NONE: readonly string[] = [];
/** The path of the value itself. */
const SELF: readonly string[] = [''];
const NOWHERE: readonly Place[] = [];

const known = new WeakMap<Dialect, Map<AnswerPart, Place>>();

/**
 * The dotted paths, below the entry, of the values at `blocksPath` that no path reads; at most 20, each once. An
 * element of a list that the dialect passes over counts as read if the dialect reads another one of the list.
 */
export function unreadPaths(
  entry: JsonValue,
  blocksPath: string,
  dialect: Dialect,
  part: AnswerPart,
): string[] {
  const blocks = valueAt(entry, blocksPath) ?? null;
  const start = blocksPath === '.' ? '' : `.${blocksPath}`;
  const place = findPlace(entryPlace(dialect, part), blocksPath);
  const unread = unreadIn(blocks, place, JSON_LEVELS_MAX);
  return unread.map((rest) => (start + rest).slice(1));
}

function entryPlace(dialect: Dialect, part: AnswerPart): Place {
  let parts = known.get(dialect);
  if (parts === undefined) known.set(dialect, (parts = new Map()));
  let place = parts.get(part);
  if (place === undefined) parts.set(part, (place = placesOf(dialect, part)));
  return place;
}

/**
 * The paths, each as the text to append to the path of `value`: `.email`, `[].year`, or nothing. It makes no object if
 * everything is read.
 */
function unreadIn(value: JsonValue, place: Place | undefined, levels: number): readonly string[] {
  if (place?.isIgnored === true || value === null || value === '') return NONE;
  if (typeof value !== 'object') return isRead(value, place) ? NONE : SELF;
  if (levels === 0) return SELF;
  if (isJsonObject(value)) return unreadInObject(value, place, levels);
  return isRead(value, place) ? NONE : unreadInList(value, place, levels);
}

function unreadInObject(
  value: JsonObject,
  place: Place | undefined,
  levels: number,
): readonly string[] {
  let found = noted(NONE, '', lostMonth(value, place));
  const others = placesOfObject(value, place);
  const places = others.length === 0 ? undefined : [place, ...others];
  for (const key of Object.keys(value)) {
    if (found.length >= PATHS_MAX) break;
    const inner = value[key] ?? null;
    const rests =
      places === undefined
        ? unreadIn(inner, place?.inner.get(key), levels - 1)
        : unreadInAll(
            inner,
            places.map((at) => at?.inner.get(key)),
            levels - 1,
          );
    found = noted(found, `.${key}`, rests);
  }
  return found;
}

function unreadInList(
  list: readonly JsonValue[],
  place: Place | undefined,
  levels: number,
): readonly string[] {
  let found = NONE;
  const placesAt = elementPlaces(list, place);
  for (const [i, item] of list.entries()) {
    if (found.length >= PATHS_MAX) break;
    found = noted(found, '[]', unreadInAll(item, placesAt(item, i), levels - 1));
  }
  return found;
}

/** The values that none of the places reads. */
function unreadInAll(
  value: JsonValue,
  places: readonly (Place | undefined)[],
  levels: number,
): readonly string[] {
  let rests = unreadIn(value, places[0], levels);
  for (let i = 1; i < places.length; i += 1) {
    const others = unreadIn(value, places[i], levels);
    rests = rests.filter((rest) => others.includes(rest));
  }
  return rests;
}

/** Adds the rests behind a step to the paths found before: each path once, and at most 20. */
function noted(
  found: readonly string[],
  step: string,
  rests: readonly string[],
): readonly string[] {
  if (rests.length === 0) return found;
  return [...new Set([...found, ...rests.map((rest) => step + rest)])].slice(0, PATHS_MAX);
}

/** The places that read an object by one of its own values. */
function placesOfObject(value: JsonObject, place: Place | undefined): readonly Place[] {
  if (place === undefined || place.elements.length === 0) return NOWHERE;
  return place.elements.flatMap(({ step, place: at }) =>
    'where' in step && isElement(value, step) ? [at] : [],
  );
}

/** The places that read each item of a list; none if no place reads it. */
function elementPlaces(
  list: readonly JsonValue[],
  place: Place | undefined,
): (item: JsonValue, index: number) => readonly Place[] {
  const { elements = [], items } = place ?? {};
  const here = items === undefined ? NOWHERE : [items];
  const ofItems = (item: JsonValue) => (isJsonObject(item) ? here : NOWHERE);
  if (elements.length === 0) return ofItems;
  const chosen = elements.map(({ step, place: at }) => {
    const index = 'index' in step ? step.index : list.findIndex((item) => isElement(item, step));
    return { index, at };
  });
  const reading = chosen.filter(({ at }) => readsAny(at));
  const others = reading.some(({ index }) => index in list) ? reading : [];
  return (item, index) => {
    const own = chosen.filter((one) => one.index === index);
    return [...ofItems(item), ...[...own, ...others].map(({ at }) => at)];
  };
}

/** Whether a value of a result is read at the place, or below it. */
function readsAny({ types, inner, items, elements }: Place): boolean {
  const below = [...inner.values(), ...elements.map(({ place }) => place)];
  return types.length > 0 || items !== undefined || below.some(readsAny);
}

function isRead(value: JsonValue, place: Place | undefined): boolean {
  if (place === undefined) return false;
  if (place.date !== undefined && decodePartialDate(value, place.date).year !== undefined) {
    return true;
  }
  for (const type of place.types) if (decodeField(value, type) !== undefined) return true;
  return false;
}

function lostMonth(value: JsonValue, place: Place | undefined): readonly string[] {
  if (place?.date === undefined) return NONE;
  const { month, year } = decodePartialDate(value, place.date);
  return month !== undefined && year === undefined ? [`.${place.date.month[0] ?? ''}`] : NONE;
}

/** The places of a whole entry; every alternative counts, no matter which holds the value. */
function placesOf({ answer, asks, blocks, fields }: Dialect, part: AnswerPart): Place {
  const entry = createPlace();
  const section = answer[part];
  for (const root of section.blocks.map((path) => placeAt(entry, path))) {
    for (const path of [...blocks.find_email, ...blocks.verify_email]) {
      addFields(placeAt(root, path), EMAIL_FIELDS, fields.find_email);
    }
    for (const path of blocks.find_phone) {
      addFields(placeAt(root, path), PHONE_FIELDS, fields.find_phone);
    }
    for (const path of blocks.social_enrichment) addProfile(placeAt(root, path), fields);
    for (const one of Object.values(asks)) {
      const { aliases, table } = customTable(one);
      for (const path of one.blocks) addFields(placeAt(root, path), table, aliases);
    }
  }
  const { ticket, metadata, reason, ignored } = section;
  const { pending, done, notFound, failed, unknown, outOfCredits } = section;
  const signals = [pending, done, notFound, failed, unknown, outOfCredits].flat();
  const types = [answer.webhook.type, signals.flatMap(({ at = [] }) => at)];
  const others = [ticket, metadata, reason, ...types].flat();
  // The same place may hold a text in one answer, and the blocks in another.
  const free = others.filter((path) => findPlace(entry, path) === undefined);
  for (const path of [...free, ...ignored]) placeAt(entry, path).isIgnored = true;
  return entry;
}

function addProfile(profile: Place, fields: Dialect['fields']): void {
  const { structure } = fields;
  addFields(profile, PROFILE_FIELDS, fields.profile);
  for (const group of itemsAt(profile, structure.positionGroups)) {
    for (const path of structure.company) {
      addFields(placeAt(group, path), COMPANY_FIELDS, fields.company);
    }
    addRange(group, structure);
    for (const position of itemsAt(group, structure.profilePositions)) {
      addFields(position, POSITION_FIELDS, fields.position);
      addRange(position, structure);
    }
  }
}

function addRange(place: Place, structure: Dialect['fields']['structure']): void {
  const { date, start, end, month, year } = structure;
  const ranges = date.map((path) => placeAt(place, path));
  for (const range of ranges) {
    for (const path of [...start, ...end]) {
      const at = placeAt(range, path);
      at.date = structure;
      addFields(at, { month: 'integer', year: 'integer' }, { month, year });
    }
  }
}

function addFields(place: Place, table: WireTable, aliases: Aliases): void {
  for (const [name, type] of Object.entries(table)) {
    for (const path of aliases[name] ?? []) {
      const { types } = placeAt(place, path);
      if (!types.includes(type)) types.push(type);
    }
  }
}

function itemsAt(place: Place, paths: readonly string[]): Place[] {
  return paths.map((path) => (placeAt(place, path).items ??= createPlace()));
}

function placeAt(place: Place, path: string): Place {
  return stepsOf(path).reduce((at, step) => stepInto(at, step) ?? addStep(at, step), place);
}

/** The place at the path, or the ignored one that it lies in. */
function findPlace(place: Place, path: string): Place | undefined {
  let current: Place | undefined = place;
  for (const step of stepsOf(path)) {
    if (current === undefined || current.isIgnored) break;
    current = stepInto(current, step);
  }
  return current;
}

function stepInto(place: Place, step: Step): Place | undefined {
  if ('key' in step) return place.inner.get(step.key);
  return place.elements.find((element) => isSameStep(element.step, step))?.place;
}

function addStep(place: Place, step: Step): Place {
  const next = createPlace();
  if ('key' in step) place.inner.set(step.key, next);
  else place.elements.push({ step, place: next });
  // The value by which an element is found identifies the element, so it is not an unread value.
  if ('where' in step) placeAt(next, step.where).isIgnored = true;
  return next;
}

function isSameStep(one: Element['step'], other: Element['step']): boolean {
  if ('index' in one) return 'index' in other && one.index === other.index;
  return 'where' in other && one.where === other.where && one.is === other.is;
}

function createPlace(): Place {
  return {
    types: [],
    inner: new Map(),
    items: undefined,
    elements: [],
    date: undefined,
    isIgnored: false,
  };
}
