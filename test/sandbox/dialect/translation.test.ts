// The sandbox in other dialects, over HTTP: what the end-to-end jobs do not come by.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import type { SandboxOptions } from '../../../src/sandbox/open-sandbox.js';
import { openTestServer } from '../../platform/test-server.js';
import { startReceiver } from '../start-receiver.js';
import { startSandbox } from '../start-sandbox.js';

async function start(dialect: object, options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ dialect: dialectSchema.parse(dialect), ...options });
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await (body === undefined
      ? sandbox.call(path, { method })
      : sandbox.send(method, path, body));
    const { status, headers } = answer;
    const told: unknown = await answer.json();
    return { status, headers, body: told };
  };
  return { ...sandbox, ask };
}

const PERSON = 'first=Jane&lastName=Doe&companyDomain=acme.com';
const RENAMED = {
  prefix: '/v2',
  enrich: {
    method: 'PUT',
    path: '/jobs',
    ask: { names: { find_email: 'mail' }, flag: '1' },
    inputs: { firstName: 'first' },
    webhookUrl: null,
    ticket: 'job.ref',
  },
  bulk: { path: null },
  result: { path: '/jobs?ref={id}' },
  answer: { read: { pending: [{ at: 'state', values: ['running'] }] } },
  errors: { reason: 'fault.text' },
};

