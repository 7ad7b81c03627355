// Recorded lists and free questions, held against a dialect: what is asked is compared place by place, and what is read
// is told. Of hooks, drafts and the people schema only method and path are compared.
import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { readTranscript } from '../../../src/dialect/transcript/read-transcript.js';
import { checkTranscript } from '../../../src/platform/replay/check-transcript.js';

async function check(dialect: object, transcript: string) {
  const parts = readTranscript(transcript, 'calls.http');
  const { exchanges } = await checkTranscript(dialectSchema.parse(dialect), parts, () => undefined);
  return exchanges.map(({ call, verdict, reads, differences, problems }) => ({
    call,
    verdict,
    told: [...reads, ...problems].join(' | '),
    places: differences.map(({ place }) => place).join(' '),
  }));
}

const FITTING: readonly [string, object, string, string, string][] = [
  [
    'a new list',
    {},
    'POST /contacts/lists\n> {"name": "Q3"}\n< {"list": {"id": "clt_1", "name": "Q3"}}',
    'lists.create',
    'list {"id":"clt_1","name":"Q3"}',
  ],
  [
    'members that are objects',
    {},
    'POST /contacts/lists/clt_1/entities\n> {"entities": [{"email": "a@b.example", "firstName": "Ada"}, {"socialUrl": "https://x.example/in/bob"}]}\n< {"addedCount": 1, "alreadyInList": 1}',
    'lists.add',
    '1 added, 1 in it already',
  ],
  [
    'members that are addresses',
    { lists: { add: { members: 'emails', entities: '.' } } },
    'POST /contacts/lists/clt_1/entities\n> ["a@b.example", "c@d.example"]\n< {}',
    'lists.add',
    '2 added, 0 in it already',
  ],
  [
    'members that are ids',
    { lists: { add: { members: 'contacts', entities: 'ids' } } },
    'POST /contacts/lists/clt_1/entities\n> {"ids": ["con_1", "con_2"]}\n< {"addedCount": 2}',
    'lists.add',
    '2 added, 0 in it already',
  ],
  [
    'a contact that is made for a list',
    { lists: { add: { members: 'contacts', entities: 'ids' }, upsert: {} } },
    'POST /contacts\n> {"email": "a@b.example", "lastName": "Lovelace"}\n< {"_id": "con_1"}',
    'lists.upsert',
    'contact ["con_1"]',
  ],
  [
    'the account',
    { account: { path: '/me', credits: 'left' } },
    'GET /me\n< {"left": "12.5"}',
    'account',
    '12.5 credits',
  ],
  [
    'a free question that is told to wait',
    { account: { path: '/me' } },
    '# expect: throttled\nGET /me\n< 429 {}',
    'account',
    'throttled',
  ],
];

it.each(FITTING)('%s is what the dialect says', async (_, dialect, transcript, call, told) => {
  expect(await check(dialect, `${transcript}\n`)).toEqual([
    { call, verdict: 'ok', told, places: '' },
  ]);
});

it.each([
  ['GET /hooks', 'hooks'],
  ['POST /hooks', 'hooks.add'],
  ['DELETE /hooks/hoo_1', 'hooks.remove'],
  ['GET /inbox/ctc_1/drafts/drf_1?draftOwner=usr_1', 'drafts'],
  ['GET /schema/people', 'peopleSchema'],
])('%s is known by its method and path alone', async (line, call) => {
  expect(await check({}, `${line}\n< {}\n`)).toEqual([
    { call, verdict: 'ok', told: '', places: '' },
  ]);
  const [other] = await check({}, `${line.replace('/', '/v9/')}\n< {}\n`);
  expect(other).toMatchObject({ call: null, verdict: 'wrong' });
});

const FLAWS: readonly [string, object, string, string][] = [
  [
    'the field of a member',
    { lists: { add: { fields: { email: 'mail' } } } },
    'POST /contacts/lists/clt_1/entities\n> {"entities": [{"email": "a@b.example", "firstName": "Ada"}]}\n< {"addedCount": 1}',
    'body.entities[0].email',
  ],
  [
    'the list of members',
    { lists: { add: { entities: 'members' } } },
    'POST /contacts/lists/clt_1/entities\n> {"entities": [{"email": "a@b.example"}]}\n< {"addedCount": 1}',
    'body.members body.entities',
  ],
  [
    'the field of a contact',
    { lists: { add: { members: 'contacts' }, upsert: { fields: { lastName: 'name' } } } },
    'POST /contacts\n> {"email": "a@b.example", "lastName": "Lovelace"}\n< {"id": "con_1"}',
    'body.lastName',
  ],
];

describe('a dialect that does not fit', () => {
  it.each(FLAWS)('in %s is told the place', async (_, dialect, transcript, places) => {
    const [found] = await check(dialect, `${transcript}\n`);
    expect(found).toMatchObject({ verdict: 'wrong', places });
  });

  it.each([
    ['a balance', { account: { path: '/me', credits: 'left' } }, 'GET /me\n< {}', 'credits'],
  ])('in the place of %s is told so', async (_, dialect, transcript, word) => {
    const [found] = await check(dialect, `${transcript}\n`);
    expect(found?.verdict).toBe('wrong');
    expect(found?.told).toContain(`without a ${word === 'credits' ? 'number of credits' : word}`);
  });
});
