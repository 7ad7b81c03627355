import { describe, expect, it } from 'vitest';
import { startSandbox } from '../start-sandbox.js';

describe('GET /inbox/{contactId}/drafts/{draftId}', () => {
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
