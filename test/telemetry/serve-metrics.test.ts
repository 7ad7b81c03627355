import { describe, expect, it, onTestFinished } from 'vitest';
import { openMetrics } from '../../src/telemetry/open-metrics.js';
import { serveMetrics } from '../../src/telemetry/serve-metrics.js';
import { readExposition } from '../helpers/exposition.js';

async function served(source = openMetrics('nightly') as Parameters<typeof serveMetrics>[1]) {
  const server = await serveMetrics({ host: '127.0.0.1', port: 0 }, source);
  onTestFinished(() => server.close());
  return server;
}

describe('the address of metrics', () => {
  it('answers a scrape in the text format, and nothing else', async () => {
    const { url } = await served();
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    readExposition(await answer.text());
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(url, { method: 'POST' })).status).toBe(404);
    expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404);
  });

  it('says without a word of why that it has none at the moment', async () => {
    const text = () => Promise.reject(new Error('/secret/path'));
    const { url } = await served({ contentType: 'text/plain', text });
    const answer = await fetch(url);
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain('secret');
  });

  it('that is taken is told with the flag that chooses another', async () => {
    const { port } = await served();
    const again = serveMetrics({ host: '127.0.0.1', port }, openMetrics());
    await expect(again).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/the port is taken; choose another with --metrics-listen/),
    });
  });
});