describe('the sandbox in another dialect', () => {
  it('charges a result that comes at once at once, and asks for no more than the path says', async () => {
    const dialect = {
      enrich: { path: { verify_email: '/check' }, ask: { as: 'none' }, result: 'always' },
      account: { path: '/me', credits: 'left' },
    };
    const { ask, ledger } = await start(dialect, { latency: { medianMs: 60_000, sigma: 0.5 } });
    await ask('POST', '/check?email=a@b.io');
    expect(ledger.entries()?.map((one) => one.ask)).toEqual([['verify_email']]);
    expect((await ask('GET', '/me')).body).toEqual({ left: 999_999 });
  });

  it('takes its own words and no others', async () => {
    const { ask, ledger } = await start(RENAMED);
    const accepted = await ask('PUT', `/v2/jobs?mail=1&${PERSON}`);
    expect(accepted).toMatchObject({ status: 200, body: { job: { ref: expect.any(String) } } });
    for (const [method, path, status, text] of [
      ['PUT', `/v2/jobs?findEmail=true&${PERSON}`, 400, 'The parameter findEmail is unknown.'],
      ['PUT', `/v2/jobs?mail=true&${PERSON}`, 400, 'The value of mail must be "1".'],
      ['PUT', `/v2/jobs?mail=1&${PERSON}&webhookUrl=http://a.b`, 400, 'webhookUrl is unknown.'],
      ['POST', `/v2/jobs?mail=1&${PERSON}`, 405, 'Only PUT is possible here.'],
      ['POST', `/enrich?findEmail=true`, 404, 'There is nothing at this path.'],
      ['POST', '/v2/enrich/bulk', 404, 'There is nothing at this path.'],
      ['GET', '/v2/jobs?ref=enr_0', 404, 'There is no enrichment with this id.'],
    ] as const) {
      const refused = await ask(method, path);
      expect(refused, path).toMatchObject({
        status,
        body: { fault: { text: expect.stringContaining(text) } },
      });
    }
    expect(ledger.summary().accepted).toBe(1);
  });

  it('shows the ledger where it always is', async () => {
    const { ask } = await start({ prefix: '/v2' });
    expect(await ask('GET', '/sandbox/ledger')).toMatchObject({ body: { accepted: 0 } });
  });

  it('holds a path that it does not know against the limit as well', async () => {
    const limit = { rate: { requests: 1, perMs: 2000 } };
    const { ask } = await start({ prefix: '/v2', limits: { throttled: [{ status: 503 }] } }, limit);
    expect((await ask('DELETE', '/v2/enrich')).status).toBe(405);
    expect((await ask('DELETE', '/v2/enrich')).status).toBe(503);
    expect((await ask('GET', '/enrich')).status).toBe(503);
  });

  it('asks for credentials', async () => {
    const sandbox = await start({ prefix: '/v2', errors: { reason: 'why' } });
    const refused = await sandbox.call('/v2/schema/people', { headers: {} });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toEqual({ why: expect.stringContaining('Authorization') });
  });

  it.each([
    ['throttle', 420, 'calm down: Too many requests.'],
    ['error-before', undefined, 'Something went wrong on our side.'],
  ])('keeps the fault %s, in its own words', async (fault, status, text) => {
    const dialect = {
      errors: { reason: 'why' },
      limits: { throttled: [{ status: 420, word: 'calm down' }] },
    };
    const { ask } = await start(dialect, { faults: { [fault]: 1 } });
    const struck = await ask('GET', '/schema/people');
    expect(struck.body).toEqual({ why: text });
    if (status !== undefined) expect(struck.status).toBe(status);
  });

  it('tells the methods of a path', async () => {
    const { ask } = await start({ hooks: { path: '/webhooks' } });
    const { headers } = await ask('PUT', '/webhooks', {});
    expect(headers.get('allow')).toBe('GET, POST');
  });

  it.each([
    [
      { at: 'state.now', values: ['running'] },
      200,
      { id: expect.stringMatching(/^enr_/), state: { now: 'running' } },
    ],
    [{ status: 404 }, 404, { error: 'There is no result yet.' }],
    [
      { status: 400, at: 'code', values: ['busy'] },
      400,
      { error: 'There is no result yet.', code: 'busy' },
    ],
    [{ status: 200, word: 'hold on' }, 200, { error: 'hold on: There is no result yet.' }],
    [{ status: 204 }, 204, undefined],
    [undefined, 202, { id: expect.stringMatching(/^enr_/) }],
  ])('says "in progress" by %j', async (signal, status, body) => {
    const pending = signal === undefined ? {} : { pending: [signal] };
    const sandbox = await start(
      { answer: { read: pending } },
      { latency: { medianMs: 1000, sigma: 0 } },
    );
    const { id } = await sandbox.enrich({ findEmail: 'true', socialUrl: 'https://a.example/in/b' });
    const answer = await sandbox.call(`/enrich/${id}`);
    expect(answer.status).toBe(status);
    if (body !== undefined) expect(await answer.json()).toEqual(body);
    sandbox.clock.now += 1000;
    expect((await sandbox.call(`/enrich/${id}`)).status).toBe(200);
  });

  it.each([
    ['seconds', '2'],
    ['epoch', String(Date.UTC(2025, 0, 1) / 1000 + 2)],
    ['date', 'Wed, 01 Jan 2025 00:00:02 GMT'],
  ])('tells the limit in its own headers, the reset as %s', async (reset, told) => {
    const headers = { limit: 'x-max', remaining: 'x-left', reset: 'x-again', retryAfter: 'x-wait' };
    const throttled = [{ status: 403, word: 'slow down' }];
    const { ask } = await start(
      { limits: { rate: '1/2s', headers, reset, throttled } },
      { rate: { requests: 1, perMs: 2000 } },
    );
    await ask('GET', '/schema/people');
    const { status, headers: got, body } = await ask('GET', '/schema/people');
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { error: expect.stringMatching(/^slow down: More than 1 requests/) },
    });
    const values = Object.values(headers).map((name) => got.get(name));
    expect(values).toEqual(['1', '0', told, '2']);
    expect(got.get('x-ratelimit-limit')).toBeNull();
  });

  it('has the limit of its dialect, where no other is given', async () => {
    const dialect = dialectSchema.parse({ limits: { rate: '1/2s' } });
    const { rate: _rate, ...bare } = { rate: undefined, dialect };
    const { openSandbox } = await import('../../../src/sandbox/open-sandbox.js');
    const sandbox = await openSandbox(bare);
    const headers = { authorization: `Basic ${btoa('sandbox:sandbox')}` };
    const statuses = [];
    for (let i = 0; i < 2; i += 1) {
      statuses.push((await fetch(`${sandbox.url}/schema/people`, { headers })).status);
    }
    await sandbox.close();
    expect(statuses).toEqual([200, 429]);
  });

  it('charges its prices, asks for its inputs, and says in its words that the account is empty', async () => {
    const sandbox = await start(
      {
        prices: { verify_email: 6 },
        requires: { verify_email: [['email', 'lastName']] },
        errors: { outOfCredits: [{ status: 200, word: 'purse' }], reason: 'why' },
      },
      { credits: 10 },
    );
    const { ask, ledger } = sandbox;
    const verify = (more: string) => ask('POST', `/enrich?verifyEmail=true&email=a@b.io${more}`);
    expect(await verify('')).toMatchObject({
      status: 400,
      body: { why: expect.stringContaining('it needs email + lastName.') },
    });
    expect(await verify('&lastName=D')).toMatchObject({ status: 200 });
    expect(ledger.summary().charged).toBe(6);
    expect(await verify('&lastName=E')).toMatchObject({
      status: 200,
      body: { why: expect.stringMatching(/^purse: The account/) },
    });
  });
});

