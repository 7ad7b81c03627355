import { expect, it } from 'vitest';
import type { CheckContext } from '../../../src/app/doctor/check-context.js';
import {
  checkClock,
  checkRateLimit,
  judgeSecrecy,
} from '../../../src/app/doctor/check-platform.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { systemClock } from '../../../src/app/system-clock.js';
import { type PlatformProbe, right, wrong } from '../../../src/model/resources/check.js';
import { parseRate } from '../../../src/model/schedule/rate.js';
import { sqliteExaminer } from '../../../src/store/sqlite/state-checkup.js';

const PROBE: PlatformProbe = {
  problem: null,
  isPassable: false,
  clockAheadMs: 0,
  limit: 20,
  windowMsMin: 1_500,
  headers: right('they can be read'),
};

/** What the checks go by after the platform answered; without an answer where there is no probe. */
function contextWith(probe: Partial<PlatformProbe> | undefined, rate = '20/2s'): CheckContext {
  const wish = {
    loadJob: undefined,
    account: undefined,
    url: undefined,
    dialect: undefined,
    state: undefined,
    openEnvFile: () => undefined,
    environment: () => readEnvironment({}),
  };
  return {
    wish: { ...wish, rate: parseRate(rate) },
    environment: wish.environment(),
    examiner: sqliteExaminer,
    clock: systemClock,
    state: 'state.db',
    ...(probe === undefined ? {} : { probe: { ...PROBE, ...probe } }),
  };
}

it.each<[string, Partial<PlatformProbe> | undefined, string, string, RegExp]>([
  ['the same limit', {}, '20/2s', 'ok', /20 requests; 20\/2s is kept to/],
  ['a higher limit', { limit: 40 }, '20/2s', 'ok', /40 requests/],
  ['no limit', { limit: null, windowMsMin: null }, '20/2s', 'ok', /states no limit/],
  ['a lower limit', { limit: 10 }, '20/2s', 'warn', /10 requests, and 20\/2s/],
  ['a longer window', { limit: 100, windowMsMin: 50_000 }, '20/2s', 'warn', /at least 50 s/],
  ['a longer window for more', { limit: 600, windowMsMin: 50_000 }, '20/2s', 'ok', /600/],
  ['a limit where none is kept', {}, 'off', 'warn', /rate is off/],
  ['what cannot be read', { headers: wrong('X cannot be read', ['a.b']) }, '20/2s', 'warn', /^X/],
  ['no answer', { headers: null }, '20/2s', 'skipped', /No answer/],
  ['no question', undefined, '20/2s', 'skipped', /not asked/],
])('the limit is judged by %s', (_, probe, rate, verdict, says) => {
  const finding = checkRateLimit(contextWith(probe, rate));
  expect(finding.verdict).toBe(verdict);
  expect(finding.says).toMatch(says);
});

it.each([
  ['https://api.example.com/v2', 'ok'],
  ['HTTPS://api.example.com', 'ok'],
  ['http://127.0.0.1:8080', 'ok'],
  ['http://localhost', 'ok'],
  ['http://[::1]:8080', 'ok'],
  ['http://api.example.com', 'warn'],
  ['HTTP://10.0.0.7/v2', 'warn'],
  ['http://127.0.0.1.example.com', 'warn'],
  ['http://https.example.com', 'warn'],
])('credentials that go to %s: %s', (url, verdict) => {
  expect(judgeSecrecy(url).verdict).toBe(verdict);
});

it.each<[number | null, string, string]>([
  [0, 'ok', '0 s apart'],
  [-30_000, 'ok', '30 s apart'],
  [31_000, 'warn', '31 s behind the platform'],
  [-31_000, 'warn', '31 s ahead of the platform'],
  [null, 'skipped', 'states no time'],
])("a platform's clock that is %s ms ahead is %s", (clockAheadMs, verdict, says) => {
  const finding = checkClock(contextWith({ clockAheadMs }));
  expect(finding.verdict).toBe(verdict);
  expect(finding.says).toContain(says);
});
