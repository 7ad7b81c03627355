// A platform that only a proxy can reach, over TLS.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../helpers/test-proxy.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

const file = (name: string): string => fileURLToPath(new URL(`tls/${name}.pem`, import.meta.url));
const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --state state.db';
const PASSWORD = 'Tr0ub4dor-hunter2';

async function openShop(respond: Parameters<typeof createServer>[1]) {
  const tls = { key: readFileSync(file('key')), cert: readFileSync(file('certificate')) };
  const server = createServer(tls, respond);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const proxy = await startProxy(`https://127.0.0.1:${port}`);
  onTestFinished(async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });
  const dir = openWorkdir('https://platform.example').write('leads.csv', csv(people(2)));
  const env = {
    HTTPS_PROXY: proxy.url.replace('//', `//ada:${PASSWORD}@`),
    NODE_EXTRA_CA_CERTS: file('certificate'),
  };
  return { proxy, dir, env };
}

test('is asked through a tunnel, and the proxy is told by the doctor without its password', async () => {
  const { proxy, dir, env } = await openShop((_, response) => response.end('{"schema":{}}'));
  const doctor = await dir.sluice('doctor --state state.db', { env });
  expect(doctor.stdout).toContain(`through the proxy ${proxy.url}.`);
  expect(doctor.stdout + doctor.stderr).not.toContain(PASSWORD);
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT platform.example:443']));
  expect(new Set(proxy.shown)).toEqual(new Set([`Basic ${btoa(`ada:${PASSWORD}`)}`]));
});

test('may have got what left through the tunnel and was not answered', async () => {
  const { dir, env } = await openShop((request, response) => {
    if (request.method === 'POST') request.socket.destroy();
    else response.end('{"schema":{}}');
  });
  await dir.sluice(`${ENRICH} --quiet`, { env });
  expect(dir.rows('out.csv').map((row) => row['sluice_status'])).toEqual([
    'uncertain',
    'uncertain',
  ]);
});

test('in the sandbox is asked for nothing, whatever the proxy', async () => {
  const dir = openWorkdir('sandbox', {}).write('leads.csv', csv(people(2)));
  const env = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' };
  expect((await dir.sluice(ENRICH, { env })).code).toBe(0);
});
