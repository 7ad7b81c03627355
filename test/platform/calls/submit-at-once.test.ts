import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import type { BulkItem } from '../../../src/ports/platform.js';
import { answer, openTestPlatform, openTestServer, permitOf } from '../test-server.js';

const REQUEST = {
  ask: ['find_email'],
  inputs: { firstName: 'Ada', companyDomain: 'a.example' },
} as const;
const SUBMIT = {
  entries: ['person', '.'],
  blocks: '.',
  notFound: [
    { status: 404, word: 'nobody' },
    { at: 'state', values: ['none'] },
  ],
  failed: [{ at: 'state', values: ['broken'] }],
  pending: [{ at: 'state', values: ['searching'] }],
};
const MAIL = { find_email: { email: 'ada@a.example' } };

async function openWith(file: object, status: number, body: unknown) {
  const server = await openTestServer(answer(status, body));
  const dialect = dialectSchema.parse({ answer: { submit: SUBMIT }, ...file });
  const platform = openTestPlatform(server.url, { dialect });
  return { platform, server };
}

const ALWAYS = { enrich: { result: 'always', ticket: [] }, result: null };
const MAYBE = { enrich: { result: 'maybe' } };

describe('an answer to a submission that may have the result', () => {
  const own = expect.stringMatching(/^at once [\w-]{16}$/) as string;
  const took = (result: object) => ({ kind: 'accepted', ticket: own, isOwn: true, result });
  const ticketed = (more: object = {}) => ({ kind: 'accepted', ticket: 'e-1', ...more });
  const refused = (reason: string) => ({ kind: 'refused', reason });
  const ENDED = { kind: 'unsent', isFinal: true };
  const QUOTA = { ...ALWAYS, errors: { outOfCredits: [{ status: 200, word: 'quota' }] } };
  const UNREAD = { lack: 'unread', unread: ['mail'] };
  it.each<[string, object, number, unknown, object]>([
    ['has it', ALWAYS, 200, MAIL, took({ kind: 'done', result: MAIL })],
    [
      'has it beside a ticket',
      MAYBE,
      200,
      { id: 'e-1', ...MAIL },
      ticketed({ result: { result: MAIL } }),
    ],
    ['says that there is none', ALWAYS, 200, { state: 'none' }, took({ result: {}, isMiss: true })],
    ['says so by its status', ALWAYS, 404, { error: 'Nobody is known' }, took({ isMiss: true })],
    ['means another thing by that status', ALWAYS, 404, { error: 'no such path' }, ENDED],
    ['is empty', ALWAYS, 200, {}, took({ result: {} })],
    ['holds what cannot be read', ALWAYS, 200, { mail: 'x@a.example' }, took({ odd: UNREAD })],
    [
      'says that it failed',
      ALWAYS,
      200,
      { state: 'broken', error: 'no source' },
      refused('no source'),
    ],
    ['waits with a ticket', MAYBE, 200, { id: 'e-1', state: 'searching' }, ticketed()],
    ['is empty beside a ticket', MAYBE, 200, { id: 'e-1' }, ticketed()],
    ['waits without a ticket', ALWAYS, 200, { state: 'searching' }, { kind: 'uncertain' }],
    ['is no JSON', ALWAYS, 200, '<html>', { kind: 'uncertain' }],
    ['breaks down', ALWAYS, 500, MAIL, { kind: 'uncertain' }],
    ['is out of credits', ALWAYS, 402, { error: 'buy more' }, ENDED],
    ['is out of credits under 200', QUOTA, 200, { info: 'quota used up' }, ENDED],
    ['is refused', ALWAYS, 422, { error: 'no name' }, refused('no name')],
  ])('%s', async (_, file, status, body, expected) => {
    const { platform } = await openWith(file, status, body);
    const told = await platform.submit(REQUEST, await permitOf(platform), { key: 'k' });
    expect(told).toMatchObject(expected);
    if (!('result' in expected)) expect(told).not.toHaveProperty('result');
  });

  it('is read again from what was kept, and its own ticket is asked for nowhere', async () => {
    const { platform, server } = await openWith(ALWAYS, 200, MAIL);
    const told = await platform.submit(REQUEST, await permitOf(platform), { key: 'k' });
    const ticket = told.kind === 'accepted' ? told.ticket : '';
    expect(platform.reread(ticket, JSON.stringify(MAIL))).toMatchObject({ result: MAIL });
    expect(await platform.read(ticket, await permitOf(platform))).toEqual({ kind: 'unknown' });
    expect(server.asked).toHaveLength(1);
  });
});

