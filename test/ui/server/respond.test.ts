// A download through the timeout of its connection, shorter than any server's.
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { sendAnswer } from '../../../src/ui/server/respond.js';

/** Asks for `body`, which the server sends on a connection that is closed when nothing moves on it. */
async function download(body: Readable) {
  const server = createServer();
  server.timeout = 20;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asking = get({ host: '127.0.0.1', port, agent: false });
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const sent = sendAnswer(response, { kind: 'download', name: 'a.csv', type: 'text/csv', body });
  return { asking, request, response, sent };
}

it('a download goes on where its next piece takes longer than a connection may be still', async () => {
  const body = new PassThrough();
  body.write('a,b\n');
  const { asking, request, sent } = await download(body);
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  await once(request.socket, 'timeout');
  body.end('1,2\n');
  expect(await text(answer)).toBe('a,b\n1,2\n');
  await sent;
});

it('a browser that does not read its download is cut off', async () => {
  const body = Readable.from(
    (function* () {
      for (;;) yield 'x'.repeat(65_536);
    })(),
  );
  const { asking, sent } = await download(body);
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  answer.pause();
  await expect(sent).rejects.toThrow();
  expect(body.destroyed).toBe(true);
  answer.destroy();
});
