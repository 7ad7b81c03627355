// The part of the limit that this process holds if others send for the account too (model/schedule/limit-shares.ts). It
// asks the store for slots when it lacks some, gives back those that it does not need or owes, and now and then says
// that it lives. No request waits for the store as long as there are slots. While nothing is to be sent it holds none,
// and says nothing: a run may wait for a webhook for days.
import type { SlotGrant, SlotRequest } from '../../model/schedule/limit-shares.js';
import type { LastWord } from '../../model/schedule/limit-state.js';
import type { Clock } from '../../ports/clock.js';
import { createAlarm } from './alarm.js';
import type { Pauses } from './pauses.js';
import type { Slots } from './slots.js';

export interface SharedLimit {
  /** Null if there was no answer. */
  exchange(request: SlotRequest): Promise<SlotGrant | null>;
  /** Says the last word; nothing is asked after it. */
  leave(last: LastWord): Promise<void>;
  /** The clock on the wall, in ms: it goes on while the machine sleeps. */
  wallMs(): number;
}

/**
 * The time between two questions: `NEWS_MS` if there is news, `CHANGE_MS` while slots are lacking or left over, else
 * `IDLE_MS`.
 */
const NEWS_MS = 50;
const CHANGE_MS = 250;
const IDLE_MS = 1_000;

export interface Share {
  isValid(nowMs: number): boolean;
  /** Notes a change: the number of permits that are waited for, and whether requests wait to start with theirs. */
  plan(waiting: number, isStarting: boolean): void;
  /** How long the slots that were given back stay taken, if the store may not know of them yet. */
  heldMs(nowMs: number): number[];
  /** Idempotent. */
  leave(): Promise<void>;
}

export const NOT_SHARED: Share = {
  isValid: () => true,
  plan: () => undefined,
  heldMs: () => [],
  leave: () => Promise.resolve(),
};

interface ShareOptions {
  readonly shared: SharedLimit;
  readonly slots: Slots;
  readonly pauses: Pauses;
  readonly clock: Clock;
  readonly onChange: () => void;
  /** Called if the store failed in a way that asking again does not help: no slots will come any more. */
  readonly onFailure: (error: unknown) => void;
}

export function createShare({
  clock,
  onChange,
  onFailure,
  pauses,
  shared,
  slots,
}: ShareOptions): Share {
  const alarm = createAlarm(clock, onChange);
  let [seq, seen, owes, waiting] = [0, 0, 0, 0];
  let [askedMs, toldPauseMs] = [-Infinity, 0];
  let valid = { untilMs: -Infinity, untilWallMs: -Infinity };
  let onTheWay: number[] = [];
  let [isShared, isStarting, hasLacked, hasFailed] = [false, false, false, false];
  let asking: Promise<void> | undefined;
  let leaving: Promise<void> | undefined;

  const isValid = (nowMs: number): boolean =>
    nowMs < valid.untilMs && shared.wallMs() < valid.untilWallMs;
  const lacks = (): boolean => slots.wanted(waiting) > slots.owned();

  /** Whether no slot is kept or wanted, and the others know of every pause. */
  const rests = (): boolean =>
    waiting === 0 &&
    !isStarting &&
    slots.owned() + slots.stray() + slots.wanted(0) === 0 &&
    pauses.ownUntilMs() <= toldPauseMs;

  function compose(nowMs: number): SlotRequest {
    slots.expire(nowMs);
    const wants = slots.wanted(waiting);
    const spare = isShared || wants === 0 ? slots.owned() - wants : 0;
    const back = isValid(nowMs) ? slots.yieldUp(owes, spare) : slots.yieldAll();
    onTheWay = [...onTheWay, ...back].filter((freeMs) => freeMs > nowMs);
    seq += 1;
    hasLacked = lacks();
    toldPauseMs = pauses.ownUntilMs();
    return {
      seq,
      seen,
      limit: slots.limit(),
      keeps: slots.owned() + slots.stray(),
      returnedMs: lengths(onTheWay, nowMs),
      wants: wants + slots.stray(),
      pauseMs: pauses.ownMs(nowMs),
    };
  }

  function take(grant: SlotGrant, since: { readonly ms: number; readonly wallMs: number }): void {
    const nowMs = clock.now();
    seen = seq;
    onTheWay = [];
    ({ isShared, owes } = grant);
    valid = { untilMs: since.ms + grant.validMs, untilWallMs: since.wallMs + grant.validMs };
    slots.add(
      grant.slots,
      grant.takenMs.map((ms) => nowMs + ms),
    );
    if (grant.limit !== 'off') slots.agree(grant.limit.perMs, grant.share);
    pauses.hear(nowMs + grant.pauseMs);
  }

  async function ask(): Promise<void> {
    const since = { ms: clock.now(), wallMs: shared.wallMs() };
    const grant = await shared.exchange(compose(since.ms));
    hasFailed = grant === null;
    if (grant !== null) take(grant, since);
    askedMs = clock.now();
    asking = undefined;
    onChange();
  }

  function gapMs(nowMs: number): number {
    if (hasFailed) return IDLE_MS;
    const hasNews =
      !isValid(nowMs) ||
      (isShared && lacks() && !hasLacked) ||
      (owes > 0 && slots.returnable() > 0) ||
      pauses.ownUntilMs() > toldPauseMs;
    if (hasNews) return NEWS_MS;
    const hasSpare = isShared && slots.owned() > slots.wanted(waiting);
    return isShared && (lacks() || hasSpare) ? CHANGE_MS : IDLE_MS;
  }

  return {
    isValid,
    plan: (waitingNow, isStartingNow) => {
      [waiting, isStarting] = [waitingNow, isStartingNow];
      if (asking !== undefined || leaving !== undefined) return;
      if (rests()) {
        alarm.clear();
        return;
      }
      const nowMs = clock.now();
      const dueMs = askedMs + gapMs(nowMs);
      if (dueMs > nowMs) alarm.set(dueMs);
      else asking = ask().catch(onFailure);
    },
    heldMs: (nowMs) => lengths(onTheWay, nowMs),
    leave: () => {
      leaving ??= (async () => {
        alarm.clear();
        await asking;
        const nowMs = clock.now();
        const returnedMs = [...slots.heldMs(nowMs), ...lengths(onTheWay, nowMs)];
        await shared.leave({ seen, returnedMs, pauseMs: pauses.ownMs(nowMs) });
      })();
      return leaving;
    },
  };
}

function lengths(untilMs: readonly number[], nowMs: number): number[] {
  return untilMs.map((freeMs) => freeMs - nowMs).filter((ms) => ms > 0);
}
