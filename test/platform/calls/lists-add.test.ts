import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import type { ListMember } from '../../../src/model/resources/contact-list.js';
import { answer, cut, openAt as openTest, problemOf, type Respond } from '../test-server.js';

const ADA: ListMember = {
  email: 'ada@engines.example',
  firstName: 'Ada',
  lastName: 'Lovelace',
  socialUrl: 'https://s.example/in/adal',
  companyName: 'Engines "&" Söhne',
};
const BOB: ListMember = { email: 'bob@bolts.example', companyName: '' };
const CY: ListMember = { firstName: 'Cyrille', socialUrl: 'https://s.example/in/cyan' };
const THREE = [ADA, BOB, CY];
const PERSONS = /ada|lovelace|engines|bob|bolts|cyrille|cyan/i;

async function openAt(...asked: Parameters<typeof openTest>) {
  const opened = await openTest(...asked);
  const bodies = () => opened.server.bodies.map(({ text }): unknown => JSON.parse(text));
  return { ...opened, bodies };
}

const lists = (section: object) => ({ dialect: dialectSchema.parse({ lists: section }) });

describe('adding to a list', () => {
  it('is a POST of what is known of each member', async () => {
    const { server, platform, bodies } = await openAt(
      answer(200, { message: 'ok', addedCount: 1, alreadyInList: 2 }),
    );
    expect(await platform.addToList('clt_1/..', THREE)).toEqual({ added: 1, alreadyIn: 2 });
    expect(server.asked).toEqual(['POST /contacts/lists/clt_1%2F../entities']);
    expect(server.bodies[0]?.type).toBe('application/json');
    expect(bodies()).toEqual([{ entities: [ADA, { email: BOB.email }, CY] }]);
  });

  it.each<[string, unknown, object]>([
    ['numbers', { addedCount: 2, alreadyInList: 1 }, { added: 2, alreadyIn: 1 }],
    ['none', { addedCount: 0, alreadyInList: 3 }, { added: 0, alreadyIn: 3 }],
    ['lists', { addedCount: [1, 2], alreadyInList: ['x'] }, { added: 2, alreadyIn: 1 }],
    ['no count at all', { message: 'ok' }, { added: 3, alreadyIn: 0 }],
    ['only who was in', { alreadyInList: 1 }, { added: 2, alreadyIn: 1 }],
    ['more in than were sent', { alreadyInList: 9 }, { added: 0, alreadyIn: 9 }],
    ['counts that are none', { addedCount: true, alreadyInList: -1 }, { added: 3, alreadyIn: 0 }],
    ['an error that says nothing', { error: null }, { added: 3, alreadyIn: 0 }],
    ['counts beside an error', { addedCount: 2, error: 'one is bad' }, { added: 2, alreadyIn: 0 }],
    ['nothing', '', { added: 3, alreadyIn: 0 }],
  ])('is counted from an answer with %s', async (_, body, expected) => {
    const { platform } = await openAt(answer(200, body));
    expect(await platform.addToList('clt_1', THREE)).toEqual(expected);
  });

  it('sends nothing where there is no member, and refuses more than one call takes', async () => {
    const { server, platform } = await openAt(answer(200, {}));
    expect(await platform.addToList('clt_1', [])).toEqual({ added: 0, alreadyIn: 0 });
    expect(await platform.addToList('clt_1', [{}, { email: '' }])).toEqual({
      added: 0,
      alreadyIn: 0,
    });
    expect(platform.listAddMax).toBe(1_000);
    const small = await openAt(answer(200, {}), lists({ add: { max: 2 } }));
    expect(small.platform.listAddMax).toBe(2);
    await expect(small.platform.addToList('clt_1', THREE)).rejects.toThrow('at most 2 members');
    expect([...server.asked, ...small.server.asked]).toEqual([]);
  });

  it('is repeated after an answer that breaks off, with pauses, and given up after the fourth', async () => {
    const done = answer(200, { addedCount: 3 });
    const well = await openAt([cut, cut, done]);
    expect(await well.platform.addToList('clt_1', THREE)).toEqual({ added: 3, alreadyIn: 0 });
    expect(well.clock.sleeps).toEqual([1_000, 2_000]);
    expect(new Set(well.bodies().map((body) => JSON.stringify(body))).size).toBe(1);
    const { server, clock, platform } = await openAt(cut);
    expect((await problemOf(() => platform.addToList('clt_1', THREE))).code).toBe('platform');
    expect(server.asked).toHaveLength(4);
    expect(clock.sleeps).toEqual([1_000, 2_000, 4_000]);
  });

  it.each<[string, Respond, RegExp]>([
    ['404', answer(404, ''), /^The platform has no list clt_1 \(404\)\. Check its id\.$/],
    [
      '409',
      answer(409, { error: 'The list is dynamic.' }),
      /^With this call the platform added no person to the list clt_1 \(409: The list is dynamic\.?\)\. If .*static one\.$/,
    ],
    ['400', answer(400, 'bad entity'), /added no person to the list clt_1 \(400: bad entity\)/],
    [
      '200 with an error',
      answer(200, { error: 'full' }),
      /no person to the list clt_1 \(200: full\)/,
    ],
    [
      '200 with an error and no reason',
      answer(200, { error: true }),
      /list clt_1 \(200: the platform gave no reason\)/,
    ],
    ['405', answer(405, ''), /does not offer .*\/contacts\/lists\/clt_1\/entities/],
    ['HTML', answer(200, '<html>'), /answered 200 without saying that people were added: "<html>"/],
  ])('throws at once for %s, saying what failed', async (_, respond, message) => {
    const { server, platform } = await openAt(respond);
    const problem = await problemOf(() => platform.addToList('clt_1', THREE));
    expect(problem.code).toBe('platform');
    expect(problem.message).toMatch(message);
    expect(server.asked).toHaveLength(1);
  });

  it('never repeats a member in an error', async () => {
    const error = `Ada Lovelace, ${BOB.email}, ${CY.socialUrl}`;
    for (const status of [200, 400, 401, 404, 500]) {
      const { platform } = await openAt(answer(status, { error }));
      const problem = await problemOf(() => platform.addToList('clt_1', THREE));
      expect(problem.message).toContain('[…]');
      expect(problem.message).not.toMatch(PERSONS);
    }
  });
});

