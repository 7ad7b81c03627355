import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { AUTHORIZATION, JANE, startSandbox } from './start-sandbox.js';

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

describe('authentication', () => {
  it.each([
    basic('sandbox:wrong'),
    basic('sandbox'),
    basic('sandbox:sandbox:'),
    'Bearer c2FuZGJveDpzYW5kYm94',
    'Basic',
    'Basic ???',
    '',
  ])('refuses the header %j', async (authorization) => {
    const sandbox = await startSandbox();
    const answer = await sandbox.call('/schema/people', { headers: { authorization } });
    expect(answer.status).toBe(401);
  });

  it('accepts the scheme in any case, and a password with colons and accents', async () => {
    const sandbox = await startSandbox({ username: '', password: 'pä:ss' });
    const authorization = basic(':pä:ss').replace('Basic', 'bASIC ');
    const answer = await sandbox.call('/schema/people', { headers: { authorization } });
    expect(answer.status).toBe(200);
  });
});

describe('the limit', () => {
  const rate = '3/2s';

  it('counts every platform request, also those that are refused or lead nowhere', async () => {
    const sandbox = await startSandbox({ rate });
    await fetch(`${sandbox.url}/schema/people`);
    await sandbox.call('/nothing/here');
    await sandbox.call('/enrich', { method: 'POST' });
    expect((await sandbox.call('/schema/people')).status).toBe(429);
    expect(sandbox.ledger.summary()).toMatchObject({ requests: 4, throttled: 1, worstWindow: 4 });
  });

  it('tells the limit, what remains, and when the next slot frees, on every answer', async () => {
    const sandbox = await startSandbox({ rate });
    const seen: unknown[] = [];
    for (const stepMs of [0, 500, 600, 0, 899, 1, 0]) {
      sandbox.clock.now += stepMs;
      const { status, headers } = await sandbox.call('/schema/people');
      const limits = ['limit', 'remaining', 'reset'].map((name) =>
        headers.get(`x-ratelimit-${name}`),
      );
      seen.push([status, ...limits, headers.get('retry-after')]);
    }
    expect(seen).toEqual([
      [200, '3', '2', '2', null],
      [200, '3', '1', '2', null],
      [200, '3', '0', '1', null],
      [429, '3', '0', '1', '1'],
      [429, '3', '0', '1', '1'],
      [200, '3', '0', '1', null],
      [429, '3', '0', '1', '1'],
    ]);
  });

  it('refuses a paid request without accepting it', async () => {
    const sandbox = await startSandbox({ rate: '1/2s' });
    await sandbox.enrich(JANE);
    expect(await sandbox.enrich(JANE)).toEqual({
      id: '',
      error: 'More than 1 requests in 2000 ms.',
    });
    expect(sandbox.ledger.summary().accepted).toBe(1);
  });

  it('leaves the control routes alone', async () => {
    const sandbox = await startSandbox({ rate: '1/2s' });
    for (const path of ['health', 'ledger', 'ledger/entries', 'health']) {
      const answer = await fetch(`${sandbox.url}/sandbox/${path}`);
      expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    }
    expect(sandbox.ledger.summary().requests).toBe(0);
  });

  it('can be off, and the worst window is measured all the same', async () => {
    const sandbox = await startSandbox({ rate: 'off' });
    for (let count = 0; count < 30; count += 1) {
      sandbox.clock.now += 100;
      const answer = await sandbox.call('/schema/people');
      expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    }
    expect(sandbox.ledger.summary()).toMatchObject({ requests: 30, throttled: 0, worstWindow: 20 });
  });

  it('does not open again when the clock steps back', async () => {
    const sandbox = await startSandbox({ rate: '1/2s' });
    await sandbox.call('/schema/people');
    sandbox.clock.now -= 60_000;
    const answer = await sandbox.call('/schema/people');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2']);
  });

  it('counts an address that cannot be decoded', async () => {
    const sandbox = await startSandbox({ rate });
    // fetch would repair such an address, so it is written by hand.
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    socket.end(
      `GET /enrich/%zz HTTP/1.1\r\nhost: x\r\nauthorization: ${AUTHORIZATION}\r\nconnection: close\r\n\r\n`,
    );
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('{"error":"The address cannot be decoded."}');
    expect(sandbox.ledger.summary().requests).toBe(1);
  });
});
