// As `Platform.probe`: asks the question of the check once, and reads from the head of its answer the platform's clock
// and limit.

import type { PlatformProbe } from '../../model/resources/check.js';
import { parseDate } from '../../model/text/date.js';
import { headerOf, judgeLimitHeaders, readRate } from '../limit/rate-headers.js';
import type { Headers } from '../wire/exchange.js';
import type { Wire } from '../wire/wire.js';
import { checkQuestion, hasFreeQuestion } from './account.js';
import { ask } from './ask-free.js';

/** The resolution of `Date`: whole seconds. */
const DATE_MS = 1_000;

export async function probePlatform(
  wire: Wire,
  signal?: AbortSignal,
): Promise<PlatformProbe | null> {
  const { clock, dialect } = wire;
  if (!hasFreeQuestion(dialect)) return null;
  const startedAt = clock.now();
  const { sent, judged } = await ask(wire, signal, checkQuestion(wire));
  const problem = 'problem' in judged ? judged.problem : null;
  if (sent.kind !== 'answered') {
    return { problem, clockAheadMs: null, limit: null, windowMsMin: null, headers: null };
  }
  const { headers } = sent;
  const at = clock.now();
  const { limit, resetMs } = readRate(headers, dialect.limits, at);
  return {
    problem,
    clockAheadMs: aheadMs(headers, startedAt, at),
    limit: limit ?? null,
    windowMsMin: resetMs ?? null,
    headers: judgeLimitHeaders(headers, dialect, at),
  };
}

/** How far the platform's clock is ahead; 0 for any moment between the request and its answer. */
function aheadMs(headers: Headers, startedAt: number, endedAt: number): number | null {
  const date = parseDate(headerOf(headers, 'date') ?? '');
  if (date === undefined) return null;
  // The time for which a cache has kept the answer.
  const age = Number(/^\d{1,9}$/.exec(headerOf(headers, 'age') ?? '')?.[0] ?? 0);
  const sentAt = date + age * 1_000;
  if (sentAt > endedAt) return sentAt - endedAt;
  return Math.min(0, sentAt + DATE_MS - startedAt);
}
