// Values of a result that no path of the dialect reads: the sign of a dialect that looks in the wrong place. One
// walk over what came, beside a tree of the places that the dialect names.
import type { Dialect } from '../../dialect/dialect.js';
import { valueAt } from '../../dialect/wire-path.js';
import {
  COMPANY_FIELDS,
  type FieldTable,
  type FieldType,
  POSITION_FIELDS,
  PROFILE_FIELDS,
} from '../../model/result.js';
import { isJsonObject, JSON_LEVELS_MAX, type JsonValue } from '../../model/text/json.js';
import { type Aliases, decodeField, EMAIL_FIELDS, PHONE_FIELDS } from './decode-result.js';

/** A place in an entry, and what the dialect reads there and below it. */
interface Place {
  readonly types: Set<FieldType>;
  readonly inner: Map<string, Place>;
  /** In each object of the list that is here. */
  items: Place | undefined;
  /** The place says nothing about the result, nor does anything below it. */
  isIgnored: boolean;
}

const PATHS_MAX = 20;
const NONE: readonly string[] = [];
/** The value itself. */
const SELF: readonly string[] = [''];

const known = new WeakMap<Dialect, Place>();

/** The dotted paths, below the entry, of the values at `blocksPath` that no path reads; at most 20, each once. */
export function unreadPaths(entry: JsonValue, blocksPath: string, dialect: Dialect): string[] {
  let places = known.get(dialect);
  if (places === undefined) known.set(dialect, (places = placesOf(dialect)));
  const blocks = valueAt(entry, blocksPath) ?? null;
  const start = blocksPath === '.' ? '' : `.${blocksPath}`;
  const unread = unreadIn(blocks, findPlace(places, blocksPath), JSON_LEVELS_MAX);
  return unread.map((rest) => (start + rest).slice(1));
}

/** As what is appended to the path of `value`: `.email`, `[].year`, or nothing. */
function unreadIn(value: JsonValue, place: Place | undefined, levels: number): readonly string[] {
  if (place?.isIgnored === true || value === null || value === '') return NONE;
  if (typeof value !== 'object') return isRead(value, place) ? NONE : SELF;
  if (levels === 0) return SELF;
  let found: Set<string> | undefined;
  const note = (step: string, child: JsonValue, childPlace: Place | undefined): boolean => {
    for (const rest of unreadIn(child, childPlace, levels - 1)) {
      found ??= new Set();
      if (found.size < PATHS_MAX) found.add(step + rest);
    }
    return found !== undefined && found.size >= PATHS_MAX;
  };
  if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      if (note(`.${key}`, value[key] ?? null, place?.inner.get(key))) break;
    }
  } else {
    for (const item of value) {
      if (note('[]', item, isJsonObject(item) ? place?.items : undefined)) break;
    }
  }
  return found === undefined ? NONE : [...found];
}

function isRead(value: JsonValue, place: Place | undefined): boolean {
  if (place === undefined) return false;
  for (const type of place.types) if (decodeField(value, type) !== undefined) return true;
  return false;
}

/** The places of a whole entry; every alternative counts, no matter which holds the value. */
function placesOf({ answer, blocks, fields, result }: Dialect): Place {
  const entry = createPlace();
  for (const root of answer.blocks.map((path) => placeAt(entry, path))) {
    for (const path of [...blocks.find_email, ...blocks.verify_email]) {
      addFields(placeAt(root, path), EMAIL_FIELDS, fields.find_email);
    }
    for (const path of blocks.find_phone) {
      addFields(placeAt(root, path), PHONE_FIELDS, fields.find_phone);
    }
    for (const path of blocks.social_enrichment) addProfile(placeAt(root, path), fields);
  }
  const { ticket, metadata, type, reason, ignored } = answer;
  const others = [ticket, metadata, type, reason, result.pending.at].flat();
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
      addFields(placeAt(range, path), { month: 'integer', year: 'integer' }, { month, year });
    }
  }
}

function addFields(place: Place, table: FieldTable, aliases: Aliases): void {
  for (const [name, type] of Object.entries(table)) {
    for (const path of aliases[name] ?? []) placeAt(place, path).types.add(type);
  }
}

function itemsAt(place: Place, paths: readonly string[]): Place[] {
  return paths.map((path) => (placeAt(place, path).items ??= createPlace()));
}

function placeAt(place: Place, path: string): Place {
  let current = place;
  for (const key of keysOf(path)) {
    let next = current.inner.get(key);
    if (next === undefined) current.inner.set(key, (next = createPlace()));
    current = next;
  }
  return current;
}

/** The place at the path, or the ignored one that it lies in. */
function findPlace(place: Place, path: string): Place | undefined {
  let current: Place | undefined = place;
  for (const key of keysOf(path)) {
    if (current?.isIgnored === true) break;
    current = current?.inner.get(key);
  }
  return current;
}

function createPlace(): Place {
  return { types: new Set(), inner: new Map(), items: undefined, isIgnored: false };
}

function keysOf(path: string): string[] {
  return path === '.' ? [] : path.split('.');
}
