// The body of a call, from a dialect's places to the neutral ones. Stricter than a real platform: what stands
// where the dialect has no place is refused, so that a mistake in a dialect file shows.

import { itemPlaces } from '../../dialect/bulk.js';
import type { Dialect } from '../../dialect/dialect.js';
import { ASKS } from '../../model/ask.js';
import type { ListMember } from '../../model/platform/contact-list.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import type { CallName } from './calls.js';
import type { Contacts } from './contacts.js';
import { readHookType } from './hook-types.js';
import { RefusedError } from './refused-error.js';
import { readPlaces } from './wire-places.js';

/**
 * The same body in neutral words.
 * @throws RefusedError for what the dialect does not have
 */
export function readBody(
  name: CallName,
  body: unknown,
  dialect: Dialect,
  contacts: Contacts,
): unknown {
  const { bulk, hooks, lists } = dialect;
  switch (name) {
    case 'bulk':
      return readList(body, bulk.items).map((item) => readItem(item, dialect));
    case 'addHook': {
      const { type, ...hook } = readPlaces(body, hooks.add.body);
      return type === undefined ? hook : { ...hook, type: readHookType(type, dialect) };
    }
    case 'createList':
      return readPlaces(body, lists.create.body);
    case 'addToList': {
      const members = readList(body, lists.add.entities);
      return { entities: members.map((member) => readMember(member, dialect, contacts)) };
    }
    case 'upsertContact':
      return readPlaces(body, lists.upsert.fields);
    case 'enrich':
    case 'result':
    case 'batch':
    case 'peopleSchema':
    case 'listHooks':
    case 'removeHook':
    case 'draft':
      return body;
  }
}

function readList(body: unknown, path: string): readonly unknown[] {
  const list = path === '.' ? body : readPlaces(body, { list: path })['list'];
  if (Array.isArray(list)) return list;
  throw new RefusedError(`The body must have an array at ${path}.`);
}

function readItem(item: unknown, dialect: Dialect): JsonObject {
  const places = [...itemPlaces(dialect)].map(([part, keys]) => [part, keys.join('.')] as const);
  const values = readPlaces(item, Object.fromEntries(places), 'An item');
  const { enrichmentRequests: asked = [], metadata, ...input } = values;
  const requests = Array.isArray(asked) ? asked.map((name) => readAsk(name, dialect)) : asked;
  const head = { input, enrichmentRequests: requests };
  return metadata === undefined ? head : { ...head, metadata };
}

function readAsk(name: JsonValue, { bulk }: Dialect): JsonValue {
  const ask = ASKS.find((one) => bulk.asks[one] === name);
  if (ask !== undefined) return ask;
  throw new RefusedError(`Nobody can be asked for ${JSON.stringify(name).slice(0, 50)}.`);
}

function readMember(
  member: unknown,
  { lists: { add } }: Dialect,
  contacts: Contacts,
): JsonObject | ListMember {
  if (add.members === 'objects') return readPlaces(member, add.fields, 'A member');
  if (typeof member !== 'string') throw new RefusedError('A member must be a text.');
  if (add.members === 'emails') return { email: member };
  const contact = contacts.find(member);
  if (contact !== undefined) return contact;
  throw new RefusedError(`There is no contact ${member.slice(0, 50)}.`);
}
