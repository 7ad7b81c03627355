// The rights of this process to start requests (model/schedule/limit.ts): it asks for more when it lacks some, tells
// what became of those before, gives back what it does not need, and now and then says that it lives. No request waits
// for the store as long as there are rights. While nothing is to be sent it has none, and says nothing.
import { isLongWindow, TRY_EVERY_MS } from '../../model/schedule/limit.js';
import {
  type AskedPause,
  type LimitAsk,
  type LimitGrant,
  type LimitWord,
  type ToldPause,
} from '../../model/schedule/limit-words.js';
import type { Rate, RateLimit, RequestKind } from '../../model/schedule/rate.js';
import type { Clock } from '../../ports/clock.js';
import { createAlarm } from './alarm.js';
import { createForeignUse } from './foreign-use.js';
import type { RateReading } from './rate-headers.js';

/** The place where the limit of an account is kept. */
export interface SharedLimit {
  /** Null if there was no answer. One that is at hand, in this process, is there at once. */
  exchange(ask: LimitAsk): LimitGrant | null | Promise<LimitGrant | null>;
  /** Says the last word; nothing is asked after it. */
  leave(last: LimitWord): Promise<void>;
  /** The clock on the wall, in ms: it goes on while the machine sleeps. Absent where nothing else can send. */
  wallMs?(): number;
}

/** The counts at a request's start, to compare its response's remaining-header with. */
export interface StartNote {
  readonly ours: number;
  readonly starts: number;
  readonly elsewhere: number;
  /** Whether it tries if a long pause is over. */
  readonly isTrial: boolean;
}

/** The reason of a wait, and its end. */
export interface Holding {
  readonly untilMs: number;
  readonly pause: ToldPause | null;
  readonly window: RateLimit | null;
}

/** The time between two questions: with news; while rights are lacking, at most; else. */
const NEWS_MS = 50;
const LACK_MS_MAX = 500;
const IDLE_MS = 1_000;
/** The same where nothing can go for longer than that. */
const LONG_MS = 5_000;
/** Others' use is believed for no longer than this, whatever reset the platform names. */
const FOREIGN_MS_MAX = 300_000;

export type Rights = ReturnType<typeof createRights>;

interface RightsOptions {
  readonly rate: Rate;
  readonly inFlightMax: number;
  readonly shared: SharedLimit;
  readonly clock: Clock;
  readonly onChange: () => void;
  /** Called if the store failed in a way that asking again does not help: no rights will come any more. */
  readonly onFailure: (error: unknown) => void;
}

