// Requests that a function of the program carries, which looks like `fetch`.
import { type Answer, type Call, type Carry, type Exchange, startSystemTimer } from './exchange.js';
import type { Headers } from './headers.js';

/** A request as `fetch` takes it. Its headers hold the credentials. */
export interface CarriedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to the platform, the usual way. */
export type SendRequest = (url: string, request: CarriedRequest) => Promise<Response>;

/**
 * Carries a request: it calls `send`, or answers in the platform's place. If its promise rejects, a paid request counts
 * as sent, and its lead as uncertain, unless it is the error of `send` for a request of which nothing has left.
 */
export type Carrying = (
  url: string,
  request: CarriedRequest,
  send: SendRequest,
) => Promise<Response>;

class NotAnswered extends Error {
  constructor(readonly exchange: Exclude<Exchange, Answer>) {
    super(exchange.cause.message, { cause: exchange.cause });
  }
}

export function carriedBy(carrying: Carrying, origin: string, overHttp: Carry): Carry {
  return async (call, how) => {
    const answers = new WeakMap<Response, Answer>();
    let isSent = false;
    const send: SendRequest = async (url, request) => {
      if (!url.startsWith(`${origin}/`)) throw new Error(`send goes to ${origin} alone`);
      // The permit of the limit is for one request, and a second one would be paid for.
      if (isSent) throw new Error('send sends a request once');
      isSent = true;
      const sent = { ...request, method: request.method as Call['method'] };
      const exchange = await overHttp({ ...sent, path: url.slice(origin.length) }, how);
      if (exchange.kind !== 'answered') throw new NotAnswered(exchange);
      const response = responseOf({ ...exchange, body: exchange.text });
      answers.set(response, exchange);
      return response;
    };
    const { path, ...request } = call;
    const { startTimer = startSystemTimer, timeoutMs } = how;
    let stopTimer: (() => void) | undefined;
    // `send` keeps to the time by itself.
    const late = new Promise<never>((_, reject) => {
      const error = new Error(`no answer within ${(2 * timeoutMs) / 1_000} s`);
      stopTimer = startTimer(() => reject(error), 2 * timeoutMs);
    });
    try {
      const response = await Promise.race([carrying(origin + path, request, send), late]);
      const known = answers.get(response);
      if (known !== undefined) return known;
      const head = { status: response.status, headers: Object.fromEntries(response.headers) };
      if (!isSent) how.onHead?.(head);
      return { kind: 'answered', ...head, text: await Promise.race([response.text(), late]) };
    } catch (error) {
      if (error instanceof NotAnswered) return error.exchange;
      return { kind: 'lost', cause: error instanceof Error ? error : new Error(String(error)) };
    } finally {
      stopTimer?.();
    }
  };
}

interface Parts {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

export function responseOf({ body, headers, status }: Parts): Response {
  const pairs = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers: pairs });
}