describe('a ticket in the body', () => {
  it('is read there, that of one enrichment and that of a call', async () => {
    const sandbox = await start({
      bulk: { answer: { batchTicket: 'batch' } },
      result: { method: 'POST', path: '/searches/read', id: 'search.id' },
    });
    const { ask, ledger } = sandbox;
    const { id } = await sandbox.enrich({ verifyEmail: 'true', email: 'a@b.io' });
    const read = (ticket: unknown) => ask('POST', '/searches/read', { search: { id: ticket } });
    expect(await read(id)).toMatchObject({ status: 200, body: { data: [{ id }] } });
    const item = {
      input: { email: 'c@d.io' },
      enrichmentRequests: ['verify_email'],
      metadata: 'k',
    };
    const { body } = await ask('POST', '/enrich/bulk', [item]);
    expect(await read((body as { batch: string }).batch)).toMatchObject({
      status: 200,
      body: { data: [{ metadata: 'k' }] },
    });
    expect((await read('enr_0')).status).toBe(404);
    expect((await read(7)).status).toBe(404);
    expect((await ask('POST', '/searches/read', { id })).status).toBe(400);
    expect((await ask('GET', `/enrich/${id}`)).status).toBe(404);
    expect(ledger.summary()).toMatchObject({ accepted: 2, polls: 2 });
  });
});

