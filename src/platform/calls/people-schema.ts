// GET /schema/people (docs/platform-api.md, People schema).
import { demandCalls } from '../../dialect/calls.js';
import type { PeopleSchema } from '../../model/resources/resources.js';
import { isJsonObject, type JsonValue, parseJson } from '../../model/text/json.js';
import { decodeFirst } from '../answers/decode-result.js';
import type { Wire } from '../wire/wire.js';
import { askRepeatedly, type Question } from './ask-free.js';

export function isPeopleSchema(body: JsonValue | undefined): boolean {
  const { schema, properties } = isJsonObject(body) ? body : {};
  return isJsonObject(schema) || Array.isArray(properties);
}

/** The version is given whole or not at all. Throws SluiceError `platform`. */
export async function readPeopleSchema(wire: Wire, signal?: AbortSignal): Promise<PeopleSchema> {
  return askRepeatedly(wire, signal, schemaQuestion(wire, decodeSchema));
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

function decodeSchema(body: JsonValue | undefined): PeopleSchema | undefined {
  const { schema, properties } = isJsonObject(body) ? body : {};
  if (!isJsonObject(schema) || !isListOfNames(properties)) return undefined;
  const since = decodeFirst(body, ['version.since'], 'integer');
  const type = decodeFirst(body, ['version.type'], 'string');
  const isWhole = typeof since === 'number' && typeof type === 'string';
  return { schema, properties, version: isWhole ? { since, type } : undefined };
}

function isListOfNames(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((name: JsonValue) => typeof name === 'string');
}
