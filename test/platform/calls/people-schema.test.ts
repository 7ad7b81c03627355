import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import {
  answer,
  openAt,
  openTestPlatform,
  problemOf,
  type Respond,
  silence,
} from '../test-server.js';

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

const FINE = answer(200, { schema: {}, version: {}, properties: ['lead_id'] });

describe('the check', () => {
  it('asks for the people schema and is content with it', async () => {
    const { platform, server } = await openAt([FINE]);
    await platform.check();
    expect(server.asked).toEqual(['GET /schema/people']);
  });

  it.each<[string, Respond, RegExp]>([
    ['HTML', answer(200, '<!doctype html>'), /without a people schema: "<!doctype/],
    ['other JSON', answer(200, { ok: true }), /without a people schema/],
  ])('says at once what %s means', async (_, respond, message) => {
    const { platform, server } = await openAt([respond]);
    const problem = await problemOf(() => platform.check());
    expect(problem).toMatchObject({ code: 'platform' });
    expect(problem.message).toMatch(message);
    expect(server.asked).toHaveLength(1);
  });

  it.each([404, 405, 410])(
    'shows nothing where the platform answers %d: it may lack the call',
    async (status) => {
      const { platform, server } = await openAt([answer(status, '')]);
      expect(await platform.check()).toBe(false);
      expect(server.asked).toHaveLength(1);
    },
  );

  it.each<[string, Respond]>([
    ['a 5xx', answer(502, '')],
    ['a dropped connection', (request) => request.socket.destroy()],
    ['silence', silence],
  ])('repeats %s three times with growing pauses', async (_, respond) => {
    const { platform, server, clock } = await openAt([respond]);
    expect((await problemOf(() => platform.check())).code).toBe('platform');
    expect(server.asked).toHaveLength(4);
    expect(clock.sleeps).toEqual([1_000, 2_000, 4_000]);
    const recovering = await openAt([respond, respond, FINE]);
    await recovering.platform.check();
    expect(recovering.server.asked).toHaveLength(3);
  });

  it('does not repeat what cannot get better by itself', async () => {
    const { platform, server, clock } = await openAt([FINE]);
    await server.close();
    const problem = await problemOf(() => platform.check());
    expect(problem.message).toMatch(/could not be reached: the connection was refused/);
    expect(clock.sleeps).toEqual([]);
    const nowhere = openTestPlatform('http://nosuchhost.invalid');
    expect((await problemOf(() => nowhere.check())).message).toMatch(/host name/);
    const secure = openTestPlatform((await openAt([FINE])).server.url.replace('http:', 'https:'));
    expect((await problemOf(() => secure.check())).message).toMatch(
      /no secure connection|broke off/,
    );
  });
});
