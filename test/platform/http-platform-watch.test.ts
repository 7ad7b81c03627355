// What whoever watches is told of requests and of the limit.
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/model/telemetry/observe.js';
import { answer, openAt, permitOf, type Respond } from './test-server.js';

const JANE = { ask: ['find_email'], inputs: { firstName: 'Jane', lastName: 'Doe' } } as const;

async function watched(observesRequests: boolean, ...responds: Respond[]) {
  const events: RunEvent[] = [];
  const watch = { observesRequests, observe: (event: RunEvent) => void events.push(event) };
  return { events, ...(await openAt(responds, { watch })) };
}

describe('whoever watches requests', () => {
  it('is told of each, before and after, with its route and status', async () => {
    const { events, platform } = await watched(true, answer(200, { id: 'enr_1' }));
    await platform.submit(JANE, await permitOf(platform));
    const shared = { route: 'submit', attempt: 1 };
    expect(events).toEqual([
      { kind: 'request.sent', ...shared },
      { kind: 'request.answered', ...shared, status: 200, durationMs: expect.any(Number) },
    ]);
  });

  it('is told of every sending of one that is throttled, and of the pause', async () => {
    const throttled: Respond = (_, response) => {
      response.writeHead(429, { 'retry-after': '0' }).end();
    };
    const { events, platform } = await watched(true, throttled, answer(200, { schema: {} }));
    await platform.check();
    const told = events.filter(({ kind }) => kind !== 'limit.waited');
    expect(told.map((event) => ('attempt' in event ? event.attempt : event.kind))).toEqual([
      1,
      'limit.paused',
      1,
      2,
      2,
    ]);
    expect(told[1]).toMatchObject({ route: 'people_schema', status: 429 });
  });
});

describe('whoever does not', () => {
  it('is told of troubles and of nothing else', async () => {
    const quiet = await watched(false, answer(200, { id: 'enr_1' }));
    await quiet.platform.submit(JANE, await permitOf(quiet.platform));
    expect(quiet.events).toEqual([]);
    const cut: Respond = (request) => request.socket.destroy();
    const { events, platform } = await watched(false, cut);
    await platform.submit(JANE, await permitOf(platform));
    expect(events).toEqual([
      {
        kind: 'request.failed',
        route: 'submit',
        attempt: 1,
        became: 'lost',
        code: expect.stringMatching(/^[A-Z_]+$/),
        durationMs: expect.any(Number),
      },
    ]);
  });
});
