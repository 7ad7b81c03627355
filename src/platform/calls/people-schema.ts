// GET /schema/people (docs/platform-api.md, People schema).
import { demandCalls } from '../../dialect/calls.js';
import { firstValueAt } from '../../dialect/wire-path.js';
import type { PeopleSchema } from '../../model/resources/resources.js';
import { isJsonObject, type JsonValue, parseJson } from '../../model/text/json.js';
import { decodeFirst } from '../answers/decode-result.js';
import type { Wire } from '../wire/wire.js';
import { askRepeatedly, type Question } from './ask-free.js';

/** Whether either half of a schema is there. */
export function isPeopleSchema(body: JsonValue | undefined, { dialect }: Wire): boolean {
  const { schema, properties } = demandCalls(dialect, 'peopleSchema');
  return isJsonObject(firstValueAt(body, schema)) || Array.isArray(firstValueAt(body, properties));
}

/**
 * As `Platform.readPeopleSchema`. The version is given whole or not at all.
 * @throws SluiceError `platform`
 */
export async function readPeopleSchema(wire: Wire, signal?: AbortSignal): Promise<PeopleSchema> {
  const read = (body: JsonValue | undefined) => decodeSchema(body, wire);
  return askRepeatedly(wire, signal, schemaQuestion(wire, read));
}

export function schemaQuestion<T>(
  wire: Wire,
  read: (body: JsonValue | undefined) => T | undefined,
): Question<T> {
  return {
    route: 'people_schema',
    method: 'GET',
    path: wire.pathOf(demandCalls(wire.dialect, 'peopleSchema').path),
    read: ({ text }) => read(parseJson(text)),
    lack: 'without a people schema',
  };
}

function decodeSchema(body: JsonValue | undefined, { dialect }: Wire): PeopleSchema | undefined {
  const peopleSchema = demandCalls(dialect, 'peopleSchema');
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
