// Reads the query and body of a call that is not paid for, from a dialect's names and places into the neutral ones;
// read-question.ts reads paid requests.
import { demandCalls } from '../../dialect/calls.js';
import type { Dialect } from '../../dialect/dialect.js';
import { eventOfWire, eventOnWire } from '../../dialect/events.js';
import type { CallName } from '../../dialect/wire-calls.js';
import type { ListMember } from '../../model/resources/contact-list.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import { type OnStrange, type RawQuery, Refusal } from '../routes/read-request.js';
import type { Contacts } from './extra-routes.js';
import { readPlaces } from './wire-places.js';

const HOOK_PLACES = { targetUrl: 'targetUrl', type: 'type', secret: 'secret' };

/** The dialect of a request, and the function that is told of an unknown parameter or place. */
export interface DialectReading {
  readonly dialect: Dialect;
  readonly onStrange: OnStrange;
}

/** The same query in neutral words. */
export function readQuery(
  name: CallName,
  query: RawQuery,
  { onStrange }: DialectReading,
): RawQuery {
  if (name !== 'createList' && name !== 'addToList') return query;
  for (const word of Object.keys(query))
    onStrange(`The parameter ${word.slice(0, 50)} is unknown.`);
  return {};
}

/**
 * The same body in neutral words.
 * @throws Refusal 400 for a body of another shape
 */
export function readBody(
  name: CallName,
  body: unknown,
  reading: DialectReading,
  contacts: Contacts,
): unknown {
  const { dialect, onStrange } = reading;
  switch (name) {
    case 'addHook': {
      const { type, ...hook } = readPlaces(body, HOOK_PLACES, onStrange);
      return type === undefined ? hook : { ...hook, type: readHookType(type, dialect) };
    }
    case 'createList':
      return readPlaces(body, { name: 'name' }, onStrange);
    case 'addToList': {
      const members = readList(body, demandCalls(dialect, 'lists').add.entities, onStrange);
      return { entities: members.map((member) => readMember(member, reading, contacts)) };
    }
    case 'upsertContact':
      return readPlaces(body, demandCalls(dialect, 'lists').upsert.fields, onStrange);
    case 'result':
    case 'batch': {
      const place = dialect.result?.id ?? null;
      return place === null ? body : readPlaces(body, { id: place }, onStrange);
    }
    case 'enrich':
    case 'bulk':
    case 'account':
    case 'peopleSchema':
    case 'listHooks':
    case 'removeHook':
    case 'draft':
      return body;
  }
}

function readList(body: unknown, path: string, onStrange: OnStrange): readonly unknown[] {
  const list = path === '.' ? body : readPlaces(body, { list: path }, onStrange)['list'];
  if (Array.isArray(list)) return list;
  throw new Refusal(400, `The body must have an array at ${path}.`);
}

function readMember(
  member: unknown,
  { dialect, onStrange }: DialectReading,
  contacts: Contacts,
): JsonObject | ListMember {
  const { add } = demandCalls(dialect, 'lists');
  if (add.members === 'objects') return readPlaces(member, add.fields, onStrange, 'A member');
  if (typeof member !== 'string') throw new Refusal(400, 'A member must be a text.');
  if (add.members === 'emails') return { email: member };
  const contact = contacts.find(member);
  if (contact !== undefined) return contact;
  throw new Refusal(400, `There is no contact ${member.slice(0, 50)}.`);
}

// (docs/platform-api.md, Event types)
function readHookType(type: JsonValue, dialect: Dialect): JsonValue {
  if (typeof type !== 'string') return type;
  const known = eventOfWire(type, dialect);
  if (known !== type || eventOnWire(type, dialect) === type) return known;
  throw new Refusal(400, `There is no event ${JSON.stringify(type)}.`);
}
