// The people schema (docs/platform-api.md, GET /schema/people), with one sample record: every documented field, in
// order, with a value of its type (docs/platform-api.md, Person record).
import type { FastifyInstance } from 'fastify';
import {
  ENTRY_FIELDS,
  type FieldTable,
  type FieldType,
  PERSON_FIELDS,
} from '../../model/resources/person-record.js';

const SAMPLES: Readonly<Record<Exclude<FieldType, 'array of objects'>, unknown>> = {
  integer: 812,
  number: 12.75,
  string: 'Rotterdam',
  'date-time': '2024-01-01T03:00:00.000Z',
  date: '2020-02-01',
  url: 'https://social.example/in/jane-doe-4b2a91',
  boolean: true,
  'array of numbers': [51.9225, 4.47917],
};

function sampleOf(fields: FieldTable): Record<string, unknown> {
  const lists: Readonly<Record<string, FieldTable>> = ENTRY_FIELDS;
  return Object.fromEntries(
    Object.entries(fields).map(([name, type]) => [
      name,
      type === 'array of objects' ? [sampleOf(lists[name] ?? {})] : SAMPLES[type],
    ]),
  );
}

/** A person of the people database, entirely fictitious; the names of its fields are the answer's `properties`. */
export const SAMPLE_PERSON = sampleOf(PERSON_FIELDS);

const PEOPLE_SCHEMA = {
  schema: SAMPLE_PERSON,
  version: { since: 20_240_101, type: 'date' },
  properties: Object.keys(SAMPLE_PERSON),
};

/** `GET /schema/people`: 200 with one sample record, its version and its field names in order. */
export function registerPeopleSchema(app: FastifyInstance): void {
  app.get('/schema/people', () => PEOPLE_SCHEMA);
}
