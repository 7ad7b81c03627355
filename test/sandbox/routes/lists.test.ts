import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startSandbox, type TestSandbox } from '../start-sandbox.js';

const CREATED = z.object({
  message: z.string(),
  list: z.object({ id: z.string(), name: z.string() }),
});
const JANE = { email: 'Jane@Acme.com', firstName: 'Jane', lastName: 'Doe' };

async function create(sandbox: TestSandbox, name = 'Found'): Promise<string> {
  const answer = await sandbox.send('POST', '/contacts/lists', { name });
  expect(answer.status).toBe(200);
  return CREATED.parse(await answer.json()).list.id;
}

describe('POST /contacts/lists', () => {
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
});

describe('POST /contacts/lists/{listId}/entities', () => {
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
});
