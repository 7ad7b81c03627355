import { describe, expect, it } from 'vitest';
import type { PeopleSchema } from '../../../src/model/resources/resources.js';
import {
  compareFields,
  documentedFields,
  hasDrifted,
  reportedFields,
} from '../../../src/model/resources/schema-drift.js';
import type { JsonObject } from '../../../src/model/text/json.js';
import { SAMPLE_PERSON } from '../../../src/sandbox/routes/people-schema.js';

function told(schema: JsonObject, properties = Object.keys(schema)): PeopleSchema {
  return { schema, properties, version: undefined };
}

const BEFORE = { id: 1, name: 'x', jobs: [{ title: 'x', from: 2 }], tags: [], at: [1.5, 2] };

function drift(now: JsonObject, properties?: string[]) {
  return compareFields(reportedFields(told(BEFORE)), reportedFields(told(now, properties)));
}

describe('the schema of the people database', () => {
  it('has not drifted in the sandbox', () => {
    const person = SAMPLE_PERSON as unknown as JsonObject;
    expect(hasDrifted(compareFields(documentedFields(), reportedFields(told(person))))).toBe(false);
  });

  it('has not drifted from itself', () => {
    expect(hasDrifted(drift(BEFORE))).toBe(false);
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
    });
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

  it('does not repeat the inside of what came or went', () => {
    const { jobs: _, ...without } = BEFORE;
    expect(drift(without).removed.map(({ name }) => name)).toEqual(['jobs']);
    expect(drift({ ...BEFORE, more: [{ a: 1 }] }).added.map(({ name }) => name)).toEqual(['more']);
  });
});
