// Sends a request under the limit. A throttled request certainly was not accepted, and the pause that the platform asks
// for holds every other request back as well. After it a poll is sent again, with a new permit; a submit never waits
// and is never repeated, so that its lead is not `submitting` for longer than one request takes.
import type { Dialect } from '../../dialect/dialect.js';
import { isSaidByStatus } from '../../dialect/signal.js';
import { errnoOf, type SluiceError } from '../../model/errors.js';
import type { Rate, RequestKind } from '../../model/schedule/rate.js';
import type { Route } from '../../model/telemetry/event-fields.js';
import type { RunEvent, Watch } from '../../model/telemetry/observe.js';
import { parseUrl } from '../../model/text/address.js';
import type { Clock } from '../../ports/clock.js';
import type { Permit } from '../../ports/platform.js';
import { isThrottled } from '../answers/status-kind.js';
import type { Limiter } from '../limit/limiter.js';
import { readPause, readRate } from '../limit/rate-headers.js';
import {
  type Answer,
  type AnswerHead,
  type Call,
  type Carry,
  type Exchange,
  type StartTimer,
} from './exchange.js';
import { headerOf } from './headers.js';

/** How often one poll is sent while the platform throttles it. */
const ATTEMPTS_MAX = 8;
/** The pause after a 429 that names no pause, if there is no limit to take it from. */
const PAUSE_MS_DEFAULT = 1_000;

/** How many answers 303 are followed in turn. */
const FOLLOWED_MAX = 3;

export interface RoutedCall extends Call {
  readonly route: Route;
}

export type Sent =
  | Exchange
  | { readonly kind: 'throttled'; readonly status: number; readonly attempts: number }
  /** A submit that was not sent: a pause began after its permit was given. */
  | { readonly kind: 'must_wait' }
  /** Not sent: the signal aborted, or the platform closed, while it waited for the limit. */
  | { readonly kind: 'stopped' }
  /** Not sent: an obstacle says that it must not leave. */
  | { readonly kind: 'barred'; readonly problem: SluiceError };

interface SendOptions {
  readonly kind: RequestKind;
  readonly permit: Permit;
  /** Whether a 2xx is a success after all, so that a throttling word in its body means nothing. */
  readonly isSuccess: (answer: Answer) => boolean;
  /** Ends the waiting, never a request. */
  readonly signal?: AbortSignal | undefined;
  /** The end of waiting in a pause of more than a minute. */
  readonly until?: number | undefined;
  readonly obstacle?: (() => Promise<SluiceError | null>) | undefined;
}

export interface SenderOptions {
  /** Where all requests go: scheme, host and port. */
  readonly origin: string;
  readonly carry: Carry;
  readonly limiter: Limiter;
  readonly limit: Rate;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly startTimer: StartTimer;
  readonly watch: Watch;
}

export type Send = (call: RoutedCall, options: SendOptions) => Promise<Sent>;

