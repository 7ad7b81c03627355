import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { answer, openAt as openTest, problemOf, type Respond } from '../test-server.js';

const OWNER = 'grace+x@navy.example';
const TOLD = {
  channel: 'email',
  subject: 'Hello',
  cc: [{ address: 'x@y.example' }, 'z@y.example'],
  content: '<p>Hi</p>',
  attachments: [7],
  source: 'api',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-02T00:00:00Z',
};

async function openAt(...asked: Parameters<typeof openTest>) {
  const opened = await openTest(...asked);
  return { ...opened, read: () => opened.platform.readDraft('con/1', 'drf_?', OWNER) };
}

describe('a draft', () => {
  it('is read at its two encoded ids, for its owner', async () => {
    const { server, read } = await openAt(answer(200, { draft: { _id: 'drf_1', ...TOLD } }));
    expect(await read()).toEqual({ id: 'drf_1', ...TOLD });
    expect(server.asked).toEqual([
      'GET /inbox/con%2F1/drafts/drf_%3F?draftOwner=grace%2Bx%40navy.example',
    ]);
  });

  it('keeps two ids apart that look like placeholders', async () => {
    const { server, platform } = await openAt(answer(404, ''));
    await problemOf(() => platform.readDraft('{draftId}', '{contactId}', 'usr_1'));
    expect(server.asked).toEqual([
      'GET /inbox/%7BdraftId%7D/drafts/%7BcontactId%7D?draftOwner=usr_1',
    ]);
  });

  it('is without what is nested so deeply that it could not be written again', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const body = `{"draft":{"_id":"drf_1","cc":[${deep},"z@y.example"],"attachments":[${deep}]}}`;
    const draft = await (await openAt(answer(200, body))).read();
    expect(JSON.parse(JSON.stringify(draft))).toEqual({
      id: 'drf_1',
      cc: ['z@y.example'],
      attachments: [],
    });
  });

  it('may lack everything but its id, and is never guessed', async () => {
    const none = { channel: undefined, subject: undefined, content: undefined, source: undefined };
    const bare = { ...none, createdAt: undefined, updatedAt: undefined, cc: [], attachments: [] };
    const odd = { _id: 'drf_1', channel: 7, subject: null, cc: 'x@y.example', attachments: {} };
    for (const draft of [{ _id: 'drf_1' }, odd]) {
      expect(await (await openAt(answer(200, { draft }))).read()).toEqual({ id: 'drf_1', ...bare });
    }
  });

  it('is found where the dialect says', async () => {
    const dialect = dialectSchema.parse({
      prefix: '/v2',
      drafts: { path: '/drafts/{draftId}?of={contactId}' },
    });
    const { server, read } = await openAt(answer(200, { draft: { _id: 'd' } }), { dialect });
    expect(await read()).toMatchObject({ id: 'd' });
    expect(server.asked).toEqual([
      'GET /v2/drafts/drf_%3F?of=con%2F1&draftOwner=grace%2Bx%40navy.example',
    ]);
  });

  it.each<[string, Respond, RegExp]>([
    [
      '404',
      answer(404, { error: `no user ${OWNER}` }),
      /^The platform has no draft drf_\? of the contact con\/1 \(404: no user \[…\]\)\. Check both ids; the owner must be a user of the account's team\.$/,
    ],
    ['401', answer(401, OWNER), /refused the credentials \(401: \[…\]\).*SLUICE_USERNAME/],
    ['403', answer(403, ''), /does not show .* \(403\)\. The owner .* SLUICE_USERNAME/],
    ['another shape', answer(200, { _id: 'drf_1' }), /answered 200 without a draft/],
    ['a draft without an id', answer(200, { draft: TOLD }), /answered 200 without a draft/],
  ])('%s ends it at once, without naming the owner', async (_, respond, message) => {
    const { server, read } = await openAt(respond);
    const problem = await problemOf(read);
    expect(problem.code).toBe('platform');
    expect(problem.message).toMatch(message);
    expect(problem.message).not.toMatch(/grace|navy/);
    expect(server.asked).toHaveLength(1);
  });

  it('hides an owner who is told as a user id as well', async () => {
    const { platform } = await openAt(answer(404, 'no usr_4711 here'));
    const problem = await problemOf(() => platform.readDraft('c', 'd', 'usr_4711'));
    expect(problem.message).toContain('404: no […] here');
  });

  it('is asked for again after a 5xx, a lost answer and a 429', async () => {
    const { server, read } = await openAt([
      answer(500, ''),
      (request) => request.socket.destroy(),
      answer(429, '', { 'retry-after': '1' }),
      answer(200, { draft: { _id: 'drf_1' } }),
    ]);
    expect((await read()).id).toBe('drf_1');
    expect(server.asked).toHaveLength(4);
    const down = await openAt(answer(503, ''));
    expect((await problemOf(down.read)).message).toContain('answered with an error: 503');
    expect(down.clock.sleeps).toEqual([1_000, 2_000, 4_000]);
  });
});
