// GET /schema/people (docs/platform-api.md, People schema): the schema itself, and the free question that shows,
// before anything is paid for, whether the address, the credentials and the protocol are right.

import { firstValueAt } from '../../dialect/wire-path.js';
import type { PeopleSchema } from '../../model/resources/resources.js';
import { isJsonObject, type JsonValue, parseJson } from '../../model/text/json.js';
import { decodeFirst } from '../answers/decode-result.js';
import type { Wire } from '../wire/wire.js';
import { askRepeatedly, type Question } from './ask-free.js';

/**
 * As `Platform.check`. An answer with either half of a schema will do: the rest is not read.
 * @throws SluiceError `platform`
 */
export async function checkPlatform(wire: Wire, signal?: AbortSignal): Promise<void> {
  await askRepeatedly(wire, signal, checkQuestion(wire));
}

export function checkQuestion(wire: Wire): Question<boolean> {
  return schemaQuestion(wire, (body) => isPeopleSchema(body, wire) || undefined);
}

export function isPeopleSchema(body: JsonValue | undefined, { dialect }: Wire): boolean {
  const { schema, properties } = dialect.peopleSchema;
  return isJsonObject(firstValueAt(body, schema)) || Array.isArray(firstValueAt(body, properties));
}

/**
 * As `Platform.readPeopleSchema`. The version is given whole or not at all.
 * @throws SluiceError `platform`
 */
export function readPeopleSchema(wire: Wire, signal?: AbortSignal): Promise<PeopleSchema> {
  const read = (body: JsonValue | undefined) => decodeSchema(body, wire);
  return askRepeatedly(wire, signal, schemaQuestion(wire, read));
}

function schemaQuestion<T>(
  wire: Wire,
  read: (body: JsonValue | undefined) => T | undefined,
): Question<T> {
  return {
    route: 'people_schema',
    method: 'GET',
    path: wire.pathOf(wire.dialect.peopleSchema.path),
    read: ({ text }) => read(parseJson(text)),
    lack: 'without a people schema',
  };
}

function decodeSchema(
  body: JsonValue | undefined,
  { dialect: { peopleSchema } }: Wire,
): PeopleSchema | undefined {
  const schema = firstValueAt(body, peopleSchema.schema);
  const properties = firstValueAt(body, peopleSchema.properties);
  if (!isJsonObject(schema) || !isListOfNames(properties)) return undefined;
  const since = decodeFirst(body, peopleSchema.version.since, 'integer');
  const type = decodeFirst(body, peopleSchema.version.type, 'string');
  const isWhole = typeof since === 'number' && typeof type === 'string';
  return { schema, properties, version: isWhole ? { since, type } : undefined };
}

function isListOfNames(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((name: JsonValue) => typeof name === 'string');
}