describe('a bulk call with one ticket', () => {
  const SHARED = {
    bulk: {
      items: 'people',
      input: '.',
      ask: { at: 'want', names: { verify_email: 'check' } },
      metadata: 'my.key',
      max: 3,
      answer: { batchTicket: 'batch' },
    },
    result: { batchPath: '/batches/{id}' },
    answer: { read: { metadata: 'my.key', reason: 'fault' } },
  };
  const item = (key: string, email: string) => ({ email, want: ['check'], my: { key } });

  it('is read as a whole, with what was refused', async () => {
    const { ask } = await start(SHARED);
    const people = [item('1', 'a@b.io'), item('2', 'nonsense'), item('3', 'c@d.io')];
    const { body } = await ask('POST', '/enrich/bulk', { people });
    const { batch } = body as { batch: string };
    const told = await ask('GET', `/batches/${batch}`);
    const verified = (email: string) => ({
      find_email: { email, status: expect.any(String) as unknown },
    });
    expect(told.body).toEqual({
      data: [
        { my: { key: '1' }, data: verified('a@b.io') },
        { my: { key: '3' }, data: verified('c@d.io') },
        {
          my: { key: '2' },
          fault: 'The value of email is not an e-mail address.',
          type: 'enrichmentError',
        },
      ],
      id: batch,
      type: 'enrichmentDone',
    });
    expect((await ask('GET', `/enrich/${batch}`)).status).toBe(404);
    expect((await ask('GET', '/batches/bat_enr_0')).status).toBe(404);
  });

  it('tells what was refused at once, where the answer has a place for it', async () => {
    const answer = { batchTicket: 'batch', entries: 'no', metadata: 'key', error: 'why' };
    const { ask } = await start({ ...SHARED, bulk: { ...SHARED.bulk, answer } });
    const people = [item('1', 'a@b.io'), item('2', 'nonsense')];
    const { body } = await ask('POST', '/enrich/bulk', { people });
    expect(body).toEqual({
      batch: expect.stringMatching(/^bat_enr_/),
      no: [{ key: '2', why: 'The value of email is not an e-mail address.' }],
    });
  });

  it('has its ticket beside the entries of its webhooks', async () => {
    const target = await openTestServer((_, response) => response.end());
    onTestFinished(() => target.close());
    const { ask } = await start({
      ...SHARED,
      bulk: { ...SHARED.bulk, webhookUrl: 'to' },
      answer: { ...SHARED.answer, webhook: { ticket: 'call' } },
    });
    const people = [item('1', 'a@b.io')];
    const { body } = await ask('POST', '/enrich/bulk', { people, to: target.url });
    await expect.poll(() => target.bodies.length).toBe(1);
    expect(JSON.parse(target.bodies[0]?.text ?? '')).toMatchObject({
      data: [{ my: { key: '1' } }],
      call: (body as { batch: string }).batch,
    });
  });

  it('keeps the order of its items over a restart, where nothing else tells them apart', async () => {
    const dialect = {
      ...SHARED,
      bulk: { ...SHARED.bulk, match: 'order', metadata: null },
      answer: { read: { metadata: [], reason: 'fault' } },
    };
    const ledgerFile = join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'ledger.ndjson');
    const first = await start(dialect, { ledgerFile });
    const people = ['nonsense', 'a@b.io', 'worse'].map((email) => ({
      email,
      want: ['check'],
    }));
    const { body } = await first.ask('POST', '/enrich/bulk', { people });
    const path = `/batches/${(body as { batch: string }).batch}`;
    const told = await first.ask('GET', path);
    expect(told.body).toMatchObject({
      data: [{ fault: expect.any(String) }, { data: {} }, { fault: expect.any(String) }],
    });
    await first.close();
    const second = await start(dialect, { ledgerFile });
    expect((await second.ask('GET', path)).body).toEqual(told.body);
  });

  it('names itself in its webhooks, though its answer was lost', async () => {
    const target = await openTestServer((_, response) => response.end());
    onTestFinished(() => target.close());
    const { ask } = await start(
      {
        ...SHARED,
        bulk: { ...SHARED.bulk, webhookUrl: 'to' },
        answer: { ...SHARED.answer, webhook: { ticket: 'call' } },
      },
      { faults: { 'error-after': 1 } },
    );
    const { status } = await ask('POST', '/enrich/bulk', {
      people: [item('1', 'a@b.io')],
      to: target.url,
    });
    expect(status).toBeGreaterThanOrEqual(500);
    await expect.poll(() => target.bodies.length).toBe(1);
    expect(JSON.parse(target.bodies[0]?.text ?? '')).toMatchObject({
      data: [{ my: { key: '1' } }],
      call: expect.stringMatching(/^bat_enr_/) as unknown,
    });
  });

  it('has no results until the first is there', async () => {
    const { ask, clock } = await start(SHARED, { latency: { medianMs: 1000, sigma: 0.5 } });
    const people = [item('1', 'a@b.io'), item('2', 'c@d.io')];
    const { body } = await ask('POST', '/enrich/bulk', { people });
    const path = `/batches/${(body as { batch: string }).batch}`;
    expect((await ask('GET', path)).status).toBe(202);
    clock.now += 60_000;
    const told = await ask('GET', path);
    expect(told.status).toBe(200);
    expect((told.body as { data: unknown[] }).data).toHaveLength(2);
  });

  it.each([
    [[item('1', 'a@b.io')], 'The body must be an object.'],
    [{ people: item('1', 'a@b.io') }, 'The body must have an array at people.'],
    [{ people: [{ ...item('1', 'a@b.io'), firstNam: 'A' }] }, 'An item has no place firstNam.'],
    [{ people: [{ ...item('1', 'a@b.io'), want: ['verify_email'] }] }, 'No enrichment can ask for'],
    [{ people: Array.from({ length: 4 }, (_, i) => item(`${i}`, 'a@b.io')) }, '1 to 3 items'],
  ])('refuses %j', async (body, text) => {
    const { ask } = await start({ ...SHARED, bulk: { ...SHARED.bulk, max: 3 } });
    const refused = await ask('POST', '/enrich/bulk', body);
    expect(refused).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(text) },
    });
  });
});

