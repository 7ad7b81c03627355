import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startReceiver } from './start-receiver.js';
import { JANE, realTime, startSandbox } from './start-sandbox.js';

const VERIFY = { verifyEmail: 'true', email: 'jane@acme.com' };

/** `POST /enrich` by hand: the status, or `broken` when the connection ended without an answer. */
async function submit(url: string, query: Readonly<Record<string, string>> = JANE) {
  const authorization = `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`;
  const path = `/enrich?${new URLSearchParams(query).toString()}`;
  try {
    const answer = await fetch(url + path, { method: 'POST', headers: { authorization } });
    const type = answer.headers.get('content-type') ?? '';
    const retryAfter = answer.headers.get('retry-after');
    return { status: answer.status, type, retryAfter, text: await answer.text() };
  } catch {
    return 'broken' as const;
  }
}

describe('faults of a request', () => {
  it.each([
    ['drop-before', 0, 'broken'],
    ['drop-after', 1, 'broken'],
    [
      'error-before',
      0,
      { status: expect.toBeOneOf([500, 503]), text: expect.stringContaining('error') },
    ],
    [
      'error-after',
      1,
      { status: expect.toBeOneOf([500, 503]), text: expect.stringContaining('error') },
    ],
    ['throttle', 0, { status: 429, retryAfter: '1' }],
    ['html', 0, { status: 200, type: 'text/html; charset=utf-8' }],
    ['truncated', 1, { status: 200, text: expect.stringMatching(/^\{"id":"enr_[0-9a-f]*$/) }],
  ])('%s: accepted are %d', async (name, accepted, answer) => {
    const sandbox = await startSandbox({ faults: { [name]: 1 } });
    const seen = await submit(sandbox.url);
    if (typeof answer === 'string') expect(seen).toBe(answer);
    else expect(seen).toMatchObject(answer);
    expect(sandbox.ledger.summary().accepted).toBe(accepted);
  });

  it('strike every route of the platform, and no control route', async () => {
    const faults = { 'error-after': 1 };
    const sandbox = await startSandbox({ faults });
    for (const [method, path] of [
      ['GET', '/enrich/enr_x'],
      ['GET', '/schema/people'],
      ['GET', '/hooks'],
      ['POST', '/enrich/bulk'],
    ] as const) {
      const answer = await sandbox.call(path, { method });
      expect([500, 503]).toContain(answer.status);
    }
    for (const path of ['health', 'ledger', 'faults', 'credits']) {
      expect((await fetch(`${sandbox.url}/sandbox/${path}`)).status).toBe(200);
    }
    const anonymous = await fetch(`${sandbox.url}/schema/people`);
    expect([500, 503]).not.toContain(anonymous.status);
  });

  it('hold slow answers back after acceptance, and not beyond the end of the sandbox', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): unknown => warnings.push(name);
    process.on('warning', note);
    const sandbox = await startSandbox({ faults: { slow: 1 }, slowMs: 3_600_000 });
    let answered = 0;
    const answers = Array.from({ length: 12 }, () =>
      submit(sandbox.url).finally(() => {
        answered += 1;
      }),
    );
    await sandbox.until(({ accepted }) => accepted === 12);
    expect(answered).toBe(0);
    await sandbox.close();
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 200 });
    process.off('warning', note);
    expect(warnings).not.toContain('MaxListenersExceededWarning');
  });

  it('throttle five requests in a row', async () => {
    const sandbox = await startSandbox({ faults: { throttle: 0.05 }, faultSeed: 3 });
    let text = '';
    for (let count = 0; count < 200; count += 1) {
      const seen = await submit(sandbox.url, VERIFY);
      text += seen !== 'broken' && seen.status === 429 ? 'x' : '.';
    }
    const bursts = text.match(/x+/g) ?? [];
    expect(bursts.length).toBeGreaterThan(2);
    for (const burst of bursts.slice(0, -1)) expect(burst.length % 5).toBe(0);
    expect(sandbox.ledger.summary().throttled).toBe(bursts.join('').length);
  });

  it('are the same for the same seed, and others for another', async () => {
    const runs: string[] = [];
    for (const faultSeed of [1, 1, 2]) {
      const faults = { 'drop-after': 0.2, 'error-before': 0.2, html: 0.1, truncated: 0.1 };
      const sandbox = await startSandbox({ faults, faultSeed });
      const seen: string[] = [];
      for (let count = 0; count < 40; count += 1)
        seen.push(JSON.stringify(await submit(sandbox.url)));
      runs.push(seen.join('\n'));
    }
    expect(runs[0]).toBe(runs[1]);
    expect(runs[0]).not.toBe(runs[2]);
  });

  it('strike as often as they are told to', async () => {
    const sandbox = await startSandbox({ faults: { 'error-before': 0.3 } });
    for (let count = 0; count < 150; count += 1) await submit(sandbox.url, VERIFY);
    expect(sandbox.ledger.summary().accepted / 150).toBeGreaterThan(0.62);
    expect(sandbox.ledger.summary().accepted / 150).toBeLessThan(0.78);
  });
});

