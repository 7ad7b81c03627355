import { describe, expect, it } from 'vitest';
import { KEYS, openConnection, SCOPE, startListener } from './start-listener.js';

const KEY = KEYS.enrichment;
const FORGED = KEY.replace(/^e../, 'e20');

describe('an address', () => {
  it.each([
    `/${KEY}`,
    `/hooks/v1/${KEY}`,
    `//${KEY}`,
    `/${FORGED}/${KEY}`,
    `/healthz/${KEY}`,
    `/${'deep/'.repeat(1000)}${KEY}`,
    `/${KEY}?key=${FORGED}`,
    `/${KEY}?a=/b`,
    `/${KEY}/`,
    `/sluice/${KEY}/?a=b`,
  ])('may stand under any path: case %#', async (path) => {
    const listener = await startListener();
    expect((await listener.post('{}', path)).status).toBe(200);
    expect(listener.kept).toMatchObject([{ scope: SCOPE, enrichmentId: 71 }]);
  });

  it.each([
    '/',
    '/webhooks',
    `/${FORGED}`,
    `/${KEY}//`,
    `/${KEY}/x`,
    `/${KEY}%20`,
    `/%zz/${FORGED}`,
    `/x?key=${KEY}`,
    `/x?/${KEY}`,
    '/__proto__',
    '/constructor',
    `/${'x'.repeat(10_000)}`,
  ])('without a genuine key at its end is not there: case %#', async (path) => {
    const listener = await startListener();
    const answer = await listener.post('{}', path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toEqual({ error: 'No delivery is expected at this address.' });
    expect(listener.kept).toEqual([]);
  });

  it('is judged before a byte of the body is there, and the connection ends with the answer', async () => {
    const listener = await startListener();
    for (const length of ['content-length: 1000000', 'transfer-encoding: chunked']) {
      const connection = openConnection(listener.port);
      connection.send(`POST /${FORGED} HTTP/1.1\r\nhost: x\r\n${length}\r\n\r\n`);
      expect(await connection.ended).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  it('may be given in full', async () => {
    const listener = await startListener();
    const connection = openConnection(listener.port);
    connection.send(
      `POST http://example.com/x/${KEY} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}`,
    );
    expect(await connection.answers(1)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it.each(['host: x\r\nhost: x', 'host: x\r\nX: y\r\nHOST: evil.example'])(
  'a delivery with two headers Host is refused, and its connection ends: case %#',
  async (hosts) => {
    const listener = await startListener();
    const connection = openConnection(listener.port);
    connection.send(`POST /${KEY} HTTP/1.1\r\n${hosts}\r\ncontent-length: 2\r\n\r\n{}`);
    expect(await connection.ended).toMatch(/^HTTP\/1\.1 400 .*two Host headers/s);
    expect(listener.kept).toEqual([]);
  },
);

describe('another method', () => {
  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'than POST is refused at a genuine address: %s',
    async (method) => {
      const listener = await startListener();
      const answer = await fetch(`${listener.url}/${KEY}`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      expect(listener.kept).toEqual([]);
    },
  );

  it.each(['GET', 'PUT', 'QUERY', 'PROPFIND'])(
    'at any other address is a 404: %s',
    async (method) => {
      const listener = await startListener();
      expect((await fetch(`${listener.url}/${FORGED}`, { method })).status).toBe(404);
    },
  );

  it.each(['POST', 'PUT', 'DELETE'])('than GET is refused at /healthz: %s', async (method) => {
    const listener = await startListener();
    const answer = await fetch(`${listener.url}/healthz`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the sign of life', () => {
  it.each(['/healthz', '/sluice/healthz', '/a/b/healthz?x=1'])(
    'may stand under any path, as the proxy leaves it: %s',
    async (path) => {
      const listener = await startListener();
      const answer = await fetch(listener.url + path);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ status: 'ok' });
      expect(answer.headers.get('connection')).toBe('close');
    },
  );

  it.each(['/healthz/', '/healthzz', `/healthz/${FORGED}`, '/x?/healthz'])(
    'is at no other address: %s',
    async (path) => {
      const listener = await startListener();
      expect((await fetch(listener.url + path)).status).toBe(404);
    },
  );
});

describe('a connection', () => {
  it('stays open for whoever knows a key, and for no other client', async () => {
    const listener = await startListener();
    const good = await listener.post('{}');
    expect(good.headers.get('connection')).toBe('keep-alive');
    const health = await fetch(`${listener.url}/healthz`);
    expect(health.headers.get('connection')).toBe('close');
  });
});