export function createRights(options: RightsOptions) {
  const { clock, inFlightMax, onChange, onFailure, rate, shared } = options;
  const isOff = rate.length === 0;
  const [shortest] = rate;
  const windowMs = shortest?.perMs ?? 0;
  const foreign = createForeignUse();
  const alarm = createAlarm(clock, onChange);
  let limit = shortest?.requests ?? Number.POSITIVE_INFINITY;
  /** When each right may be used, in order. */
  let rights: number[] = [];
  /** Permits that are given and not used, requests under way, and all that ever started. */
  let [idle, running, starts] = [0, 0, 0];
  /** The ends that count in the first window; those not told yet; and those whose question has no answer yet. */
  let trailing: number[] = [];
  let ended: number[] = [];
  let telling: number[] = [];
  let grant: LimitGrant | null = null;
  let [grantedMs, elsewhere] = [0, 0];
  let pause: { readonly told: ToldPause; readonly atMs: number } | null = null;
  let news: { readonly asked: AskedPause; readonly untilMs: number } | null = null;
  let cleared: RequestKind[] = [];
  let trial: RequestKind | null = null;
  let waits: readonly RequestKind[] = [];
  let [seq, askedMs, waiting] = [0, Number.NEGATIVE_INFINITY, 0];
  let valid = { untilMs: Number.NEGATIVE_INFINITY, untilWallMs: 0 };
  let hasFailed = false;
  let asking: Promise<void> | undefined;
  let leaving: Promise<void> | undefined;

  /** Alone it takes what opens in a window; beside others the share of less, so that none waits for long. */
  const lackMs = (): number =>
    grant?.isShared === true
      ? Math.max(NEWS_MS, Math.min(LACK_MS_MAX, windowMs / 4))
      : Math.max(NEWS_MS, Math.min(IDLE_MS, 0.75 * windowMs));
  const aheadMs = (): number =>
    shared.wallMs === undefined ? 0 : grant?.isShared === true ? 2 * lackMs() : windowMs;
  const isValid = (nowMs: number): boolean =>
    shared.wallMs === undefined || (nowMs < valid.untilMs && shared.wallMs() < valid.untilWallMs);
  /** The limit with what the platform says of it, which all processes keep to: none holds rights back for it. */
  const known = (): Rate =>
    shortest === undefined ? rate : [{ ...shortest, requests: limit }, ...rate.slice(1)];
  /** Gives up the rights that a lowered limit does not leave, beside all that counts in the window of each. */
  const fit = (formerLimit: number): void => {
    if (limit >= formerLimit) return;
    const kept: number[] = [];
    for (const atMs of rights) {
      const still = trailing.filter((endMs) => endMs + windowMs > atMs).length;
      if (running + kept.length + still + elsewhere < limit) kept.push(atMs);
    }
    rights = kept;
  };
  /** The rights that stay unused, because others use that part of the limit. */
  const heldBack = (nowMs: number): number => (isOff ? 0 : foreign.count(nowMs));
  const ready = (nowMs: number): number => {
    if (!isValid(nowMs)) return 0;
    if (isOff) return Number.POSITIVE_INFINITY;
    const later = rights.findIndex((atMs) => atMs > nowMs);
    return (later === -1 ? rights.length : later) - heldBack(nowMs);
  };
  const lacking = (nowMs: number): number =>
    isOff ? Math.min(1, waiting) : Math.max(0, waiting + idle + heldBack(nowMs) - rights.length);
  const paused = (kind: RequestKind): ToldPause | null =>
    pause?.told.kinds.includes(kind) === true ? pause.told : null;
  const triesMs = (): number | undefined =>
    pause === null || pause.told.tryInMs === null ? undefined : pause.atMs + pause.told.tryInMs;
  const pauseEndsMs = (): number => (pause === null ? 0 : pause.atMs + pause.told.ms);
  /** Whether nothing is held or wanted, and the others know of everything. */
  const rests = (): boolean =>
    waiting + idle + running + rights.length + ended.length + telling.length === 0 &&
    news === null &&
    cleared.length === 0;

  function word(nowMs: number): Omit<LimitWord, 'keeps'> {
    telling = isOff ? [] : [...telling, ...ended];
    ended = [];
    return {
      endedAgoMs: telling.map((atMs) => nowMs - atMs),
      cleared,
      ...(news !== null &&
        news.untilMs > nowMs && { pause: { ...news.asked, ms: news.untilMs - nowMs } }),
    };
  }

  function compose(nowMs: number): LimitAsk {
    if (!isValid(nowMs)) rights = [];
    const isAlone = grant?.isShared === false && waiting + idle + running > 0;
    const wants = Math.max(isAlone ? 1 : 0, lacking(nowMs));
    const spare = rights.length - waiting - idle - heldBack(nowMs);
    if (spare > 0 && (grant?.isShared === true || waiting + idle === 0)) {
      rights.splice(rights.length - spare, spare);
    }
    seq += 1;
    const keeps = isOff ? 0 : running + rights.length;
    return { ...word(nowMs), keeps, seq, rate: known(), wants, waits, aheadMs: aheadMs() };
  }

  function take(given: LimitGrant, since: { readonly ms: number; readonly wallMs: number }): void {
    const nowMs = clock.now();
    [grant, grantedMs] = [given, nowMs];
    telling = [];
    valid = { untilMs: since.ms + given.validMs, untilWallMs: since.wallMs + given.validMs };
    rights = [...rights, ...given.startsInMs.map((ms) => nowMs + ms)].sort((a, b) => a - b);
    trailing = trailing.filter((atMs) => atMs + windowMs > nowMs);
    elsewhere = Math.max(0, given.counted - rights.length - running - trailing.length);
    if (news === null) pause = given.pause && { told: given.pause, atMs: nowMs };
    trial = given.trial ?? trial;
  }

  function ask(): void {
    const nowMs = clock.now();
    const since = { ms: nowMs, wallMs: shared.wallMs?.() ?? 0 };
    const [saidNews, saidCleared, saidLimit] = [news, cleared, limit];
    const question = compose(nowMs);
    const end = (answer: LimitGrant | null): void => {
      askedMs = clock.now();
      hasFailed = answer === null;
      if (answer === null) return;
      if (news === saidNews) news = null;
      cleared = cleared.filter((kind) => !saidCleared.includes(kind));
      take(answer, since);
      fit(saidLimit);
    };
    const answer = shared.exchange(question);
    if (!(answer instanceof Promise)) return end(answer);
    asking = (async () => {
      try {
        end(await answer);
        asking = undefined;
        onChange();
      } catch (error) {
        onFailure(error);
      }
    })();
  }

  function gapMs(nowMs: number): number {
    if (hasFailed) return IDLE_MS;
    if (shared.wallMs === undefined) return 0;
    if (!isValid(nowMs) || news !== null || cleared.length > 0) return NEWS_MS;
    const tryMs = triesMs();
    if (tryMs !== undefined && waiting > 0) {
      return Math.min(LONG_MS, Math.max(NEWS_MS, tryMs - askedMs));
    }
    if (isOff || (lacking(nowMs) === 0 && grant?.isShared !== false)) return IDLE_MS;
    const next = grant?.next ?? null;
    const nextMs = next === null ? 0 : grantedMs + next.ms - aheadMs() - askedMs;
    return Math.max(
      lackMs(),
      Math.min(next !== null && next.ms > LONG_MS ? LONG_MS : IDLE_MS, nextMs),
    );
  }

  /** Whether asking at once, in this process, can bring anything. */
  const isAskable = (nowMs: number): boolean =>
    shared.wallMs !== undefined ||
    lacking(nowMs) > 0 ||
    news !== null ||
    cleared.length > 0 ||
    (waiting > 0 && (triesMs() ?? Number.POSITIVE_INFINITY) <= nowMs);

  return {
    isValid,
    /** Notes the number of permits that are waited for, and for which requests; asks when it is time. */
    plan: (waitingNow: number, waitsNow: readonly RequestKind[]): void => {
      waits = waitsNow;
      waiting = Math.min(waitingNow, Math.max(0, inFlightMax - idle - running));
      if (asking !== undefined || leaving !== undefined) return;
      const nowMs = clock.now();
      if (rests() || !isAskable(nowMs)) {
        alarm.clear();
        return;
      }
      const dueMs = askedMs + gapMs(nowMs);
      if (dueMs > nowMs) alarm.set(dueMs);
      else ask();
    },
    /** The number of permits that can be given now. */
    grantable: (nowMs: number): number =>
      Math.max(0, Math.min(ready(nowMs) - idle, inFlightMax - idle - running)),
    spare: (nowMs: number): number => ready(nowMs) - idle,
    /** Whether a permit's request may start: others' use may have become known since it was given. */
    canStart: (nowMs: number): boolean => ready(nowMs) > 0 && running < inFlightMax,
    /** How many requests of this kind a pause lets go now. */
    passes: (kind: RequestKind, nowMs: number): number => {
      const told = paused(kind);
      if (told === null) return Number.POSITIVE_INFINITY;
      if (told.tryInMs === null) return nowMs < pauseEndsMs() ? 0 : Number.POSITIVE_INFINITY;
      return trial === kind ? 1 : 0;
    },
    isTrial: (): boolean => pause !== null && pause.told.tryInMs !== null,
    /** Notes that so many permits more are given and not used. */
    give: (permits: 1 | -1): void => {
      idle += permits;
    },
    begin: (kind: RequestKind): StartNote => {
      idle -= 1;
      running += 1;
      starts += 1;
      rights.shift();
      const isTrial = trial === kind && paused(kind) !== null;
      if (isTrial) trial = null;
      return { ours: running + trailing.length, starts, elsewhere, isTrial };
    },
    end: (nowMs: number): void => {
      running -= 1;
      if (isOff) return;
      ended.push(nowMs);
      trailing.push(nowMs);
    },
    /** Learns from the headers about what remains, which lower the pace and never raise it. */
    learn: (reading: RateReading, note: StartNote, nowMs: number): void => {
      if (shortest === undefined) return;
      if (reading.limit !== undefined && reading.limit > 0) {
        const former = limit;
        limit = Math.min(shortest.requests, reading.limit);
        fit(former);
      }
      if (reading.remaining === undefined) return;
      // Requests started since may have arrived before this request: they are ours as well.
      const ours = note.ours + starts - note.starts + Math.max(note.elsewhere, elsewhere);
      const others = Math.min(limit, limit - ours - reading.remaining);
      const resetMs = Math.min(FOREIGN_MS_MAX, reading.resetMs ?? windowMs);
      if (others > 0 && resetMs > 0) foreign.note(others, nowMs + resetMs);
    },
    pause: (asked: AskedPause, nowMs: number): void => {
      const { by, kind, ms } = asked;
      if (news === null || nowMs + ms > news.untilMs) news = { asked, untilMs: nowMs + ms };
      if (pauseEndsMs() >= nowMs + ms && paused(kind) !== null) return;
      const told = pause?.told;
      const kinds: RequestKind[] =
        told?.tryInMs == null ? ['submit', 'poll'] : [...new Set([...told.kinds, kind])];
      const tryInMs = ms > TRY_EVERY_MS ? TRY_EVERY_MS : (told?.tryInMs ?? null);
      pause = { told: { ms, kinds, tryInMs, by }, atMs: nowMs };
    },
    /** Notes that the trial of a long pause was answered, and not by a request to wait. */
    clear: (kind: RequestKind): void => {
      cleared = [...cleared, kind];
      const kinds = pause?.told.kinds.filter((one) => one !== kind) ?? [];
      pause =
        pause === null || kinds.length === 0 ? null : { ...pause, told: { ...pause.told, kinds } };
    },
    /** The wait of requests of this kind; null if they can go on soon, or nothing is known. */
    holding: (kind: RequestKind, nowMs: number): Holding | null => {
      const told = paused(kind);
      if (told !== null) return { untilMs: pauseEndsMs(), pause: told, window: null };
      if (rights.length > heldBack(nowMs) + idle || grant?.next == null) return null;
      return { untilMs: grantedMs + grant.next.ms, pause: null, window: grant.next.window };
    },
    /** How long its requests and the pause count, as things are. */
    heldMs: (nowMs: number): number => {
      const last = running > 0 ? nowMs : (trailing.at(-1) ?? Number.NEGATIVE_INFINITY);
      return Math.max(0, last + (rate.at(-1)?.perMs ?? 0) - nowMs, pauseEndsMs() - nowMs);
    },
    /** The least time that this many requests take at the pace that other processes leave. */
    leastMs: (count: number, nowMs: number): number => {
      const sharers = grant?.sharers ?? 1;
      const times = known()
        .filter((window) => !isLongWindow(window))
        .map(
          ({ perMs, requests }) =>
            (count / Math.max(1, requests / sharers - heldBack(nowMs))) * perMs,
        );
      return Math.max(0, ...times);
    },
    /** The time at which time alone will next let a request go; undefined if only an answer can. */
    nextMs: (nowMs: number): number | undefined => {
      const moments = [
        rights.find((atMs) => atMs > nowMs),
        foreign.nextFallMs(nowMs),
        triesMs(),
        pauseEndsMs(),
        shared.wallMs === undefined && grant?.next != null ? grantedMs + grant.next.ms : undefined,
      ].filter((ms) => ms !== undefined && ms > nowMs) as number[];
      return moments.length === 0 ? undefined : Math.min(...moments);
    },
    /** Idempotent. */
    leave: (): Promise<void> => {
      leaving ??= (async () => {
        alarm.clear();
        await asking;
        rights = [];
        await shared.leave({ ...word(clock.now()), keeps: isOff ? 0 : running });
      })();
      return leaving;
    },
  };
}
