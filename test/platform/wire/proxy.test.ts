import { describe, expect, it, onTestFinished } from 'vitest';
import { startProxy } from '../../helpers/test-proxy.js';
import {
  answer,
  openTestPlatform,
  openTestServer,
  permitOf,
  problemOf,
  type Respond,
} from '../test-server.js';

const REQUEST = { ask: ['verify_email'], inputs: { email: 'a@b.example' } } as const;
const SECRET = 'hunter2-hunter2';

/** A platform behind a proxy, by an address that only the proxy can reach. */
async function behind(scheme: string, respond: Respond, way: 200 | 403 | 407 | 'hangUp' = 200) {
  const server = await openTestServer(respond);
  const proxy = await startProxy(server.url, way);
  const address = new URL(proxy.url);
  Object.assign(address, { username: 'ada', password: SECRET });
  const platform = openTestPlatform(`${scheme}://platform.example/v2`, { proxy: address });
  onTestFinished(() => proxy.close());
  return { server, proxy, platform };
}

describe('a platform over http', () => {
  it('is asked through the proxy, by its whole address, which the proxy alone gets credentials for', async () => {
    const { server, proxy, platform } = await behind('http', answer(200, { id: 'enr_1' }));
    const outcome = await platform.submit(REQUEST, await permitOf(platform));
    expect(outcome).toMatchObject({ kind: 'accepted', ticket: 'enr_1' });
    expect(proxy.asked).toEqual(['POST http://platform.example/v2/enrich']);
    expect(proxy.shown).toEqual([`Basic ${btoa(`ada:${SECRET}`)}`]);
    expect(server.asked).toEqual(['POST /v2/enrich?verifyEmail=true&email=a%40b.example']);
  });

  it('may have got what the proxy took and did not answer', async () => {
    const { platform } = await behind('http', (request) => request.socket.destroy());
    const outcome = await platform.submit(REQUEST, await permitOf(platform));
    expect(outcome.kind).toBe('uncertain');
  });

  it('is not blamed for a proxy that wants other credentials', async () => {
    const { platform, server } = await behind('http', answer(200, {}), 407);
    const problem = await problemOf(() => platform.listHooks());
    expect(problem.message).toMatch(
      /A proxy on the way to .* refused its credentials \(407.*HTTPS?_PROXY/,
    );
    expect(problem.message).not.toContain(SECRET);
    expect(server.asked).toEqual([]);
  });
});

describe('a platform over https', () => {
  it.each([403, 407, 'hangUp'] as const)(
    'got nothing where the proxy makes no tunnel: %s',
    async (way) => {
      const { server, proxy, platform } = await behind('https', answer(200, {}), way);
      const outcome = await platform.submit(REQUEST, await permitOf(platform));
      expect(outcome).toMatchObject({ kind: 'unsent', isFinal: false });
      const said =
        JSON.stringify(outcome) + String('problem' in outcome && outcome.problem?.message);
      expect(said).toContain(`the proxy at ${proxy.url}`);
      expect(said).not.toContain(SECRET);
      const isRefused = said.includes('refused its credentials (407). Check the user name and');
      expect(isRefused).toBe(way === 407);
      expect(said.includes('Check the address and the network')).toBe(way !== 407);
      expect(proxy.asked).toEqual(['CONNECT platform.example:443']);
      expect(server.asked).toEqual([]);
    },
  );

  it('got nothing where the tunnel leads to what is not secure', async () => {
    const { server, platform } = await behind('https', answer(200, {}));
    const outcome = await platform.submit(REQUEST, await permitOf(platform));
    expect(outcome).toMatchObject({ kind: 'unsent', isFinal: false });
    expect(server.asked).toEqual([]);
  });
});

it.each(['http', 'https'])('over %s got nothing where no proxy is there', async (scheme) => {
  const { platform, proxy } = await behind(scheme, answer(200, {}));
  await proxy.close();
  const outcome = await platform.submit(REQUEST, await permitOf(platform));
  expect(outcome).toMatchObject({ kind: 'unsent', isFinal: false });
});
