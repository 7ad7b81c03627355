// A platform that asks for a long pause by the time of its reset alone: that may be meant otherwise than it is read.
import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import { nextTurn } from '../../helpers/driven-clock.js';
import { answer, openTestPlatform, openTestServer } from '../test-server.js';
import { createVirtualClock } from '../virtual-clock.js';

/**
 * Six questions at once, of which the first `refusals` are throttled with these headers. A second passes only while no
 * request is under way.
 */
async function askSix(refusals: number, headers: Readonly<Record<string, string>>, limits = {}) {
  const dialect = dialectSchema.parse({ limits });
  const { status = 200 } = dialect.limits.throttled[0] ?? {};
  const clock = createVirtualClock();
  const said: RunEvent[] = [];
  const arrivals: number[] = [];
  let underWay = 0;
  const server = await openTestServer((request, response) => {
    arrivals.push(clock.now());
    const isRefused = arrivals.length <= refusals;
    const respond = isRefused ? answer(status, 'slow down', headers) : answer(200, { schema: {} });
    respond(request, response);
  });
  const observe = (event: RunEvent) => {
    if (event.kind === 'request.sent') underWay += 1;
    if (event.kind === 'request.answered') underWay -= 1;
    if (event.kind === 'run.warned') said.push(event);
  };
  const platform = openTestPlatform(server.url, {
    clock,
    dialect,
    limit: [{ requests: 20, perMs: 2_000 }],
    concurrency: 6,
    watch: { observesRequests: true, observe },
  });
  const startMs = clock.now();
  let answers: readonly boolean[] | undefined;
  const asked = Promise.all(Array.from({ length: 6 }, () => platform.check()));
  void asked.then((all) => (answers = all));
  while (answers === undefined) {
    for (let turns = 0; turns < 3; turns += 1) await nextTurn();
    if (underWay === 0) await clock.advance(1_000);
  }
  return { answers, said, afterMs: arrivals.map((at) => at - startMs) };
}

describe.each([
  ['said by the status', { reset: 'seconds' }],
  ['said by a word', { reset: 'seconds', throttled: [{ status: 200, word: 'slow down' }] }],
])('a long pause that the reset alone says, %s', (_, limits) => {
  it('is over when one request a minute has shown it, and then all go on', async () => {
    const far = { 'x-ratelimit-reset': '3000' };
    const { answers, afterMs, said } = await askSix(25, far, limits);
    expect(answers).toEqual(Array(6).fill(true));
    const minutes = afterMs.map((ms) => Math.round(ms / 60_000));
    // All that were under way, then one a minute, more often than a request is repeated otherwise.
    const oneByOne = Array.from({ length: 20 }, (_, i) => i + 1);
    expect(minutes).toEqual([...Array(6).fill(0), ...oneByOne, ...Array(5).fill(20)]);
    expect(said).toMatchObject([{ warning: 'waits_long' }]);
    expect(said[0]).toHaveProperty(
      'message',
      'The platform asks to wait until 1970-01-01 01:06:40 (UTC), by "x-ratelimit-reset: 3000". One request a minute asks again, and all go on once it is answered otherwise. If the wait is wrong, see "limits.reset" in the dialect.',
    );
  });
});

it('a pause that Retry-After says is told, and tried each minute, whatever the reset says', async () => {
  const headers = { 'retry-after': '999999', 'x-ratelimit-reset': '1' };
  const { afterMs, said } = await askSix(8, headers);
  const minutes = afterMs.map((ms) => Math.round(ms / 60_000));
  expect(minutes).toEqual([...Array(6).fill(0), 1, 2, ...Array(6).fill(3)].slice(0, 14));
  expect(said).toMatchObject([
    {
      warning: 'waits_long',
      message: expect.stringMatching(/until 1970-01-12 .* by "retry-after: 999999"\. One request/),
    },
  ]);
});

it('a short pause that the reset says is kept, and all go on after it', async () => {
  const { afterMs, said } = await askSix(6, { 'x-ratelimit-reset': '60' });
  expect(afterMs.slice(6).map((ms) => Math.round(ms / 1_000))).toEqual(Array(6).fill(60));
  expect(said).toMatchObject([
    { warning: 'waits', message: expect.stringMatching(/ 60"\. If the wait/) },
  ]);
});
