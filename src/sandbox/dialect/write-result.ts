// Writes the body of results (docs/platform-api.md, Enrichment result), from the neutral dialect to another: by ticket,
// of a whole bulk call, and in a webhook.
import { placesOf } from '../../dialect/custom-asks.js';
import type { Dialect } from '../../dialect/dialect.js';
import { offeredAsks } from '../../dialect/forms.js';
import { hasBatchTickets } from '../../dialect/wire-calls.js';
import type { Ask } from '../../model/ask.js';
import { EMAIL_STATUSES } from '../../model/result.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/text/json.js';
import { nested } from '../webhooks/prove.js';
import {
  type State,
  saidIn,
  signalsFor,
  withDone,
  withMore,
  withSignals,
  withType,
} from './say.js';
import { placeAll, placeAt, placeOf, type Way, withMetadata, withPlaced } from './wire-places.js';

interface Writing {
  readonly dialect: Dialect;
  readonly way: Way;
}

/** The neutral body. */
export interface ResultBody {
  readonly type: 'enrichmentDone' | 'enrichmentError';
  readonly data: readonly JsonObject[];
  /** The secret of the hook to which it is delivered. */
  readonly secret?: string;
}

export function isResultBody(body: JsonObject): body is JsonObject & ResultBody {
  return body['type'] === 'enrichmentDone' || body['type'] === 'enrichmentError';
}

/** The facts about an enrichment of the ledger. */
export interface Known {
  readonly ask: readonly Ask[];
  /** Whether nothing of what was asked is found. */
  readonly isMiss: boolean;
  /** The client's own metadata. */
  readonly metadata?: JsonValue | undefined;
}

export type KnownOf = (id: string) => Known | undefined;

/** The state of the only entry of a body; undefined if it has several, or none. */
export function stateOfOne({ type, data }: ResultBody, knownOf: KnownOf): State | undefined {
  const [entry] = data;
  return entry === undefined || data.length > 1 ? undefined : stateOf(entry, type, knownOf);
}

function stateOf({ id, error }: JsonObject, type: ResultBody['type'], knownOf: KnownOf): State {
  if (type === 'enrichmentError' || error !== undefined) return 'failed';
  const isMiss = typeof id === 'string' && knownOf(id)?.isMiss === true;
  return isMiss ? 'notFound' : 'done';
}

/** `isOne`: the client asked for it by its own ticket. */
export function writeResult(
  { type, data, secret }: ResultBody,
  writing: Writing & { readonly isOne: boolean },
  knownOf: KnownOf,
): JsonValue {
  const { dialect, isOne, way } = writing;
  const section = dialect.answer[way];
  const proof = dialect.webhooks.secret;
  const isInBody = secret !== undefined && proof !== null && 'at' in proof;
  const ending = isInBody ? nested(proof.at.split('.'), secret) : {};
  const states = data.map((entry) => stateOf(entry, type, knownOf));
  const [first = 'done'] = states;
  // If the entries differ, each states its own state, and the body that all is done.
  const shared = states.every((state) => state === first) ? first : 'done';
  const signalsOf = (state: State) => signalsFor(section, state, isOne && way !== 'webhook');
  const finish = (body: JsonValue): JsonValue => {
    const said = withSignals(body, saidIn('body', signalsOf(shared)));
    const typed = withType(said, dialect, shared, way);
    const done = withMore(typed, saidIn('body', signalsOf('done')));
    const whole = withDone(done, dialect, way, 'body');
    return isJsonObject(whole) ? { ...whole, ...ending } : whole;
  };

  const entries = data.map((entry, i) => {
    const state = states[i] ?? 'done';
    const own = signalsOf(state).filter((signal) =>
      signal.in === undefined ? state !== shared : signal.in === 'entry',
    );
    const said = withSignals(writeEntry(entry, writing, knownOf), own);
    const ends = state === 'failed' ? [] : signalsOf('done');
    return withDone(withMore(said, saidIn('entry', ends)), dialect, way, 'entry');
  });
  return placeEntries(entries, writing, finish);
}

/** The body of results that are not ready yet, as entries that say so; `items` are the requested ones. */
export function writePending(
  items: readonly JsonObject[],
  writing: Writing & { readonly isOne: boolean },
  knownOf: KnownOf,
): JsonValue {
  const signals = signalsFor(writing.dialect.answer[writing.way], 'pending', true);
  const entries = items.map((item) =>
    withSignals(writeEntry(item, writing, knownOf), saidIn('entry', signals)),
  );
  return placeEntries(entries, writing, (body) => withSignals(body, saidIn('body', signals)));
}

