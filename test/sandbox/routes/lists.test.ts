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

describe('POST /contacts/lists/{listId}/entities', () => {
  it.each([
    ['no entities', {}],
    ['an empty list', { entities: [] }],
    ['an array alone', [JANE]],
    ['another key', { entities: [JANE], name: 'x' }],
    ['too many', { entities: Array.from({ length: 1001 }, () => JANE) }],
    ['a text', { entities: [JANE, 'a@b.io'] }],
    ['an unknown key', { entities: [{ ...JANE, phone: '1' }] }],
    ['a number', { entities: [{ email: 5 }] }],
    ['a bad e-mail', { entities: [JANE, { email: 'a@b' }] }],
    ['a bad profile', { entities: [{ socialUrl: 'ada' }] }],
    ['nothing', { entities: [{}] }],
    ['blanks', { entities: [{ email: '', firstName: ' ', lastName: 'x' }] }],
    ['half a name', { entities: [{ firstName: 'A', companyName: 'B' }] }],
  ])('refuses the whole call for %s', async (_case, body) => {
    const sandbox = await startSandbox();
    const id = await create(sandbox);
    const answer = await sandbox.send('POST', `/contacts/lists/${id}/entities`, body);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/\.$/) });
    expect(answer.status).toBe(400);
    expect(sandbox.ledger.summary().members).toBe(0);
  });
});
