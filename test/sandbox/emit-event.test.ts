import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emitEvent } from '../../src/sandbox/emit-event.js';
import { startSandbox } from './start-sandbox.js';

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  // The address of a listening TCP server is never a string.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const PAUSED = { type: 'paused', fields: {} };

describe('emitEvent', () => {
  it('tells that nothing answers', async () => {
    const sandbox = await startSandbox();
    const { url } = sandbox;
    await sandbox.close();
    await expect(emitEvent(url, PAUSED)).rejects.toMatchObject({
      code: 'platform',
      message: `No sandbox can be reached at ${url}/sandbox/emit: ECONNREFUSED. Start one with "sluice sandbox", or name another with --url.`,
    });
  });

  it.each([
    [404, '<html></html>'],
    [200, '{"id":1}'],
    [400, 'Bad Request'],
  ])('tells that what answers %i %s is no sandbox', async (status, text) => {
    const url = await listen(
      createServer((_request, response) => response.writeHead(status).end(text)),
    );
    await expect(emitEvent(url, PAUSED)).rejects.toMatchObject({
      code: 'platform',
      message: expect.stringContaining(`is no sandbox of this version (status ${status})`),
    });
  });

  it.each([
    'nonsense',
    'ftp://127.0.0.1',
    'http://user:pass@127.0.0.1',
    'http://user@127.0.0.1',
    '',
  ])('takes %j for no address', async (url) => {
    await expect(emitEvent(url, PAUSED)).rejects.toMatchObject({
      code: 'usage',
      message: expect.not.stringContaining('pass@'),
    });
  });
});
