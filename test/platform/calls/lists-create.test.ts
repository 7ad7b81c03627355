import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import type { HttpPlatformOptions } from '../../../src/platform/http-platform.js';
import { answer, openAt, permitOf, type Respond, silence } from '../test-server.js';

const NAME = 'Büros "Nord" \ud83d';
const LIST = { id: 'clt_1', name: 'Büros "Nord" \ufffd' };

async function createAt(respond: Respond, options: Partial<HttpPlatformOptions> = {}) {
  const opened = await openAt(respond, options);
  const { platform } = opened;
  return { ...opened, outcome: await platform.createList(NAME, await permitOf(platform)) };
}

describe('a new list', () => {
  it('is a POST of its name, and comes back with its id', async () => {
    const { server, platform, outcome } = await createAt(
      answer(200, { message: 'done', list: LIST }),
      { concurrency: 1 },
    );
    expect(outcome).toEqual({ kind: 'created', list: LIST });
    expect(server.asked).toEqual(['POST /contacts/lists']);
    const [body] = server.bodies;
    expect(body?.type).toBe('application/json');
    expect(JSON.parse(body?.text ?? '')).toEqual({ name: LIST.name });
    expect(await platform.reserve('submit', 1)).toHaveLength(1);
  });

  it('has the name that was asked for, where none is told', async () => {
    for (const name of [undefined, '', 7]) {
      const { outcome } = await createAt(answer(201, { list: { id: 'clt_1', name } }));
      expect(outcome).toEqual({ kind: 'created', list: { id: 'clt_1', name: NAME } });
    }
  });

  it('follows the dialect', async () => {
    const dialect = dialectSchema.parse({
      prefix: '/v2',
      lists: { create: { path: '/groups' } },
    });
    const { server, outcome } = await createAt(answer(200, { list: LIST }), { dialect });
    expect(outcome).toEqual({ kind: 'created', list: LIST });
    expect(server.asked).toEqual(['POST /v2/groups']);
  });

  it('is there, whatever words stand beside it', async () => {
    const dialect = dialectSchema.parse({
      limits: { throttled: [{ status: 200, word: 'slow down' }] },
    });
    const told = async (body: object) =>
      (await createAt(answer(200, { message: 'slow down', ...body }), { dialect })).outcome.kind;
    expect(await told({ list: LIST })).toBe('created');
    expect(await told({})).toBe('throttled');
  });

  it.each<[string, Respond, object]>([
    ['400', answer(400, { error: 'too long' }), { kind: 'refused', reason: 'too long' }],
    ['401', answer(401, ''), { kind: 'unsent', isFinal: true }],
    ['500', answer(500, { list: LIST }), { kind: 'uncertain' }],
    ['silence', silence, { kind: 'uncertain' }],
    [
      'HTML',
      answer(200, '<html>'),
      {
        kind: 'uncertain',
        reason: 'the platform answered 200 without the id of a list: "<html>"',
        problem: { message: expect.stringContaining('Check the base address and the dialect.') },
      },
    ],
    ['a list without an id', answer(200, { list: { name: 'x' } }), { kind: 'uncertain' }],
    [
      '429',
      answer(429, '', { 'retry-after': '9' }),
      { kind: 'throttled', problem: { message: expect.stringContaining('429') } },
    ],
  ])('is sent once, and judged like a paid request: %s', async (_, respond, expected) => {
    const { server, outcome } = await createAt(respond);
    expect(outcome).toMatchObject(expected);
    expect(server.asked).toHaveLength(1);
  });
});
