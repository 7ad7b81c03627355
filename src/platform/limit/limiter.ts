// The one limiter of all requests: it gives permits, holds all requests back while the platform says so, and learns
// from every response (docs/guarantees.md, The platform's limit holds). rights.ts knows how many may start, wait-queue.ts
// orders the waiting requests, permits.ts follows each permit, and rate-headers.ts reads the headers about the limit.
import { askLimit, type LimitState } from '../../model/schedule/limit.js';
import { formatWindow, type Rate, type RequestKind } from '../../model/schedule/rate.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { Clock } from '../../ports/clock.js';
import type { Permit } from '../../ports/platform.js';
import { createAlarm } from './alarm.js';
import { createPermits, type Start } from './permits.js';
import type { RateReading } from './rate-headers.js';
import { createRights, type Holding, type SharedLimit } from './rights.js';
import { createWaitQueue } from './wait-queue.js';

export interface LimiterOptions {
  readonly limit: Rate;
  /** Must not go back; its steps should be finer than a millisecond. */
  readonly clock: Clock;
  /** The number of permits that may be out and unfinished at once; by default, as many as the limit allows. */
  readonly inFlightMax?: number;
  /** The part that earlier requests hold when the limiter opens, if it keeps the limit by itself. */
  readonly before?: LimitState | undefined;
  /** The place where the limit is kept if other processes send at the same time. */
  readonly shared?: SharedLimit | undefined;
  readonly observe?: RunObserver;
  /** Told once of each wait of more than ten seconds. */
  readonly onHold?: (holding: Holding) => void;
  /** Says of such a wait whether it is too long: its error ends all requests that wait for a permit. */
  readonly tooLong?: (holding: Holding) => Error | undefined;
}

/** A shorter wait is not told. */
const TOLD_MS_MIN = 10_000;

interface StartOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default true; false for a request that is refused (`must_wait`) if others wait. */
  readonly mayWait?: boolean;
}

export interface Limiter {
  /**
   * As `Platform.reserve`: 1 to `max` permits, as many as are free now; none when aborted or closed. Rejects if the
   * store that deals out the slots failed for good.
   */
  reserve(kind: RequestKind, max: number, signal?: AbortSignal, until?: number): Promise<Permit[]>;
  /**
   * Call it before a permit's request is sent: it waits during a pause, or if the capacity has fallen. A permit whose
   * request does not start is released.
   * @throws Error for a permit that was used or released before
   */
  start(permit: Permit, options?: StartOptions): Promise<Start>;
  /** Notes that the permit's response began to arrive, or its request failed. Idempotent. */
  finish(permit: Permit, reading?: RateReading): void;
  /**
   * Holds requests back for `ms`, as the platform asked in answer to a request of this kind, with the words `by`. During
   * a pause of more than a minute one request asks again each minute, for all processes together; each kind of request
   * goes on once one of it was answered.
   */
  pause(ms: number, kind: RequestKind, by: string): void;
  /** Whether a pause lasts until a request was answered. */
  isTrial(): boolean;
  /** Notes that the answer to this permit's request asks for no pause. Call it before `finish`. */
  answered(permit: Permit): void;
  /** The least time that this many requests take under the limit, once it is their turn; 0 without a limit. */
  leastMs(requests: number): number;
  /** How long its requests and the pause will count. */
  heldMs(): number;
  /** Ends every wait with nothing. Idempotent. */
  close(): void;
  /** Says the last word, once no request is on its way. Idempotent. */
  leave(): Promise<void>;
}

