// Recorded hooks, lists, drafts and free questions, held against a dialect: what is asked is compared place by place, and
// what is read is told.
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

const HOOK = '{"_id": "hoo_1", "targetUrl": "https://us.example/hook", "type": "emailsSent"}';
const HOOK_TOLD = '{"id":"hoo_1","targetUrl":"https://us.example/hook","type":"emailsSent"}';
const DRAFT = '{"draft": {"_id": "drf_1", "subject": "Hello"}}';

const FITTING: readonly [string, object, string, string, string][] = [
  [
    'a new hook',
    {},
    `POST /hooks?campaignId=cam_1&isFirst=true\n> {"targetUrl": "https://us.example/hook", "type": "emailsSent", "secret": "…"}\n< ${HOOK}`,
    'hooks.add',
    `hook ${HOOK_TOLD}`,
  ],
  ['the hooks', {}, `GET /hooks\n< [${HOOK}]`, 'hooks', `1 hook, the first ${HOOK_TOLD}`],
  ['a hook that is removed', {}, 'DELETE /hooks/hoo_1\n< {}', 'hooks.remove', 'removed'],
  [
    'a hook that is not there',
    {},
    '# expect: unknown\nDELETE /hooks/hoo_1\n< 404 {}',
    'hooks.remove',
    'unknown',
  ],
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
    'a draft',
    {},
    `GET /inbox/ctc_1/drafts/drf_1?draftOwner=usr_1\n< ${DRAFT}`,
    'drafts',
    'draft {"id":"drf_1","subject":"Hello","cc":[],"attachments":[]}',
  ],
  [
    'the account',
    { account: { path: '/me', credits: 'left' } },
    'GET /me\n< {"left": "12.5"}',
    'account',
    '12.5 credits',
  ],
  [
    'the people schema',
    {},
    'GET /schema/people\n< {"schema": {"name": "Ada"}, "properties": ["name"], "version": {"since": 20260101, "type": "beta"}}',
    'peopleSchema',
    'a schema of 1 field, beta since 20260101',
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
    ['a hook', {}, 'POST /hooks\n> {}\n< {"hook": {}}', 'hook'],
    ['a balance', { account: { path: '/me', credits: 'left' } }, 'GET /me\n< {}', 'credits'],
    ['a draft', {}, 'GET /inbox/c/drafts/d\n< {}', 'draft'],
  ])('in the place of %s is told so', async (_, dialect, transcript, word) => {
    const [found] = await check(dialect, `${transcript}\n`);
    expect(found?.verdict).toBe('wrong');
    expect(found?.told).toContain(`without a ${word === 'credits' ? 'number of credits' : word}`);
  });
});
