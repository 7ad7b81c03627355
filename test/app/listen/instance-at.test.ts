import { expect, it } from 'vitest';
import { answererAt } from '../../../src/app/listen/instance-at.js';
import { answering, startServer } from '../../helpers/counting-server.js';

it('tells a listener of ours by its sign of life', async () => {
  const server = await startServer(answering({ status: 'ok', instance: 'a.b' }));
  expect(await answererAt(`${server.url}/sluice`)).toEqual({ kind: 'listener', instance: 'a.b' });
  expect(server.asked).toEqual(['GET /sluice/healthz']);
});

it.each<[string, number, string, string]>([
  ['a page', 200, '<title>Welcome</title>', '200: "<title>Welcome</title>"'],
  ['other JSON', 200, '{"status":"up"}', '200: "{"status":"…"}"'],
  ['an error, whatever its body says', 503, '{"instance":"a.b"}', '503: "{"instance":"…"}"'],
  ['nothing', 204, '', '204: an empty body'],
])('quotes what else is there: %s', async (_, status, body, says) => {
  const server = await startServer((__, response) => {
    response.writeHead(status).end(body);
  });
  expect(await answererAt(server.url)).toEqual({ kind: 'other', says });
});

it('reads no more than the beginning of what does not end', async () => {
  const server = await startServer((_, response) => {
    const pour = () => {
      while (response.write('x'.repeat(10_000)));
      response.once('drain', pour);
    };
    response.on('error', () => undefined);
    pour();
  });
  expect(await answererAt(server.url)).toMatchObject({ kind: 'other' });
});

it('says why there is silence', async () => {
  const silent = await startServer(() => undefined);
  expect(await answererAt(silent.url, 50)).toEqual({
    kind: 'silence',
    why: expect.stringContaining('in time'),
  });
  await silent.close();
  expect(await answererAt(silent.url)).toEqual({
    kind: 'silence',
    why: 'the connection was refused (ECONNREFUSED)',
  });
});

it('follows no redirect, and sends no credentials', async () => {
  const elsewhere = await startServer(answering({ status: 'ok', instance: 'a.b' }));
  const sent: string[][] = [];
  const server = await startServer((request, response) => {
    sent.push(Object.keys(request.headers));
    response.writeHead(302, { location: `${elsewhere.url}/healthz` }).end();
  });
  expect(await answererAt(server.url)).toEqual({ kind: 'other', says: '302: an empty body' });
  expect(elsewhere.asked).toEqual([]);
  expect(sent).toEqual([['host', 'connection']]);
});