export function openLimiter(options: LimiterOptions): Limiter {
  const { limit: rate, clock, inFlightMax = Infinity, observe, onHold, tooLong } = options;
  const shared = options.shared ?? keptHere(clock, options.before);
  const queue = createWaitQueue(pump);
  const rights = createRights({
    rate,
    inFlightMax,
    shared,
    clock,
    onChange: pump,
    onFailure: fail,
  });
  const permits = createPermits(rights, pump);
  const alarm = createAlarm(clock, pump);
  /** The waits that were told: a pause until its end, and a window once. */
  const told = new Set<string>();
  let isClosed = false;
  let failure: { readonly error: unknown } | undefined;

  function fail(error: unknown): void {
    failure = { error };
    queue.fail(error);
  }

  /** Lets every request go that may go now, and sets the alarm for the rest. Every change of state ends here. */
  function pump(): void {
    const waits = [...queue.kinds(), ...permits.waitingKinds()];
    rights.plan(queue.wanted(), waits);
    const nowMs = clock.now();
    permits.startWaiting(nowMs);
    const room = { free: rights.grantable(nowMs), spare: rights.spare(nowMs), nowMs };
    queue.grant({ ...room, passes: (kind) => rights.passes(kind, nowMs) }, permits.give);
    const isHeld = (kind: RequestKind) => rights.isTrial() && rights.passes(kind, nowMs) === 0;
    const endMs = queue.endLate(isHeld, nowMs);
    const isAwaited = permits.waiting() > 0 || queue.kinds().length > 0;
    const wakeMs = earliest(earliest(rights.nextMs(nowMs), queue.keptUntilMs(nowMs)), endMs);
    if (isAwaited && wakeMs !== undefined) alarm.set(wakeMs);
    else alarm.clear();
    tell(nowMs);
  }

  function tell(nowMs: number): void {
    const kinds = new Set([...queue.kinds(), ...permits.waitingKinds()]);
    for (const kind of kinds) {
      const holding = rights.holding(kind, nowMs);
      if (holding?.pause == null) told.delete(kind);
      if (holding === null || holding.untilMs - nowMs <= TOLD_MS_MIN) continue;
      const problem = tooLong?.(holding);
      if (problem !== undefined) {
        queue.fail(problem);
        return;
      }
      const what = holding.window === null ? kind : formatWindow(holding.window);
      if (told.has(what)) continue;
      told.add(what);
      // Told once for both kinds, if both wait for the same pause.
      if (holding.pause !== null) for (const one of holding.pause.kinds) told.add(one);
      onHold?.(holding);
    }
  }

  return {
    reserve: (kind, max, signal, until) => {
      if (failure !== undefined) return Promise.reject(failure.error);
      if (isClosed || max < 1 || signal?.aborted === true) return Promise.resolve([]);
      const onEnd = observe && observeWait(observe, kind, clock);
      return queue.wait({ kind, permitsMax: max, signal, until, onEnd });
    },
    start: (permit, { signal, mayWait = true } = {}) => {
      permits.checkUnused(permit);
      if (isClosed || signal?.aborted === true) return refuse(permit, 'stopped');
      // The requests that wait already go first.
      pump();
      const nowMs = clock.now();
      const canStart = rights.canStart(nowMs) && rights.passes(permits.kindOf(permit), nowMs) > 0;
      if (!mayWait && !canStart) return refuse(permit, 'must_wait');
      return permits.start(permit, signal);
    },
    finish: (permit, reading) => permits.finish(permit, clock.now(), reading),
    pause: (ms, kind, by) => {
      rights.pause({ ms, kind, by }, clock.now());
      pump();
    },
    isTrial: rights.isTrial,
    answered: (permit) => {
      if (!permits.isTrial(permit)) return;
      rights.clear(permits.kindOf(permit));
      pump();
    },
    leastMs: (requests) => rights.leastMs(requests, clock.now()),
    heldMs: () => rights.heldMs(clock.now()),
    close: () => {
      isClosed = true;
      alarm.clear();
      queue.clear();
      permits.stopWaiting();
    },
    leave: () => rights.leave(),
  };
}

/** A limit that this process alone keeps. */
function keptHere(clock: Clock, before: LimitState | undefined): SharedLimit {
  let state: LimitState | null = before ?? null;
  return {
    exchange: (ask) => {
      const now = { at: clock.now(), steady: null };
      const answer = askLimit(state, ask, { id: '', origin: null, now, isDead: () => false });
      ({ state } = answer);
      return answer.grant;
    },
    leave: () => Promise.resolve(),
  };
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function refuse(permit: Permit, start: Start): Promise<Start> {
  permit.release();
  return Promise.resolve(start);
}

/** A shorter wait, which a timer cannot measure, is not reported. */
const WAIT_MS_MIN = 1;

function observeWait(
  observe: RunObserver,
  request: RequestKind,
  clock: Clock,
): (permits: readonly Permit[]) => void {
  const sinceMs = clock.now();
  return ({ length: permits }) => {
    const durationMs = clock.now() - sinceMs;
    if (durationMs >= WAIT_MS_MIN) observe({ kind: 'limit.waited', request, permits, durationMs });
  };
}
