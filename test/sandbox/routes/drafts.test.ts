import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '../start-sandbox.js';

const DRAFT = z.strictObject({
  _id: z.string().regex(/^drf_/),
  channel: z.literal('email'),
  subject: z.string(),
  cc: z.array(z.unknown()),
  content: z.string().startsWith('<p>'),
  attachments: z.array(z.unknown()),
  source: z.literal('api'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
const ANSWER = z.strictObject({ draft: DRAFT });
const SEEDS = z.object({
  team: z.object({ id: z.string() }),
  users: z.array(
    z.object({ id: z.string(), email: z.string(), teamId: z.string(), isInTeam: z.boolean() }),
  ),
  contacts: z.array(z.object({ id: z.string() })),
  drafts: z.array(
    z.object({ id: z.string(), contactId: z.string(), ownerId: z.string(), path: z.string() }),
  ),
  lists: z.array(z.object({ id: z.string(), kind: z.string() })),
});

describe('GET /inbox/{contactId}/drafts/{draftId}', () => {
  it('shows every seeded draft, to its owner by id and by login e-mail in any case', async () => {
    const sandbox = await startSandbox();
    const seeds = SEEDS.parse(await (await fetch(`${sandbox.url}/sandbox/seeds`)).json());
    const drafts = [];
    for (const { id, contactId, ownerId, path } of seeds.drafts) {
      const byId = await sandbox.call(path);
      expect(byId.status).toBe(200);
      const text = await byId.text();
      const { draft } = ANSWER.parse(JSON.parse(text));
      expect(draft).toMatchObject({ _id: id });
      const email = seeds.users.find((user) => user.id === ownerId)?.email.toUpperCase() ?? '';
      const query = new URLSearchParams({ draftOwner: email }).toString();
      const byEmail = await sandbox.call(`/inbox/${contactId}/drafts/${id}?${query}`);
      expect(await byEmail.text()).toBe(text);
      drafts.push(draft);
    }
    // A client has to bear full and empty ones.
    expect(drafts.map(({ cc }) => cc.length > 0)).toEqual([true, false, true]);
    expect(drafts.map(({ attachments }) => attachments.length)).toEqual([2, 0, 0]);
    expect(drafts[1]?.subject).toBe('');
  });

  const owned = '/inbox/ctc_priya/drafts/drf_welcome';
  it.each([
    [owned, 400, 'The parameter draftOwner is missing'],
    [`${owned}?draftOwner=`, 400, 'The parameter draftOwner is missing'],
    [`${owned}?draftOwner=%20`, 400, 'The parameter draftOwner is missing'],
    [`${owned}?draftOwner=ada`, 400, 'neither a user id (usr_…) nor a login e-mail'],
    [`${owned}?draftOwner=usr_ada&draftOwner=usr_ben`, 400, 'draftOwner is given more than once'],
    [`${owned}?draftOwner=usr_ada&owner=x`, 400, 'The parameter owner is unknown.'],
    [`${owned}?draftOwner=usr_nobody`, 404, 'There is no user with this draftOwner.'],
    [`${owned}?draftOwner=nobody@harbour.example`, 404, 'There is no user'],
    // The space that a raw plus becomes is part of no address.
    [`${owned}?draftOwner=ben+outreach@harbour.example`, 400, 'neither a user id'],
    [`${owned}?draftOwner=usr_olga`, 403, 'does not belong to your team'],
    [`${owned}?draftOwner=olga@elsewhere.example`, 403, 'does not belong to your team'],
    ['/inbox/ctc_0/drafts/drf_0?draftOwner=usr_olga', 403, 'does not belong to your team'],
    [`${owned}?draftOwner=usr_ben`, 404, 'no draft with this id for this contact and draftOwner'],
    ['/inbox/ctc_priya/drafts/drf_0?draftOwner=usr_ada', 404, 'There is no draft'],
    ['/inbox/ctc_yuki/drafts/drf_welcome?draftOwner=usr_ada', 404, 'There is no draft'],
    ['/inbox/ctc_0/drafts/drf_welcome?draftOwner=usr_ada', 404, 'There is no contact'],
  ])('%s is answered %i', async (path, status, sentence) => {
    const sandbox = await startSandbox();
    const answer = await sandbox.call(path);
    expect(await answer.json()).toEqual({ error: expect.stringContaining(sentence) });
    expect(answer.status).toBe(status);
  });
});

it('GET /sandbox/seeds tells who is in the team, and what lists there are', async () => {
  const sandbox = await startSandbox();
  const { team, users, contacts, drafts, lists } = SEEDS.parse(
    await (await fetch(`${sandbox.url}/sandbox/seeds`)).json(),
  );
  expect(users.map(({ isInTeam }) => isInTeam)).toEqual([true, true, false]);
  for (const user of users) {
    expect(user.id).toMatch(/^usr_/);
    expect(user.isInTeam).toBe(user.teamId === team.id);
  }
  const known = new Set([...contacts, ...users].map(({ id }) => id));
  for (const { contactId, ownerId } of drafts) {
    expect(known).toContain(contactId);
    expect(known).toContain(ownerId);
  }
  expect(lists).toMatchObject([{ id: expect.stringMatching(/^clt_/), kind: 'dynamic' }]);
});
