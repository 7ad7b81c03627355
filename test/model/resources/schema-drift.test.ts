import { describe, expect, it } from 'vitest';
import type { PeopleSchema } from '../../../src/model/resources/resources.js';
import {
  compareSchemas,
  documentedFields,
  hasDrifted,
  reportedFields,
  type SchemaField,
} from '../../../src/model/resources/schema-drift.js';
import type { JsonObject } from '../../../src/model/text/json.js';
import { SAMPLE_PERSON } from '../../../src/sandbox/routes/people-schema.js';

function told(schema: JsonObject, properties = Object.keys(schema)): PeopleSchema {
  return { schema, properties, version: undefined };
}

const seen = (fields: readonly SchemaField[], version: number | null = null) => ({
  version,
  fields,
});

const BEFORE = { id: 1, name: 'x', jobs: [{ title: 'x', from: 2 }], tags: [], at: [1.5, 2] };

function drift(now: JsonObject, properties?: string[]) {
  return compareSchemas(
    seen(reportedFields(told(BEFORE))),
    seen(reportedFields(told(now, properties))),
  );
}

describe('the schema of the people database', () => {
  it('has not drifted in the sandbox', () => {
    const person = SAMPLE_PERSON as unknown as JsonObject;
    expect(
      hasDrifted(compareSchemas(seen(documentedFields()), seen(reportedFields(told(person))))),
    ).toBe(false);
  });

  it('tells what was added and removed, also inside entries', () => {
    const { name: _, ...rest } = BEFORE;
    const now = { ...rest, jobs: [{ title: 'x', company: 'y' }], email: 'z' };
    expect(drift(now)).toEqual({
      added: [
        { name: 'jobs.company', type: 'string' },
        { name: 'email', type: 'string' },
      ],
      removed: [
        { name: 'name', type: 'string' },
        { name: 'jobs.from', type: 'integer' },
      ],
      retyped: [],
      reordered: [],
      version: null,
    });
  });

  it('tells a new version, but not one that was unknown', () => {
    const fields = reportedFields(told(BEFORE));
    const versions = (was: number | null, is: number | null) =>
      compareSchemas(seen(fields, was), seen(fields, is));
    expect(versions(20_240_101, 20_260_101).version).toEqual({ was: 20_240_101, is: 20_260_101 });
    expect(hasDrifted(versions(20_240_101, 20_260_101))).toBe(true);
    expect(hasDrifted(versions(20_240_101, 20_240_101))).toBe(false);
    expect(hasDrifted(versions(null, 20_240_101))).toBe(false);
  });

  it('tells date-times, dates and addresses from plain text', () => {
    const typed = { a: '2024-01-01T03:00:00.000Z', b: '2024-01-01', c: 'https://x.example/a' };
    const types = (record: JsonObject) => reportedFields(told(record)).map(({ type }) => type);
    expect(types(typed)).toEqual(['date-time', 'date', 'url']);
    expect(types({ a: '', b: '2024', c: 'x.example' })).toEqual(['unknown', 'string', 'string']);
    const before = seen(reportedFields(told(typed)));
    const now = (record: JsonObject) =>
      compareSchemas(before, seen(reportedFields(told(record)))).retyped;
    expect(now({ a: '2024-01-01', b: 'soon', c: 'none' })).toEqual([
      { name: 'a', was: 'date-time', is: 'date' },
      { name: 'b', was: 'date', is: 'string' },
      { name: 'c', was: 'url', is: 'string' },
    ]);
    expect(now({ ...typed, b: '' })).toEqual([]);
    expect(drift({ ...BEFORE, name: 'https://x.example/' }).retyped).toEqual([]);
  });

  it('tells what was retyped, where the sample shows it', () => {
    const now = { ...BEFORE, id: '1', tags: ['a'], at: [{ lat: 1 }] };
    expect(drift(now).retyped).toEqual([
      { name: 'id', was: 'integer', is: 'string' },
      { name: 'at', was: 'array of numbers', is: 'array of objects' },
    ]);
    expect(drift({ ...BEFORE, id: 1.5, name: null })).toMatchObject({ retyped: [] });
  });

  it('tells what was reordered', () => {
    expect(drift(BEFORE, ['name', 'id', 'jobs', 'tags', 'at'])).toMatchObject({
      added: [],
      removed: [],
      reordered: ['name', 'id'],
    });
  });

  it('does not call the inside of an array gone that is empty in this sample', () => {
    expect(drift({ ...BEFORE, jobs: [] }).removed).toEqual([]);
  });
});
