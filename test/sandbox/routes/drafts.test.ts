import { describe, expect, it } from 'vitest';
import { startSandbox } from '../start-sandbox.js';

describe('GET /inbox/{contactId}/drafts/{draftId}', () => {
  const owned = '/inbox/ctc_priya/drafts/drf_welcome';
  it.each([
    [owned, 400],
    [`${owned}?draftOwner=`, 400],
    [`${owned}?draftOwner=ada`, 400],
    [`${owned}?draftOwner=usr_ada&draftOwner=usr_ben`, 400],
    [`${owned}?draftOwner=usr_ada&owner=x`, 400],
    [`${owned}?draftOwner=usr_nobody`, 404],
    [`${owned}?draftOwner=nobody@harbour.example`, 404],
    // The space that a raw plus becomes is part of no address.
    [`${owned}?draftOwner=ben+outreach@harbour.example`, 400],
    [`${owned}?draftOwner=usr_olga`, 403],
    [`${owned}?draftOwner=olga@elsewhere.example`, 403],
    ['/inbox/ctc_0/drafts/drf_0?draftOwner=usr_olga', 403],
    [`${owned}?draftOwner=usr_ben`, 404],
    ['/inbox/ctc_priya/drafts/drf_0?draftOwner=usr_ada', 404],
    ['/inbox/ctc_yuki/drafts/drf_welcome?draftOwner=usr_ada', 404],
    ['/inbox/ctc_0/drafts/drf_welcome?draftOwner=usr_ada', 404],
  ])('%s is answered %i', async (path, status) => {
    const sandbox = await startSandbox();
    const answer = await sandbox.call(path);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/\.$/) });
    expect(answer.status).toBe(status);
  });
});
