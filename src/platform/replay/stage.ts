// A platform that gives the recorded answers: our own client writes each request and reads each answer as it does in a
// run, and nothing leaves this process.
import type { Dialect } from '../../dialect/dialect.js';
import type { RecordedAnswer } from '../../dialect/transcript/recorded.js';
import type { JsonValue } from '../../model/text/json.js';
import type { Permit, Platform } from '../../ports/platform.js';
import { openHttpPlatform } from '../http-platform.js';
import { responseOf } from '../wire/carry.js';
import type { Call } from '../wire/exchange.js';

/** The request of one act of the client, and the value that it made of the answer. */
export interface Played<T> {
  readonly value: T;
  readonly sent: Call | undefined;
  readonly isThrottled: boolean;
}

/** Answers a request of an act other than the one in question: the body of a 200, or undefined. */
export type Aside = (call: Call) => JsonValue | undefined;

export interface Stage {
  /** Gives this answer to every request of the act, except those that `aside` answers. */
  play<T>(
    answer: RecordedAnswer,
    act: (platform: Platform, permit: Permit) => Promise<T>,
    aside?: Aside,
  ): Promise<Played<T>>;
  close(): Promise<void>;
}

/** A time longer than any `result.every`. */
const LONG_MS = 366 * 86_400_000;

export const NOWHERE = 'https://platform.example';

/** The text in place of every credential; a transcript has none. */
const CREDENTIAL = 'credential';

export function openStage(dialect: Dialect): Stage {
  let answer: RecordedAnswer = { status: 500, headers: {}, body: '' };
  let sent: Call | undefined;
  let beside: Aside | undefined;
  let isThrottled = false;
  let nowMs = 0;
  const platform = openHttpPlatform({
    baseUrl: NOWHERE,
    credentials:
      dialect.auth === 'basic'
        ? { username: CREDENTIAL, password: CREDENTIAL }
        : { apiKey: CREDENTIAL },
    dialect,
    limit: [],
    // A free call takes a permit of its own.
    concurrency: 2,
    // Waits end at once, also those of pauses.
    clock: {
      now: () => nowMs,
      sleep: (ms) => {
        nowMs += ms;
        return Promise.resolve();
      },
    },
    watch: {
      observesRequests: false,
      observe: ({ kind }) => {
        if (kind === 'limit.paused') isThrottled = true;
      },
    },
    carrying: async (url, request) => {
      const call = { ...request, path: url.slice(NOWHERE.length) } as Call;
      const other = beside?.(call);
      if (other !== undefined) return Response.json(other);
      sent ??= call;
      return responseOf(answer);
    },
  });
  return {
    play: async (recorded, act, aside) => {
      [answer, sent, isThrottled, beside] = [recorded, undefined, false, aside];
      // The recorder waited between two reads of one ticket.
      nowMs += LONG_MS;
      const [permit] = await platform.reserve('submit', 1);
      if (permit === undefined) throw new Error('a permit without a signal is always given');
      const value = await act(platform, permit);
      permit.release();
      return { value, sent, isThrottled };
    },
    close: () => platform.close(),
  };
}