const ITEMS: BulkItem[] = ['ada', 'bob', 'cy'].map((key) => ({ request: REQUEST, key }));
const BULK = {
  match: 'order',
  metadata: null,
  result: 'always',
  answer: { ticket: [], metadata: [] },
};
const own = expect.stringMatching(/^at once in bulk [\w-]{16}$/) as string;

describe('the answer to a bulk call that has the results', () => {
  it.each<[string, object, unknown, object[]]>([
    [
      'in the order of the items; null is a miss',
      BULK,
      [MAIL, null, { state: 'broken', error: 'no source' }],
      [
        { kind: 'accepted', ticket: own, isOwn: true, result: { result: MAIL } },
        { kind: 'accepted', isOwn: true, result: { result: {} } },
        { kind: 'refused', reason: 'no source' },
      ],
    ],
    [
      'one too few: none is given to another',
      BULK,
      [MAIL, MAIL],
      [{ kind: 'uncertain' }, { kind: 'uncertain' }, { kind: 'uncertain' }],
    ],
    [
      'under the metadata of each',
      { result: 'always', answer: { ticket: [] } },
      [
        { metadata: 'cy', ...MAIL },
        { metadata: 'ada', state: 'none', error: { code: 1 } },
        { metadata: 'bob', error: 'no name' },
      ],
      [
        { kind: 'accepted', result: { isMiss: true } },
        { kind: 'refused', reason: 'no name' },
        { kind: 'accepted', result: { result: MAIL } },
      ],
    ],
  ])('%s', async (_, bulk, body, expected) => {
    const { platform } = await openWith({ bulk, result: null }, 200, body);
    const told = await platform.submitMany(ITEMS, await permitOf(platform));
    expect(told).toMatchObject({ kind: 'answered', items: expected });
  });

  it('keeps of an answer that cannot be read the part of the item alone', async () => {
    const { platform } = await openWith({ bulk: BULK, result: null }, 200, [
      MAIL,
      { x: 'bob' },
      MAIL,
    ]);
    const told = await platform.submitMany(ITEMS, await permitOf(platform));
    const bob = told.kind === 'answered' ? told.items[1] : undefined;
    if (bob?.kind !== 'accepted') throw new Error('bob was accepted');
    expect(bob.result?.odd?.body).toBe('{"x":"bob"}');
    expect(platform.reread(bob.ticket, '{"find_email":{"email":"b@a.example"}}')).toMatchObject({
      result: { find_email: { email: 'b@a.example' } },
    });
  });
});

describe('the result of a bulk call whose entries are told apart by their order', () => {
  const SHARED = {
    bulk: { match: 'order', metadata: null, answer: { batchTicket: 'batch', metadata: [] } },
    answer: { read: { blocks: '.' } },
  };
  it.each<[string, unknown, object]>([
    ['has the entry in its place', { data: [{}, MAIL, {}] }, { kind: 'done', result: MAIL }],
    [
      'has another number of entries',
      { data: [MAIL, MAIL] },
      { kind: 'unavailable', isFinal: false },
    ],
    ['has a place of nothing', { data: [MAIL, null, MAIL] }, { kind: 'done', result: {} }],
  ])('%s', async (_, body, expected) => {
    const { platform, server } = await openWith(SHARED, 200, { batch: 'b-7' });
    const told = await platform.submitMany(ITEMS, await permitOf(platform));
    const tickets = told.kind === 'answered' ? told.items : [];
    expect(tickets).toMatchObject(
      ['b-7~1of3', 'b-7~2of3', 'b-7~3of3'].map((ticket) => ({ ticket })),
    );
    const next = await openWith(SHARED, 200, body);
    expect(await next.platform.read('b-7~2of3', await permitOf(next.platform))).toMatchObject(
      expected,
    );
    expect([...server.asked, ...next.server.asked]).toEqual([
      'POST /enrich/bulk',
      'GET /enrich/b-7',
    ]);
  });
});
