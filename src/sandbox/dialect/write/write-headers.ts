// The headers that tell of the limit, from the neutral names and whole seconds to a dialect's.
import type { FastifyReply } from 'fastify';
import { type Dialect, NEUTRAL_DIALECT } from '../../../dialect/dialect.js';
import type { ResetFormat } from '../../../model/text/time.js';

const NAMES = ['limit', 'remaining', 'reset', 'retryAfter'] as const;

/** Renames what is there; `now` in milliseconds since the Unix epoch. */
export function writeHeaders(reply: FastifyReply, { limits }: Dialect, now: number): void {
  const neutral = NEUTRAL_DIALECT.limits.headers;
  const values = NAMES.map((name) => reply.getHeader(neutral[name]));
  for (const name of NAMES) reply.removeHeader(neutral[name]);
  for (const [i, name] of NAMES.entries()) {
    const value = values[i];
    if (value === undefined) continue;
    const written = name === 'reset' ? writeReset(Number(value), limits.reset, now) : value;
    reply.header(limits.headers[name], written);
  }
}

/** A moment is rounded up to the whole second: nobody comes too early. */
function writeReset(seconds: number, format: ResetFormat, now: number): string | number {
  const at = Math.ceil(now / 1000) + seconds;
  switch (format) {
    case 'auto':
    case 'seconds':
      return seconds;
    case 'epoch':
      return at;
    case 'date':
      return new Date(at * 1000).toUTCString();
  }
}