describe('the fault empty-first', () => {
  const faults = { 'empty-first': 1 };

  it('empties the first reading by id, and no other', async () => {
    const sandbox = await startSandbox({ faults });
    const { id } = await sandbox.enrich(VERIFY);
    const first: unknown = await (await sandbox.call(`/enrich/${id}`)).json();
    expect(first).toEqual({ data: [{ id, data: {} }], type: 'enrichmentDone' });
    const second = await (await sandbox.call(`/enrich/${id}`)).text();
    expect(second).toContain('find_email');
  });

  it('empties the first webhook, also when it is repeated, and no reading after it', async () => {
    const sandbox = await startSandbox({ ...realTime, faults, webhookRetryMs: 1 });
    const receiver = await startReceiver((response, number) => {
      response.statusCode = number === 1 ? 500 : 200;
      response.end();
    });
    const { id } = await sandbox.enrich({ ...VERIFY, webhookUrl: receiver.url });
    const posts = await receiver.received(2);
    for (const { body } of posts) expect(body.data).toEqual([{ id, data: {} }]);
    expect(await (await sandbox.call(`/enrich/${id}`)).text()).toContain('find_email');
  });

  it('is not used up by an answer that no client gets to read', async () => {
    const sandbox = await startSandbox({ faults });
    const { id } = await sandbox.enrich(VERIFY);
    await sandbox.send('PUT', '/sandbox/faults', { ...faults, truncated: 1 });
    await sandbox.call(`/enrich/${id}`);
    await sandbox.send('PUT', '/sandbox/faults', faults);
    const seen: unknown = await (await sandbox.call(`/enrich/${id}`)).json();
    expect(seen).toEqual({ data: [{ id, data: {} }], type: 'enrichmentDone' });
  });
});

describe('the fault empty-first-read', () => {
  it('empties the first reading by id however late it comes, which empty-first does not', async () => {
    for (const [name, isEmpty] of [
      ['empty-first-read', true],
      ['empty-first', false],
    ] as const) {
      const sandbox = await startSandbox({ faults: { [name]: 1 } });
      const { id } = await sandbox.enrich(VERIFY);
      sandbox.clock.now += 86_400_000;
      const read = async () => (await sandbox.call(`/enrich/${id}`)).text();
      expect((await read()).includes('find_email')).toBe(!isEmpty);
      expect(await read()).toContain('find_email');
    }
  });
});