/** The body with its entries; if they are the whole of it, `finish` is called for each of them. */
function placeEntries(
  entries: readonly JsonValue[],
  writing: Writing & { readonly isOne: boolean },
  finish: (body: JsonValue) => JsonValue,
): JsonValue {
  const { place, isObject } = entriesPlace(writing, entries.length);
  const [only] = entries;
  if (isObject && only !== undefined) return finish(placeAt({}, place, only));
  // An array that is the whole body has no room for type and secret: each entry gets them.
  return place === '.' ? entries.map(finish) : finish(placeAt({}, place, entries));
}

/** Adds the ticket of a bulk call beside the entries of its results, if there is a place for it. */
export function withCallTicket(
  body: JsonValue,
  ticket: string | undefined,
  { answer }: Dialect,
  way: 'read' | 'webhook',
): JsonValue {
  const [place = ''] = answer[way].ticket;
  const hasRoom = Array.isArray(body) === place.startsWith('[');
  return ticket === undefined || place === '' || !hasRoom ? body : placeAt(body, place, ticket);
}

/** The only entry of a body as an item of the answer to a bulk call, in which it has no status of its own. */
export function writeItem(body: ResultBody, dialect: Dialect, knownOf: KnownOf): JsonValue {
  const [entry = {}] = body.data;
  const writing = { dialect, way: 'submit' } as const;
  const state = stateOfOne(body, knownOf) ?? 'done';
  const signalsOf = (one: State) => signalsFor(dialect.answer.submit, one, false);
  const said = withSignals(writeEntry(entry, writing, knownOf), signalsOf(state));
  return state === 'failed' ? said : withMore(said, signalsOf('done'));
}

/**
 * The place of the entries, and whether it holds a single entry as an object. `.` holds one entry and nothing else, so
 * several stand at the other path. With two other paths, the first is for the object of one ticket and the second for
 * the list of a webhook or bulk call; a single path holds a list.
 */
function entriesPlace(
  { dialect: { answer }, way, isOne }: Writing & { readonly isOne: boolean },
  count: number,
): { readonly place: string; readonly isObject: boolean } {
  const paths = answer[way].entries;
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
  knownOf: KnownOf,
): JsonValue {
  const { dialect, way } = writing;
  const section = dialect.answer[way];
  const asked = typeof id === 'string' ? knownOf(id)?.ask : undefined;
  const blocks = isJsonObject(data) ? writeBlocks(data, asked, writing) : undefined;
  // An item of a bulk call with one ticket is known by its metadata alone.
  const ticket = metadata !== undefined && hasBatchTickets(dialect) ? undefined : id;
  const head = placeAll(
    [
      [section.blocks, blocks],
      [section.ticket, ticket],
      [section.reason, error],
    ],
    way,
  );
  return withMetadata(head, section.metadata, metadata, dialect, way);
}

/** The neutral blocks in a dialect's form; a verified address has its own block unless an address was to be found. */
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
      ...nothingFound(writing),
      [isVerified ? places.verify_email : places.find_email, email && writeEmail(email, writing)],
      [places.find_phone, phone && writeFields(phone, fields.find_phone, way)],
      [places.social_enrichment, profile && writeProfile(profile, writing)],
      ...Object.entries(dialect.asks).map(
        ([ask, one]) =>
          [one.blocks, blocks[ask] && writeFields(blocks[ask], placesOf(one), way)] as const,
      ),
    ],
    way,
  );
}

/** Null at the place of each block that can be asked for; if that is the whole, at the places of its fields. */
function nothingFound({ dialect, way }: Writing): Parameters<typeof placeAll>[0] {
  const { answer, asks: custom, blocks, fields } = dialect;
  if (!answer[way].nulls) return [];
  const { find_email, find_phone } = fields;
  const standard = { find_email, verify_email: find_email, find_phone, social_enrichment: {} };
  const all = new Map<Ask, readonly [block: readonly string[], fields: Names]>([
    ...Object.entries(standard).map(
      ([ask, names]) => [ask, [blocks[ask as keyof typeof standard], names]] as const,
    ),
    ...Object.entries(custom).map(([ask, one]) => [ask, [one.blocks, placesOf(one)]] as const),
  ]);
  return offeredAsks(dialect).flatMap((ask) => {
    const [block = [], names = {}] = all.get(ask) ?? [];
    if (placeOf(block, way) !== '.') return [[block, null] as const];
    return Object.values(names).map((paths) => [paths, null] as const);
  });
}

type Names = Readonly<Record<string, readonly string[]>>;

/** The e-mail with the first of the platform's words for its status; without a status if the platform has none. */
function writeEmail(email: JsonValue, { dialect, way }: Writing): JsonValue {
  const { emailStatuses, fields } = dialect;
  const { status, ...address } = isJsonObject(email) ? email : {};
  const own = EMAIL_STATUSES.find((one) => one === status);
  const word = own === undefined ? status : emailStatuses[own][0];
  const named = word === undefined ? address : { ...address, status: word };
  return writeFields(named, fields.find_email, way);
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

function writeFields(source: JsonValue | undefined, names: Names, way: Way): JsonValue {
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
