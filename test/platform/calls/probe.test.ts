import { describe, expect, it } from 'vitest';
import { joinOwners, leaveOwners } from '../../../src/model/schedule/limit.js';
import type { HttpPlatformOptions } from '../../../src/platform/http-platform.js';
import { answer, openTestPlatform, openTestServer, type Respond } from '../test-server.js';
import { createVirtualClock } from '../virtual-clock.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const SCHEMA = { schema: {}, version: {}, properties: ['lead_id'] };

async function probe(respond: Respond, options: Partial<HttpPlatformOptions> = {}) {
  const server = await openTestServer(respond);
  const clock = createVirtualClock({ isAuto: true, startMs: NOW });
  const platform = openTestPlatform(server.url, { clock, ...options });
  return { ...(await platform.probe()), asked: server.asked };
}

const dated = (date: Date, headers = {}) =>
  answer(200, SCHEMA, { date: date.toUTCString(), ...headers });

describe('the probe', () => {
  it('asks once, for the people schema, and finds nothing wrong', async () => {
    const found = await probe(answer(200, SCHEMA));
    expect(found).toMatchObject({ problem: null, asked: ['GET /schema/people'] });
  });

  it('tells what is wrong, once, where a check would ask again', async () => {
    const refused = await probe(answer(401, { error: 'who?' }));
    expect(refused.problem?.message).toMatch(/credentials \(401: who\?\)/);
    expect(refused.isPassable).toBe(false);
    const forbidden = await probe(answer(403, { error: 'not in your plan' }));
    expect(forbidden).toMatchObject({ isPassable: true, problem: { code: 'platform' } });
    const broken = await probe(answer(502, ''));
    expect(broken.problem?.message).toContain('502');
    expect(broken.asked).toHaveLength(1);
  });

  it('tells of nothing but the problem where no answer comes', async () => {
    const found = await probe((request) => request.socket.destroy());
    expect(found).toMatchObject({
      problem: { code: 'platform' },
      clockAheadMs: null,
      limit: null,
      windowMsMin: null,
      headers: null,
    });
  });

  it.each([
    ['our own time', 0, {}, 0],
    ['the second that has begun', -900, {}, 0],
    ['a minute more', 60_000, {}, 60_000],
    ['an hour less', -3_600_000, {}, -3_599_000],
    ['what a cache has kept for an hour', -3_600_000, { age: '3600' }, 0],
  ])('reads %s from the answer', async (_, aheadMs, headers, told) => {
    const found = await probe(
      dated(new Date(Math.floor((NOW + aheadMs) / 1_000) * 1_000), headers),
    );
    expect(found.clockAheadMs).toBe(told);
  });

  it('reads the time of a refusal too, and none where none is told', async () => {
    const late = { date: new Date(NOW + 90_000).toUTCString() };
    expect(await probe(answer(401, '', late))).toMatchObject({ clockAheadMs: 90_000 });
    const silent: Respond = (_, response) => {
      response.sendDate = false;
      response.end(JSON.stringify(SCHEMA));
    };
    expect((await probe(silent)).clockAheadMs).toBeNull();
  });

  it('reads what the headers tell of the limit, and whether they can be read', async () => {
    const told = {
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '9',
      'x-ratelimit-reset': '60',
    };
    expect(await probe(answer(200, SCHEMA, told))).toMatchObject({
      limit: 10,
      windowMsMin: 60_000,
      headers: { verdict: 'ok' },
    });
    const other = { 'x-quota-remaining': '9' };
    expect(await probe(answer(200, SCHEMA, other))).toMatchObject({
      limit: null,
      headers: { verdict: 'wrong', keys: ['limits.headers'] },
    });
  });

  it('waits for the limit like any other request', async () => {
    const now = { at: NOW, steady: null };
    const speaker = { id: 'before', origin: null, now, isDead: () => false };
    const joined = joinOwners(null, [{ requests: 1, perMs: 1_000 }], speaker);
    const found = await probe(answer(200, SCHEMA), {
      limit: [{ requests: 1, perMs: 1_000 }],
      before: leaveOwners(joined, { endedAgoMs: [300], keeps: 0, cleared: [] }, speaker) ?? joined,
    });
    expect(found.problem).toBeNull();
  });
});
