import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { answer, openAt, problemOf } from '../test-server.js';

const RECORD = { lead_id: 7, skills: [{ skill: 'x' }] };
const PROPERTIES = ['lead_id', 'skills'];
const WIRE = {
  schema: RECORD,
  version: { since: 20_240_101, type: 'date' },
  properties: PROPERTIES,
};

describe('the people schema', () => {
  it('is a sample record, the names of its fields in their order, and a version', async () => {
    const { server, platform } = await openAt(answer(200, WIRE));
    expect(await platform.readPeopleSchema()).toEqual(WIRE);
    expect(server.asked).toEqual(['GET /schema/people']);
  });

  it.each<[string, unknown]>([
    ['no version', undefined],
    ['a version of another kind', 'v2'],
    ['a version without a type', { since: 20_240_101 }],
    ['a version without a date', { type: 'date' }],
    ['a version since no number', { since: 'soon', type: 'date' }],
  ])('with %s has none', async (_, version) => {
    const { platform } = await openAt(answer(200, { ...WIRE, version }));
    expect(await platform.readPeopleSchema()).toEqual({ ...WIRE, version: undefined });
  });

  it.each<[string, object]>([
    ['no record', { schema: undefined }],
    ['a record that is a list', { schema: [] }],
    ['no names', { properties: undefined }],
    ['names that are an object', { properties: { 0: 'lead_id' } }],
    ['a name that is no text', { properties: ['lead_id', 7] }],
  ])('with %s is refused, not guessed', async (_, change) => {
    const { server, platform } = await openAt(answer(200, { ...WIRE, ...change }));
    const problem = await problemOf(() => platform.readPeopleSchema());
    expect(problem.code).toBe('platform');
    expect(problem.message).toMatch(/answered 200 without a people schema: ".*Check the base/);
    expect(server.asked).toHaveLength(1);
  });

  it('is found where the dialect says, also by the check', async () => {
    const dialect = dialectSchema.parse({
      peopleSchema: { path: '/fields' },
    });
    const { server, platform } = await openAt([answer(200, WIRE), answer(200, WIRE)], { dialect });
    expect(await platform.readPeopleSchema()).toEqual(WIRE);
    await platform.check();
    expect(new Set(server.asked)).toEqual(new Set(['GET /fields']));
  });
});