describe('a dialect can say', () => {
  it('other names and places', async () => {
    const add = {
      path: '/groups/members?group={listId}',
      entities: 'batch.people',
      fields: { email: 'contact.mail', firstName: 'contact.first' },
      added: 'stats.new',
      alreadyIn: 'stats.old',
      error: 'why',
    };
    const { server, platform, bodies } = await openAt(
      [answer(200, { stats: { new: 1, old: 1 } }), answer(200, { why: 'x' })],
      lists({ add }),
    );
    const known = [{ email: 'a@b.example', firstName: 'A', lastName: 'B' }, CY];
    expect(await platform.addToList('g 1', known)).toEqual({ added: 1, alreadyIn: 1 });
    expect(server.asked).toEqual(['POST /groups/members?group=g%201']);
    const people = [
      { contact: { mail: 'a@b.example', first: 'A' }, lastName: 'B' },
      { contact: { first: 'Cyrille' }, socialUrl: CY.socialUrl },
    ];
    expect(bodies()).toEqual([{ batch: { people } }]);
    const refused = await problemOf(() => platform.addToList('g 1', known));
    expect(refused.message).toContain('added no person to the list g 1 (200: x)');
  });

  it('that members are e-mails, and leaves out who has none', async () => {
    const { platform, server, bodies } = await openAt(
      answer(200, {}),
      lists({ add: { members: 'emails', entities: '.' } }),
    );
    expect(await platform.addToList('c', THREE)).toEqual({ added: 2, alreadyIn: 0 });
    expect(bodies()).toEqual([[ADA.email, BOB.email]]);
    expect(await platform.addToList('c', [CY])).toEqual({ added: 0, alreadyIn: 0 });
    expect(server.asked).toHaveLength(1);
  });
});

describe('members as ids of contacts', () => {
  const dialect = lists({
    add: { members: 'contacts', entities: 'ids' },
    upsert: { path: '/people', fields: { email: 'mail' }, id: 'contact.id' },
  });
  const contact = (id: unknown) => answer(200, { contact: { id } });

  it('are asked for one by one, then added, each once', async () => {
    const { server, platform, bodies } = await openAt(
      [contact('con_1'), contact(2), contact('con_1'), answer(200, {})],
      dialect,
    );
    const known = [ADA, {}, BOB, CY];
    expect(await platform.addToList('clt_1', known)).toEqual({ added: 2, alreadyIn: 0 });
    const upsert = 'POST /people';
    expect(server.asked).toEqual([upsert, upsert, upsert, 'POST /contacts/lists/clt_1/entities']);
    const { email, ...rest } = ADA;
    expect(bodies()).toEqual([
      { mail: email, ...rest },
      { mail: BOB.email },
      CY,
      { ids: ['con_1', '2'] },
    ]);
  });

  it('leave out whom the platform refuses, unless it refuses all', async () => {
    const refused = answer(422, { error: `nothing known of ${ADA.firstName} ${CY.firstName}` });
    const some = await openAt([refused, contact('con_2'), refused, answer(200, {})], dialect);
    expect(await some.platform.addToList('clt_1', THREE)).toEqual({ added: 1, alreadyIn: 0 });
    expect(some.bodies().at(-1)).toEqual({ ids: ['con_2'] });
    const all = await openAt(refused, dialect);
    const problem = await problemOf(() => all.platform.addToList('clt_1', THREE));
    expect(problem.message).toContain('422: nothing known of Ada […].');
    expect(all.server.asked).toHaveLength(3);
  });

  it.each<[string, Respond, RegExp]>([
    ['404', answer(404, ''), /does not offer .*\/people/],
    ['no id', answer(200, { contact: {} }), /answered 200 without the id of a contact/],
  ])('end with the first %s', async (_, respond, message) => {
    const { server, platform } = await openAt(respond, dialect);
    const problem = await problemOf(() => platform.addToList('clt_1', THREE));
    expect(problem.message).toMatch(message);
    expect(server.asked).toHaveLength(1);
  });
});
