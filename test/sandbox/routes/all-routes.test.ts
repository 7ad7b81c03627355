import { describe, expect, it } from 'vitest';
import { startSandbox } from '../start-sandbox.js';

// Every call of the neutral dialect (docs/platform-api.md, Endpoints).
describe.each([
  ['POST', '/enrich'],
  ['POST', '/enrich/bulk'],
  ['GET', '/enrich/enr_x'],
  ['GET', '/schema/people'],
  ['POST', '/contacts/lists'],
  ['POST', '/contacts/lists/clt_x/entities'],
  ['GET', '/inbox/ctc_priya/drafts/drf_welcome'],
  ['POST', '/hooks'],
  ['GET', '/hooks'],
  ['DELETE', '/hooks/hoo_x'],
])('%s %s', (method, path) => {
  it('is 401 without credentials, whatever else is wrong', async () => {
    const sandbox = await startSandbox();
    const answer = await fetch(sandbox.url + path, { method });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/\.$/) });
  });

  it('is known by this method, and 404 by another', async () => {
    const sandbox = await startSandbox();
    const known = await sandbox.call(path, { method });
    expect([200, 400, 404]).toContain(known.status);
    expect(await known.text()).not.toContain('nothing at this path');
    const answer = await sandbox.call(path, { method: 'PATCH' });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/method\.$/) });
  });
});

const TARGET = { targetUrl: 'http://x.example' };
const ITEM = { input: { email: 'a@b.io' }, enrichmentRequests: ['verify_email'] };
const verify = (values: string) => `/enrich?verifyEmail=true&email=a@b.io&${values}`;

it.each<[string, ...unknown[]]>([
  ['/enrich', undefined],
  ['/enrich?email=a@b.io', undefined],
  ['/enrich?findEmail=false&email=a@b.io', undefined],
  ['/enrich?findEmail=true', undefined],
  ['/enrich?findEmail=true&firstName=J&lastName=D&companyName=', undefined],
  ['/enrich?verifyEmail=true&socialUrl=https://x.example/a', undefined],
  ['/enrich?verifyEmail=yes&email=a@b.io', undefined],
  ['/enrich?verifyEmail=TRUE&email=a@b.io', undefined],
  [verify('findPhone='), undefined],
  [verify('linkedinUrl=x'), undefined],
  [verify('__proto__=x'), undefined],
  [verify('email=a@b.io'), undefined],
  [verify('companyDomain=https://acme.com'), undefined],
  [verify('webhookUrl=ftp://x.example'), undefined],
  [verify(`companyName=${'x'.repeat(1001)}`), undefined],
  ['/enrich?verifyEmail=true&email=a@b', undefined],
  ['/enrich?findPhone=true&socialUrl=social.example/in/x', undefined],
  ['/enrich/bulk', '[{', ITEM, null, [], [ITEM, null], Array.from({ length: 501 }, () => ITEM)],
  ['/enrich/bulk', [{ ...ITEM, input: { emial: 'x' } }], [{ ...ITEM, input: { email: 1 } }]],
  ['/enrich/bulk', [{ ...ITEM, enrichmentRequests: ['find_mail'] }]],
  ['/enrich/bulk', [{ ...ITEM, enrichmentRequests: [] }], [{ ...ITEM, input: undefined }]],
  ['/enrich/bulk', [{ ...ITEM, metadata: 'x'.repeat(4095) }]],
  ['/enrich/bulk?webhookUrl=ftp://x.example', [ITEM]],
  ['/enrich/bulk?webhook=http://x.example', [ITEM]],
  ['/contacts/lists', '"', {}, { name: 5 }, { name: 'x', type: 'dynamic' }, ['x']],
  ['/contacts/lists', { name: '' }, { name: ' \n' }, { name: 'x'.repeat(201) }],
  // As the client counts.
  ['/contacts/lists', { name: '🚀'.repeat(101) }],
  ['/contacts/lists?name=x', { name: 'x' }],
  ['/hooks', 'x', [], {}, { targetUrl: 'ftp://x.example' }, { ...TARGET, url: 'x' }],
  ['/hooks', { ...TARGET, type: 'emailSent' }, { ...TARGET, type: 5 }, { ...TARGET, secret: '' }],
  ['/hooks?isFirst=1', TARGET],
  ['/hooks?campaign=1', TARGET],
  ['/hooks?zapId=1&zapId=2', TARGET],
  ['/sandbox/credits', {}, { credits: -1 }, { credits: 1.0005 }, { credits: '1' }, []],
  ['/sandbox/emit', [], { fields: {} }, { type: 'paused', leadId: 'x' }, { type: 'emailSent' }],
  ['/sandbox/emit', { type: 'paused', fields: [] }],
])('POST %s is 400 and changes nothing', async (path, ...bodies) => {
  const sandbox = await startSandbox({ credits: 7 });
  const before = sandbox.ledger.summary();
  for (const body of bodies) {
    const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? null);
    const answer = await sandbox.call(path, { method: 'POST', body: text });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/[.?]$/) });
  }
  expect(sandbox.ledger.summary()).toMatchObject({
    ...before,
    requests: expect.any(Number),
    worstWindow: expect.any(Number),
  });
  const credits = await fetch(`${sandbox.url}/sandbox/credits`);
  expect(await credits.json()).toMatchObject({ credits: 7, left: 7 });
});
