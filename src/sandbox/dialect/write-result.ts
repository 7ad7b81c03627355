// The body of results (docs/platform-api.md, Enrichment result), from the neutral dialect to another: by ticket, of
// a whole bulk call, and in a webhook.
import type { Dialect } from '../../dialect/dialect.js';
import type { Ask } from '../../model/ask.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/text/json.js';
import { hasBatchTickets } from './calls.js';
import { placeAll, placeAt, type Way, withPlaced } from './wire-places.js';

interface Writing {
  readonly dialect: Dialect;
  readonly way: Way;
}

/** The neutral body. */
export interface ResultBody {
  readonly type: 'enrichmentDone' | 'enrichmentError';
  readonly data: readonly JsonObject[];
  /** Of the hook that it is delivered to. */
  readonly secret?: string;
}

export function isResultBody(body: JsonObject): body is JsonObject & ResultBody {
  return body['type'] === 'enrichmentDone' || body['type'] === 'enrichmentError';
}

/** What was asked for an enrichment of the ledger. */
export type AskedOf = (id: string) => readonly Ask[] | undefined;

/** `isOne`: it was asked for by its own ticket. */
export function writeResult(
  { type, data, secret }: ResultBody,
  writing: Writing & { readonly isOne: boolean },
  askedOf: AskedOf,
): JsonValue {
  const { dialect, way } = writing;
  const { answer } = dialect;
  const name = (type === 'enrichmentError' ? answer.errorTypes : answer.doneTypes)[0];
  const ending = secret === undefined ? {} : { secret };
  const finish = (body: JsonValue) =>
    placeAt(withPlaced(body, answer.type, name, way), '.', ending);

  const entries = data.map((entry) => writeEntry(entry, writing, askedOf));
  const { place, isObject } = entriesPlace(writing, entries.length);
  const [first] = entries;
  if (isObject && first !== undefined) return finish(placeAt({}, place, first));
  // An array that is the whole body has no room for type and secret: each entry gets them.
  return place === '.' ? entries.map(finish) : finish(placeAt({}, place, entries));
}

/**
 * The place of the entries, and whether it holds a single entry as an object. `.` holds one entry and nothing else, so
 * several are at the other path. With two other paths, the first is for the object of one ticket and the second for the
 * list of a webhook or bulk call; a single path holds a list.
 */
function entriesPlace(
  { dialect: { answer }, way, isOne }: Writing & { readonly isOne: boolean },
  count: number,
): { readonly place: string; readonly isObject: boolean } {
  const paths = answer.entries;
  const others = paths.filter((path) => path !== '.');
  if (others.length < paths.length && (isOne || (way === 'webhook' && count === 1))) {
    return { place: '.', isObject: true };
  }
  const [first = '.', second] = others;
  if (second === undefined) return { place: first, isObject: false };
  return isOne ? { place: first, isObject: true } : { place: second, isObject: false };
}

function writeEntry(
  { id, metadata, error, data }: JsonObject,
  writing: Writing,
  askedOf: AskedOf,
): JsonValue {
  const { dialect, way } = writing;
  const { answer } = dialect;
  const asked = typeof id === 'string' ? askedOf(id) : undefined;
  const blocks = isJsonObject(data) ? writeBlocks(data, asked, writing) : undefined;
  // The item of a bulk call that has one ticket is known by its metadata alone.
  const ticket = metadata !== undefined && hasBatchTickets(dialect) ? undefined : id;
  return placeAll(
    [
      [answer.blocks, blocks],
      [answer.ticket, ticket],
      [answer.metadata, metadata],
      [answer.reason, error],
    ],
    way,
  );
}

/** Neutral blocks in a dialect's; a verified address has its own block unless an address was to be found. */
function writeBlocks(
  blocks: JsonObject,
  asked: readonly Ask[] | undefined,
  writing: Writing,
): JsonValue {
  const { dialect, way } = writing;
  const { blocks: places, fields } = dialect;
  const { find_email: email, find_phone: phone, social_enrichment: profile } = blocks;
  const isVerified = asked?.includes('verify_email') === true && !asked.includes('find_email');
  return placeAll(
    [
      [
        isVerified ? places.verify_email : places.find_email,
        email && writeFields(email, fields.find_email, way),
      ],
      [places.find_phone, phone && writeFields(phone, fields.find_phone, way)],
      [places.social_enrichment, profile && writeProfile(profile, writing)],
    ],
    way,
  );
}

function writeProfile(profile: JsonValue, writing: Writing): JsonValue {
  const { profile: names, structure } = writing.dialect.fields;
  const groups = listOf(profile, 'positionGroups')?.map((group) => writeGroup(group, writing));
  const written = writeFields(profile, names, writing.way);
  return withPlaced(written, structure.positionGroups, groups, writing.way);
}

function writeGroup(group: JsonValue, writing: Writing): JsonValue {
  const { dialect, way } = writing;
  const { company, position: names, structure } = dialect.fields;
  const positions = listOf(group, 'profilePositions')?.map((position) =>
    withPlaced(
      writeFields(position, names, way),
      structure.date,
      writeRange(memberOf(position, 'date'), writing),
      way,
    ),
  );
  return placeAll(
    [
      [structure.company, writeFields(memberOf(group, 'company'), company, way)],
      [structure.date, writeRange(memberOf(group, 'date'), writing)],
      [structure.profilePositions, positions],
    ],
    way,
  );
}

function writeRange(
  range: JsonValue | undefined,
  { dialect, way }: Writing,
): JsonValue | undefined {
  if (range === undefined) return undefined;
  const { start, end, month, year } = dialect.fields.structure;
  const dateOf = (name: string) => writeFields(memberOf(range, name), { month, year }, way);
  return placeAll(
    [
      [start, dateOf('start')],
      [end, dateOf('end')],
    ],
    way,
  );
}

function writeFields(
  source: JsonValue | undefined,
  names: Readonly<Record<string, readonly string[]>>,
  way: Way,
): JsonValue {
  const fields = Object.entries(names);
  return placeAll(
    fields.map(([name, paths]) => [paths, memberOf(source, name)] as const),
    way,
  );
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function listOf(value: JsonValue, name: string): readonly JsonValue[] | undefined {
  const list = memberOf(value, name);
  return Array.isArray(list) ? list : undefined;
}