export function createSender(options: SenderOptions): Send {
  const { carry, limiter, limit, clock, timeoutMs, startTimer } = options;
  const { observe, observesRequests } = options.watch;
  const { limits } = options.dialect;
  const pauseMsDefault = limit[0]?.perMs ?? PAUSE_MS_DEFAULT;

  return async (asked, { kind, permit, isSuccess, obstacle, signal, until }) => {
    const mayWait = kind === 'poll';
    const attemptsMax = mayWait ? ATTEMPTS_MAX : 1;
    let current = permit;
    // A paid request starts at once or not at all: the answer to this question still holds when it leaves.
    const problem = (await obstacle?.()) ?? null;
    if (problem !== null) {
      permit.release();
      return { kind: 'barred', problem };
    }
    // A request before the time that the platform named is no further attempt.
    let [attempts, namedMs] = [0, -Infinity];
    let [call, followed] = [asked, 0];
    for (let sending = 1; ; sending++) {
      const start = await limiter.start(current, { signal, mayWait });
      if (start !== 'started') return { kind: start };
      let sent: Exchange;
      let target: string | undefined;
      try {
        sent = await sendOnce(call, kind, current, sending);
        if (sent.kind !== 'answered') return sent;
        if (!isThrottled(sent, options.dialect, isSuccess)) {
          endTrial(sent, current);
          target = followed < FOLLOWED_MAX ? seeOther(call, sent, options.origin) : undefined;
          if (target === undefined) return sent;
          [call, followed] = [{ ...call, path: target }, followed + 1];
        } else if (!isSaidByStatus(limits.throttled, sent.status)) obey(sent, call, kind);
      } finally {
        limiter.finish(current);
      }
      const nowMs = clock.now();
      if (target === undefined && nowMs >= namedMs) {
        attempts += 1;
        namedMs = nowMs + (readPause(sent.headers, limits, nowMs)?.ms ?? 0);
      }
      const [next] = attempts < attemptsMax ? await limiter.reserve(kind, 1, signal, until) : [];
      if (next === undefined && target !== undefined) return { kind: 'stopped' };
      if (next === undefined) return { kind: 'throttled', status: sent.status, attempts: sending };
      current = next;
    }
  };

  async function sendOnce(
    call: RoutedCall,
    kind: RequestKind,
    permit: Permit,
    attempt: number,
  ): Promise<Exchange> {
    const { route } = call;
    const sinceMs = clock.now();
    if (observesRequests) observe({ kind: 'request.sent', route, attempt });
    // The pause comes before the slot is given back: no request may slip through in between.
    const onHead = (head: AnswerHead) => {
      const isNamed = headerOf(head.headers, limits.headers.retryAfter) !== undefined;
      const isOverloaded = head.status === 503 && isNamed;
      if (isSaidByStatus(limits.throttled, head.status) || isOverloaded) obey(head, call, kind);
      // The body may still ask for a pause, and no other request may start before that is known.
      else if (limiter.isTrial()) return;
      limiter.finish(permit, readRate(head.headers, limits, clock.now()));
    };
    const ended = await carry(call, { timeoutMs, startTimer, onHead });
    if (ended.kind !== 'answered' || observesRequests) {
      observe(requestEvent(ended, route, attempt, clock.now() - sinceMs));
    }
    return ended;
  }

  /** Ends a trial by an answer that asks for no pause. */
  function endTrial({ headers }: AnswerHead, permit: Permit): void {
    if (!limiter.isTrial()) return;
    limiter.answered(permit);
    limiter.finish(permit, readRate(headers, limits, clock.now()));
  }

  function obey({ headers, status }: AnswerHead, { route }: RoutedCall, kind: RequestKind): void {
    const told = readPause(headers, limits, clock.now());
    const pauseMs = told?.ms ?? pauseMsDefault;
    limiter.pause(pauseMs, kind, told?.by ?? `status ${status}`);
    observe({ kind: 'limit.paused', route, status, pauseMs });
  }
}

/** The path to which a 303 sends a GET, if that is at the same origin: the credentials go along. */
function seeOther({ method, path }: Call, { headers, status }: Answer, origin: string) {
  const location = headerOf(headers, 'location');
  if (method !== 'GET' || status !== 303 || location === undefined) return undefined;
  const target = parseUrl(location, origin + path);
  return target?.origin === origin ? target.pathname + target.search : undefined;
}

function requestEvent(
  ended: Exchange,
  route: Route,
  attempt: number,
  durationMs: number,
): RunEvent {
  const shared = { route, attempt, durationMs };
  if (ended.kind === 'answered') {
    return { kind: 'request.answered', status: ended.status, ...shared };
  }
  return {
    kind: 'request.failed',
    became: ended.kind,
    code: errnoOf(ended.cause) ?? ended.cause.name,
    ...shared,
  };
}

/** The system's own code, or the name of the error: never a message, which may quote anything. */
