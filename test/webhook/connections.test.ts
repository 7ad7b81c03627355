// What the listener's server makes of connections: slow ones, silent ones, and what is no HTTP.
import { expect, it } from 'vitest';
import { KEYS, openConnection, RECEIVED, rawPost, startListener } from './start-listener.js';

it.each([
  ['silent', ''],
  ['in its headers', `POST /${KEYS.hook} HTTP/1.1\r\nhost: x\r\n`],
  ['in its body', rawPost('{"a":1}').slice(0, -3)],
])('a sender that stops %s is cut off', async (_where, bytes) => {
  const listener = await startListener({ patienceMs: 50 });
  const connection = openConnection(listener.port);
  if (bytes !== '') connection.send(bytes);
  expect(await connection.ended).toMatch(/^HTTP\/1\.1 408 /);
  expect(listener.kept).toEqual([]);
});

it('who waits for a slow store is not cut off', async () => {
  const patienceMs = 1000;
  const slow: (() => void)[] = [];
  const listener = await startListener({
    patienceMs,
    keep: () => new Promise((resolve) => slow.push(resolve)),
  });
  const patient = openConnection(listener.port);
  patient.send(rawPost('{}'));
  // In the meantime two silent connections are ended.
  for (let i = 0; i < 2; i += 1) {
    const silent = openConnection(listener.port);
    await silent.ended;
  }
  expect(slow).toHaveLength(1);
  slow[0]?.();
  expect(await patient.answers(1)).toContain(RECEIVED);
});

it.each([
  ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['GET\r\n\r\n', 400],
  ['FROBNICATE / HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ['GET / HTTP/9.9\r\nhost: x\r\n\r\n', 400],
  [`POST /${KEYS.hook} HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n`, 400],
  [
    `POST /${KEYS.hook} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
    400,
  ],
  [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
])('what is no HTTP is told so, and ends its connection: case %#', async (bytes, status) => {
  const listener = await startListener();
  const connection = openConnection(listener.port);
  connection.send(bytes);
  const text = await connection.ended;
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect((await listener.post('{}')).status).toBe(200);
});

it('a request without a host is refused by the server itself', async () => {
  const listener = await startListener();
  const connection = openConnection(listener.port);
  connection.send('GET / HTTP/1.1\r\n\r\n');
  expect(await connection.ended).toMatch(/^HTTP\/1\.1 400 /);
});

it.each([
  ['POST /x HTTP/1.1', 'expect: 100-continue\r\ncontent-length: 9', 404],
  ['POST /x HTTP/1.0', 'content-length: 0', 404],
  ['GET /healthz HTTP/1.0', 'x: y', 200],
  ['GET /healthz HTTP/1.1', 'x: y', 200],
  ['HEAD /readyz HTTP/1.1', 'x: y', 200],
  ['HEAD / HTTP/1.1', 'x: y', 404],
  ['OPTIONS * HTTP/1.1', 'x: y', 404],
  ['QUERY / HTTP/1.1', 'content-length: 0', 404],
  ['POST /%zz HTTP/1.1', 'content-length: 0', 404],
  ['POST /x HTTP/1.1', 'upgrade: h2c\r\ncontent-length: 0', 404],
])('who shows no key keeps no connection: %s, %j', async (line, header, status) => {
  const listener = await startListener();
  const connection = openConnection(listener.port);
  connection.send(`${line}\r\nhost: x\r\nconnection: keep-alive\r\n${header}\r\n\r\n`);
  expect(await connection.ended).toMatch(new RegExp(`HTTP/1\\.1 ${status} `));
});

it('tunnels and upgrades lead nowhere', async () => {
  const listener = await startListener();
  const tunnel = openConnection(listener.port);
  tunnel.send('CONNECT example.com:80 HTTP/1.1\r\nhost: x\r\n\r\n');
  await tunnel.ended;
  const upgrade = openConnection(listener.port);
  upgrade.send('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  expect(await upgrade.ended).toMatch(/^HTTP\/1\.1 404 /);
});

it('takes many requests over one connection, also without waiting for the answers', async () => {
  const listener = await startListener();
  const connection = openConnection(listener.port);
  connection.send(Array.from({ length: 50 }, (_, n) => rawPost(`{"n":${n}}`)).join(''));
  const text = await connection.answers(50);
  expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(50);
  expect(listener.bodies()).toEqual(Array.from({ length: 50 }, (_, n) => `{"n":${n}}`));
});
