// Sends a notice as a POST, without the platform's limiter and credentials.
import { errnoOf } from '../model/errors.js';
import type { Clock } from '../ports/clock.js';

const ANSWER_MS_MAX = 10_000;
/** The pauses before the second and the third attempt. */
const PAUSES_MS = [1_000, 4_000];

/**
 * Follows no redirect: the user chose this address and no other. Tries again after trouble that may pass: no answer,
 * 429 and 5xx.
 * @returns the trouble, without the address, which may be a secret; undefined if the notice was accepted
 */
export async function postNotice(
  url: string,
  body: string,
  clock: Pick<Clock, 'sleep'>,
): Promise<string | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    const status = await post(url, body);
    if (typeof status === 'number' && status >= 200 && status < 300) return undefined;
    const mayPass = typeof status !== 'number' || status === 429 || status >= 500;
    const pauseMs = PAUSES_MS[attempt];
    if (!mayPass || pauseMs === undefined) return describe(status, attempt + 1);
    await clock.sleep(pauseMs);
  }
}

/** The status of the answer, or why there is none. */
async function post(url: string, body: string): Promise<number | string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'sluice' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in 10 s';
    // The message of this error may contain the address; its code does not.
    const code = error instanceof Error ? errnoOf(error.cause) : undefined;
    return `it could not be reached${code === undefined ? '' : ` (${code})`}`;
  }
}

function describe(status: number | string, attempts: number): string {
  const often = attempts === 1 ? '' : `, after ${attempts} attempts`;
  if (typeof status === 'string') return `${status}${often}`;
  const hint = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  return `it answered ${status}${hint}${often}`;
}