describe('faults of webhooks', () => {
  it('lose a result, which stays readable by id', async () => {
    const sandbox = await startSandbox({ faults: { 'webhook-lost': 1 } });
    const receiver = await startReceiver();
    const { id } = await sandbox.enrich({ ...VERIFY, webhookUrl: receiver.url });
    expect(await sandbox.until(({ lost }) => lost === 1)).toMatchObject({ deliveries: 0 });
    expect((await sandbox.call(`/enrich/${id}`)).status).toBe(200);
    expect(receiver.posts).toHaveLength(0);
  });

  it('send a result twice', async () => {
    const sandbox = await startSandbox({ faults: { 'webhook-doubled': 1 } });
    const receiver = await startReceiver();
    await sandbox.enrich({ ...VERIFY, webhookUrl: receiver.url });
    await sandbox.until(({ delivered }) => delivered === 2);
    expect(receiver.posts[0]?.text).toBe(receiver.posts[1]?.text);
    expect(sandbox.ledger.summary()).toMatchObject({ accepted: 1, deliveries: 2 });
  });

  it('send a result before the answer of its submit', async () => {
    const latency = { medianMs: 60_000, sigma: 0 };
    const sandbox = await startSandbox({ ...realTime, latency, faults: { 'webhook-early': 1 } });
    let isAnswered = false;
    let wasAnswered = true;
    const respond = async (response: ServerResponse): Promise<void> => {
      // The submit's answer gets every chance to overtake this one.
      await fetch(`${sandbox.url}/sandbox/health`);
      wasAnswered = isAnswered;
      response.end();
    };
    const receiver = await startReceiver((response) => void respond(response));
    const { id } = await sandbox.enrich({ ...VERIFY, webhookUrl: receiver.url });
    isAnswered = true;
    expect(receiver.posts.map(({ body }) => body.data[0]?.id)).toEqual([id]);
    expect(wasAnswered).toBe(false);
    expect((await sandbox.call(`/enrich/${id}`)).status).toBe(200);
    expect(sandbox.ledger.summary()).toMatchObject({ deliveries: 1, delivered: 1 });
  });

  it('leave the latency alone where no webhook is to be sent', async () => {
    const latency = { medianMs: 60_000, sigma: 0 };
    const sandbox = await startSandbox({ latency, faults: { 'webhook-early': 1 } });
    const { id } = await sandbox.enrich(VERIFY);
    expect((await sandbox.call(`/enrich/${id}`)).status).toBe(202);
  });

  it('answer the submit also when the early webhook fails', async () => {
    const faults = { 'webhook-early': 1 };
    const sandbox = await startSandbox({ ...realTime, faults, webhookRetryMs: 1 });
    const receiver = await startReceiver((response, number) => {
      response.statusCode = number === 1 ? 500 : 200;
      response.end();
    });
    const { id } = await sandbox.enrich({ ...VERIFY, webhookUrl: receiver.url });
    expect(id).not.toBe('');
    await sandbox.until(({ delivered }) => delivered === 1);
    expect(receiver.posts).toHaveLength(2);
  });

  it('hold results back, so that others overtake them', async () => {
    const sandbox = await startSandbox({ faults: { 'webhook-reordered': 1 } });
    const receiver = await startReceiver();
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const query = { verifyEmail: 'true', email: `p${index}@acme.com` };
      ids.push((await sandbox.enrich({ ...query, webhookUrl: receiver.url })).id);
    }
    expect(receiver.posts).toHaveLength(0);
    sandbox.clock.now += 2000;
    await sandbox.until(({ delivered }) => delivered === 12);
    const order = receiver.posts.map(({ body }) => body.data[0]?.id ?? '');
    expect(order.toSorted()).toEqual(ids.toSorted());
    expect(order).not.toEqual(ids);
  });
});

describe('/sandbox/faults', () => {
  it('shows and replaces the probabilities while the sandbox runs', async () => {
    const sandbox = await startSandbox({ faults: { slow: 0.5 } });
    const read = async () => (await fetch(`${sandbox.url}/sandbox/faults`)).json();
    expect(await read()).toMatchObject({ slow: 0.5, html: 0 });
    const put = await sandbox.send('PUT', '/sandbox/faults', { html: 1 });
    expect([put.status, await put.json()]).toEqual([200, await read()]);
    expect(await read()).toMatchObject({ slow: 0, html: 1 });
    expect(await submit(sandbox.url)).toMatchObject({ type: 'text/html; charset=utf-8' });
    await sandbox.send('PUT', '/sandbox/faults', {});
    expect(await submit(sandbox.url)).toMatchObject({
      status: 200,
      type: expect.stringMatching(/json/),
    });
  });

  it.each([
    [{ hmtl: 1 }],
    [{ html: 1.5 }],
    [{ html: -0.1 }],
    [{ html: '1' }],
    [{ html: null }],
    [[]],
    ['x'],
  ])('refuses %j and changes nothing', async (body) => {
    const sandbox = await startSandbox({ faults: { html: 0.25 } });
    const answer = await sandbox.send('PUT', '/sandbox/faults', body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/\.$/) });
    const shares: unknown = await (await fetch(`${sandbox.url}/sandbox/faults`)).json();
    expect(shares).toMatchObject({ html: 0.25 });
  });
});