describe('lists, hooks, drafts and the schema in another dialect', () => {
  it('puts contacts into lists by their ids, one for each person', async () => {
    const { ask } = await start({
      lists: {
        add: { members: 'contacts', entities: '.', added: 'new', alreadyIn: 'old' },
        upsert: { path: '/crm', fields: { email: 'at.work' }, id: 'contact' },
      },
    });
    const { body } = await ask('POST', '/contacts/lists', { name: 'Warm' });
    const { list } = body as { list: { id: string } };
    expect(list).toEqual({ id: expect.stringMatching(/^clt_/), name: 'Warm' });
    const upsert = async (body: object) =>
      ((await ask('POST', '/crm', body)).body as { contact: string }).contact;
    const id = await upsert({ at: { work: 'A@b.io' }, firstName: 'Ada' });
    expect(await upsert({ at: { work: 'a@b.io' } })).toBe(id);
    const add = (body: unknown) => ask('POST', `/contacts/lists/${list.id}/entities`, body);
    expect((await add([id])).body).toEqual({ new: 1, old: 0 });
    expect((await add([id])).body).toEqual({ new: 0, old: 1 });
    expect(await add(['ctc_x'])).toMatchObject({ status: 400 });
    expect((await ask('POST', '/crm', { at: { work: 'x' } })).status).toBe(400);
    const shown = (await ask('GET', '/sandbox/lists')).body as { members: unknown[] }[];
    expect(shown[1]?.members).toEqual([{ email: 'a@b.io', firstName: 'Ada' }]);
  });

  it('has no contact upsert where lists take something else', async () => {
    const { ask } = await start({ lists: { add: { members: 'emails' } } });
    expect((await ask('POST', '/contacts', { email: 'a@b.io' })).status).toBe(404);
  });

  it('keeps hooks under its own types, and delivers in its own words', async () => {
    const receiver = await startReceiver();
    const sandbox = await start({
      answer: { webhook: { types: ['ready', 'broken'], metadata: ['m', 'x.m'] } },
      hooks: { entries: 'all', remove: { path: '/hooks/{id}/off' } },
    });
    const { ask } = sandbox;
    const targetUrl = receiver.url;
    const { body } = await ask('POST', '/hooks', { targetUrl, type: 'ready' });
    expect(await ask('POST', '/hooks', { targetUrl, type: 'enrichmentDone' })).toMatchObject({
      status: 400,
      body: { error: 'There is no event "enrichmentDone".' },
    });
    const hook = body as { _id: string };
    expect(hook).toMatchObject({ _id: expect.stringMatching(/^hoo_/), type: 'ready' });
    expect((await ask('GET', '/hooks')).body).toEqual({ all: [hook] });
    const items = [
      { input: { email: 'a@b.io' }, enrichmentRequests: ['verify_email'], metadata: 'k' },
    ];
    await ask('POST', '/enrich/bulk', items);
    const [post] = await receiver.received(1);
    expect(JSON.parse(post?.text ?? '')).toMatchObject({
      type: 'ready',
      data: [{ x: { m: 'k' } }],
    });
    expect((await ask('DELETE', `/hooks/${hook._id}/off`)).body).toEqual(hook);
    expect((await ask('DELETE', `/hooks/${hook._id}/off`)).status).toBe(404);
  });

  it('sends what is emitted under its own names, a result in its own shape', async () => {
    const receiver = await startReceiver();
    const { ask } = await start({
      events: { enrichmentDone: 'ready', emailsReplied: 'mail.back' },
      answer: { webhook: { metadata: 'x.m' } },
    });
    await ask('POST', '/hooks', { targetUrl: receiver.url });
    await ask('POST', '/sandbox/emit', { type: 'mail.back' });
    await ask('POST', '/sandbox/emit', { type: 'enrichmentDone', fields: { metadata: 'k' } });
    // The lead that replied is warmed as well.
    const posts = await receiver.received(3);
    const types = posts.map(({ body }) => body.type).toSorted();
    expect(types).toEqual(['mail.back', 'ready', 'warmed']);
    const result = posts.find(({ body }) => body.type === 'ready');
    expect(JSON.parse(result?.text ?? '')).toMatchObject({ data: [{ x: { m: 'k' } }] });
  });

  it('reads drafts and the people schema', async () => {
    const { ask } = await start({
      drafts: { path: '/mail?d={draftId}&c={contactId}' },
      peopleSchema: { path: '/about' },
    });
    const { body } = await ask('GET', '/mail?d=drf_plain&c=ctc_mateo&draftOwner=usr_ben');
    expect(body).toMatchObject({ draft: { _id: 'drf_plain', channel: 'email' } });
    expect((await ask('GET', '/about')).status).toBe(200);
  });
});
