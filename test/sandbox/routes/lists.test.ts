import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tempFolder } from '../../helpers/temp-folder.js';
import { startSandbox, type TestSandbox } from '../start-sandbox.js';

const CREATED = z.object({
  message: z.string(),
  list: z.object({ id: z.string(), name: z.string() }),
});
const LISTS = z.array(
  z.strictObject({
    id: z.string(),
    name: z.string(),
    kind: z.string(),
    membersCount: z.number(),
    members: z.array(z.record(z.string(), z.string())),
  }),
);
const JANE = { email: 'Jane@Acme.com', firstName: 'Jane', lastName: 'Doe' };

async function create(sandbox: TestSandbox, name = 'Found'): Promise<string> {
  const answer = await sandbox.send('POST', '/contacts/lists', { name });
  expect(answer.status).toBe(200);
  return CREATED.parse(await answer.json()).list.id;
}

async function add(
  sandbox: TestSandbox,
  id: string,
  entities: readonly object[],
): Promise<unknown> {
  const answer = await sandbox.send('POST', `/contacts/lists/${id}/entities`, { entities });
  expect(answer.status).toBe(200);
  return answer.json();
}

async function readLists(sandbox: TestSandbox) {
  return LISTS.parse(await (await fetch(`${sandbox.url}/sandbox/lists`)).json());
}

describe('POST /contacts/lists', () => {
  it('creates a list each time, also under the same name', async () => {
    const sandbox = await startSandbox();
    const answer = await sandbox.send('POST', '/contacts/lists', { name: ' Löwen & Söhne ' });
    const id = expect.stringMatching(/^clt_[0-9a-f]{24}$/);
    const body = CREATED.strict().parse(await answer.json());
    expect(body.list).toEqual({ id, name: ' Löwen & Söhne ' });
    expect(body.message).toMatch(/\.$/);
    const again = await create(sandbox, ' Löwen & Söhne ');
    expect(again).not.toBe(body.list.id);
    expect(sandbox.ledger.summary()).toMatchObject({ lists: 2, members: 0, requests: 2 });
    expect((await readLists(sandbox)).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'dynamic Replied this quarter',
      'static  Löwen & Söhne ',
      'static  Löwen & Söhne ',
    ]);
  });

  it.each([
    ['1 character', 'x'],
    ['200 characters', 'x'.repeat(200)],
    ['100 emoji, each of two UTF-16 units', '🚀'.repeat(100)],
  ])('takes a name of %s', async (_case, name) => {
    await create(await startSandbox(), name);
  });

  it.each([
    ['no name', {}, 'The body must be an object {"name": "…"}'],
    ['a name that is no text', { name: 5 }, 'The body must be an object'],
    ['a name of null', { name: null }, 'The body must be an object'],
    ['another key', { name: 'x', type: 'dynamic' }, 'The body must be an object'],
    ['no object', ['x'], 'The body must be an object'],
    ['an empty name', { name: '' }, 'The value of name is blank.'],
    ['a blank name', { name: ' \n' }, 'The value of name is blank.'],
    ['201 characters', { name: 'x'.repeat(201) }, 'name is longer than 200 characters'],
    [
      '101 emoji, as the client counts',
      { name: '🚀'.repeat(101) },
      'name is longer than 200 characters',
    ],
  ])('refuses %s', async (_case, body, sentence) => {
    const sandbox = await startSandbox();
    const answer = await sandbox.send('POST', '/contacts/lists', body);
    expect(await answer.json()).toEqual({ error: expect.stringContaining(sentence) });
    expect(answer.status).toBe(400);
    expect(sandbox.ledger.summary().lists).toBe(0);
  });

  it('is not undone by a lost answer', async () => {
    const sandbox = await startSandbox({ faults: { 'drop-after': 1 } });
    await expect(sandbox.send('POST', '/contacts/lists', { name: 'x' })).rejects.toThrow();
    expect(sandbox.ledger.summary().lists).toBe(1);
  });
});

