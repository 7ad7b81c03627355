import { Agent } from 'undici';
import { z } from 'zod';
import { errnoOf } from '../../model/errors.js';
import { describeFailure } from '../../platform/answers/problems.js';
import { quoteBody } from '../../platform/redact/quote.js';

const TIMEOUT_MS = 2_000;
/** The limit for an answer: one of our `/healthz` is shorter; of any other answer the beginning is enough. */
const BODY_BYTES_MAX = 4_096;
const HEALTH = z.object({ instance: z.string() });

/** It holds no process back: its connections do not count while nothing is asked. */
const agent = new Agent();

export type Answerer =
  | { readonly kind: 'listener'; readonly instance: string }
  /** Another program or a proxy; `says` is a clause like `502: "<html>…"`. */
  | { readonly kind: 'other'; readonly says: string }
  /** `why` is a clause. */
  | { readonly kind: 'silence'; readonly why: string };

/** Asks the address. Never rejects. Redirects are not followed, because a platform need not follow them either. */
export async function answererAt(url: string, timeoutMs = TIMEOUT_MS): Promise<Answerer> {
  try {
    const { statusCode, body } = await request(`${url}/healthz`, timeoutMs);
    const text = await beginningOf(body);
    const health = HEALTH.safeParse(parse(text));
    if (statusCode === 200 && health.success) {
      return { kind: 'listener', instance: health.data.instance };
    }
    return { kind: 'other', says: `${statusCode}: ${quoteBody(text, [])}` };
  } catch (error) {
    if (isLate(error)) return { kind: 'silence', why: 'no answer came in time' };
    const why = error instanceof Error ? describeFailure(error) : String(error);
    return { kind: 'silence', why };
  }
}

function isLate(error: unknown): boolean {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  return isTimeout || errnoOf(error) === 'UND_ERR_HEADERS_TIMEOUT';
}

function request(url: string, timeoutMs: number) {
  const { origin, pathname } = new URL(url);
  return agent.request({
    origin,
    path: pathname,
    method: 'GET',
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    signal: AbortSignal.timeout(2 * timeoutMs),
  });
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
