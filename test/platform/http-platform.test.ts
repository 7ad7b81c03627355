import { expect, it } from 'vitest';
import type { Clock } from '../../src/ports/clock.js';
import { openTestPlatform, openTestServer, permitOf } from './test-server.js';

const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    }),
};

it('never lets a real platform see more than the limit, submits and polls together', async () => {
  const limit = { requests: 5, perMs: 100 };
  const arrivals: number[] = [];
  const server = await openTestServer((request, response) => {
    arrivals.push(performance.now());
    const isSubmit = request.method === 'POST';
    setTimeout(() => response.end(isSubmit ? '{"id":"enr_1"}' : '{"data":[]}'), Math.random() * 40);
  });
  const platform = openTestPlatform(server.url, {
    clock: realClock,
    limit: [limit],
    concurrency: 8,
  });
  const work = Array.from({ length: 40 }, async (_, i) => {
    if (i % 2 === 0) return platform.read('enr_1', await permitOf(platform));
    const request = { ask: ['verify_email'], inputs: { email: 'a@b.example' } } as const;
    return platform.submit(request, await permitOf(platform));
  });
  const kinds = new Set((await Promise.all(work)).map(({ kind }) => kind));
  await platform.close();
  await server.close();
  expect(kinds).toEqual(new Set(['accepted', 'done']));
  expect(arrivals).toHaveLength(40);
  for (const [i, at] of arrivals.entries()) {
    const sixth = arrivals[i + limit.requests] ?? Infinity;
    expect(sixth - at).toBeGreaterThanOrEqual(limit.perMs);
  }
});