describe('POST /contacts/lists/{listId}/entities', () => {
  it('counts who is new and who was in, by e-mail, profile, or name and company', async () => {
    const sandbox = await startSandbox();
    const id = await create(sandbox);
    const socialUrl = 'https://social.example/in/ada';
    const ada = { firstName: 'Ada', lastName: 'Byron', companyName: 'Engines' };
    const first = [JANE, { socialUrl }, ada, { firstName: 'Ada', lastName: 'Byron' }];
    expect(await add(sandbox, id, first)).toEqual({
      message: expect.stringMatching(/\.$/),
      addedCount: 4,
      alreadyInList: 0,
    });
    const second = [
      { email: ' jane@acme.COM', companyName: 'Other' },
      { socialUrl: socialUrl.toUpperCase(), firstName: 'A' },
      { ...ada, firstName: 'ADA', lastName: ' Byron ', email: ' ' },
      { ...ada, companyName: 'Engines 2' },
      { ...ada, companyName: 'engines  2' },
      { ...JANE, email: 'jane@other.example' },
    ];
    expect(await add(sandbox, id, second)).toMatchObject({ addedCount: 2, alreadyInList: 4 });
    expect(sandbox.ledger.summary()).toMatchObject({ lists: 1, members: 6 });
    const [, list] = await readLists(sandbox);
    expect(list).toEqual({
      id,
      name: 'Found',
      kind: 'static',
      membersCount: 6,
      members: [
        ...first,
        { ...ada, companyName: 'Engines 2' },
        { ...JANE, email: 'jane@other.example' },
      ],
    });
  });

  it('keeps the lists apart, and takes a thousand at once', async () => {
    const sandbox = await startSandbox();
    const [one, other] = [await create(sandbox), await create(sandbox)];
    const entities = Array.from({ length: 1000 }, (_, index) => ({
      email: `p${index}@acme.com`,
      companyName: 'x'.repeat(1000),
    }));
    expect(await add(sandbox, one, entities)).toMatchObject({ addedCount: 1000 });
    expect(await add(sandbox, other, entities)).toMatchObject({ addedCount: 1000 });
    expect(await add(sandbox, one, entities)).toMatchObject({ addedCount: 0, alreadyInList: 1000 });
    expect(sandbox.ledger.summary().members).toBe(2000);
  });

  it.each([
    ['no entities', {}, 'with 1 to 1000 entities'],
    ['an empty list', { entities: [] }, 'with 1 to 1000 entities'],
    ['an array alone', [JANE], 'with 1 to 1000 entities'],
    ['another key', { entities: [JANE], name: 'x' }, 'with 1 to 1000 entities'],
    ['too many', { entities: Array.from({ length: 1001 }, () => JANE) }, '1 to 1000 entities'],
    ['a text', { entities: [JANE, 'a@b.io'] }, 'because of entity 1: '],
    ['an unknown key', { entities: [{ ...JANE, phone: '1' }] }, 'because of entity 0: '],
    ['a number', { entities: [{ email: 5 }] }, 'because of entity 0: email: '],
    ['a bad e-mail', { entities: [JANE, { email: 'a@b' }] }, 'entity 1: The value of email is not'],
    ['a bad profile', { entities: [{ socialUrl: 'ada' }] }, 'The value of socialUrl is not'],
    ['a long value', { entities: [{ ...JANE, companyName: 'x'.repeat(1001) }] }, 'is longer than'],
    ['nothing', { entities: [{}] }, 'it needs an email, or a socialUrl, or a firstName and a'],
    ['blanks', { entities: [{ email: '', firstName: ' ', lastName: 'x' }] }, 'it needs an email'],
    ['half a name', { entities: [{ firstName: 'A', companyName: 'B' }] }, 'it needs an email'],
  ])('refuses the whole call for %s', async (_case, body, sentence) => {
    const sandbox = await startSandbox();
    const id = await create(sandbox);
    const answer = await sandbox.send('POST', `/contacts/lists/${id}/entities`, body);
    expect(await answer.json()).toEqual({ error: expect.stringContaining(sentence) });
    expect(answer.status).toBe(400);
    expect(sandbox.ledger.summary().members).toBe(0);
  });

  it('knows no other list, and adds to no dynamic one', async () => {
    const sandbox = await startSandbox();
    const body = { entities: [JANE] };
    const unknown = await sandbox.send('POST', '/contacts/lists/clt_0/entities', body);
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: 'There is no list with this id.' },
    ]);
    const [before] = await readLists(sandbox);
    const dynamic = await sandbox.send('POST', `/contacts/lists/${before?.id}/entities`, body);
    expect(dynamic.status).toBe(409);
    expect(await dynamic.json()).toEqual({
      error: expect.stringMatching(/dynamic.*static list\.$/),
    });
    expect(await readLists(sandbox)).toEqual([before]);
    expect(before?.membersCount).toBe(before?.members.length);
  });
});

it('lists and members survive a restart', async () => {
  const ledgerFile = join(tempFolder(), 'ledger.ndjson');
  const first = await startSandbox({ ledgerFile });
  const ids = [await create(first, 'A\u2028"'), await create(first)];
  await add(first, ids[0] ?? '', [JANE, { firstName: 'Zoë', lastName: 'O\n' }]);
  await add(first, ids[0] ?? '', [JANE, { email: 'new@acme.com' }]);
  await add(first, ids[0] ?? '', [JANE]);
  const [lists, summary] = [await readLists(first), first.ledger.summary()];
  await first.close();

  const second = await startSandbox({ ledgerFile });
  expect(await readLists(second)).toEqual(lists);
  expect(second.ledger.summary()).toEqual({ ...summary, requests: 0, worstWindow: 0 });
  expect(second.ledger.summary()).toMatchObject({ lists: 2, members: 3 });
  expect(await add(second, ids[0] ?? '', [JANE])).toMatchObject({ alreadyInList: 1 });
  expect(ids).not.toContain(await create(second));
  await second.close();
  // What was in already is not written again.
  expect(readFileSync(ledgerFile, 'utf8').match(/Jane@Acme/g)).toHaveLength(1);
});
