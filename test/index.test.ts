// The public API as a program uses it: every operation of the platform, against the sandbox in this process.
import { afterAll, describe, expect, it } from 'vitest';
import {
  type EnrichmentRequest,
  NEUTRAL_DIALECT,
  openHttpPlatform,
  openSandbox,
  type Permit,
  type PersonRecord,
  systemClock,
} from '../src/index.js';

const sandbox = await openSandbox({ rate: 'off' });
const platform = openHttpPlatform({
  baseUrl: sandbox.url,
  credentials: { username: 'sandbox', password: 'sandbox' },
  dialect: NEUTRAL_DIALECT,
  clock: systemClock,
  limit: 'off',
  concurrency: 4,
});
afterAll(async () => {
  await platform.close();
  await sandbox.close();
});

const ADA: EnrichmentRequest = {
  ask: ['find_email'],
  inputs: { firstName: 'Eve1', lastName: 'Byron', companyDomain: 'firm1.com' },
};

async function permit(): Promise<Permit> {
  const [given] = await platform.reserve('submit', 1);
  if (given === undefined) throw new Error('Without a limit there is always a permit.');
  return given;
}

/** The answer to a ticket, once there is one. */
async function answerTo(ticket: string) {
  for (;;) {
    const answer = await platform.read(ticket, await permit());
    if (answer.kind !== 'pending') return answer;
  }
}

describe('the platform, from TypeScript', () => {
  it('is asked whether all is right', async () => {
    await platform.check();
    const checks = await platform.tryFreeCalls();
    expect(checks.length).toBeGreaterThan(2);
  });

  it('enriches one, and many at once', async () => {
    const one = await platform.submit(ADA, await permit());
    if (one.kind !== 'accepted') throw new Error(one.kind);
    expect(await answerTo(one.ticket)).toMatchObject({ kind: 'done' });

    const item = { request: { ...ADA, ask: ['social_enrichment'] as const }, key: 'key-1' };
    const many = await platform.submitMany([item], await permit());
    if (many.kind !== 'answered') throw new Error(many.kind);
    const [first] = many.items;
    expect(first).toMatchObject({ kind: 'accepted', ticket: expect.stringMatching(/^enr_/) });
  });

  it('tells the fields of its people', async () => {
    const { schema, properties, version } = await platform.readPeopleSchema();
    const person: PersonRecord = schema;
    expect(properties).toEqual(Object.keys(person));
    expect(version?.type).toBe('date');
  });

  it('creates a list, and takes members once', async () => {
    const created = await platform.createList('From a program', await permit());
    if (created.kind !== 'created') throw new Error(created.kind);
    const members = [{ email: 'ada@example.com' }, { email: 'bob@example.com' }];
    const { id } = created.list;
    expect(await platform.addToList(id, members)).toEqual({ added: 2, alreadyIn: 0 });
    expect(await platform.addToList(id, members)).toEqual({ added: 0, alreadyIn: 2 });
  });

  it('registers, lists and removes a hook', async () => {
    const targetUrl = 'https://crm.example.com/hook';
    const limits = { campaignId: 'cam_spring', isFirst: true, zapId: 'zap-7' };
    const wish = { targetUrl, type: 'emailsReplied', secret: 'a word', ...limits };
    const { id } = await platform.addHook(wish);
    const { hooks } = await platform.listHooks();
    expect(hooks).toMatchObject([{ id, targetUrl, type: 'emailsReplied' }]);
    expect(JSON.stringify(hooks)).not.toContain('a word');
    expect(await platform.removeHook(id)).toBe(true);
    expect(await platform.removeHook(id)).toBe(false);
  });

  it('gives a draft to its owner, by id or login', async () => {
    for (const owner of ['usr_ada', 'ada@harbour.example']) {
      const draft = await platform.readDraft('ctc_priya', 'drf_welcome', owner);
      expect(draft).toMatchObject({ id: 'drf_welcome', channel: 'email', source: 'api' });
    }
  });
});
