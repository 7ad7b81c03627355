import { HEADER_WAIT_MS_MAX } from '../../model/text/time.js';

export type Pauses = ReturnType<typeof createPauses>;

/**
 * The pauses that the platform asks of this process, and those of other processes, which end at `othersUntilMs`. After
 * some of them one request is a trial: all others wait for its answer.
 */
export function createPauses(othersUntilMs: number) {
  let ownUntilMs = -Infinity;
  let heardUntilMs = othersUntilMs;
  /** The time from which the trial may start; undefined if there is none. */
  let trialMs: number | undefined;
  /** News about the trial that other processes may not know, and the news that they were told last. */
  let news: { readonly isOver: boolean } | undefined;
  let told: typeof news;

  return {
    add: (ms: number, nowMs: number): void => {
      const untilMs = nowMs + Math.min(HEADER_WAIT_MS_MAX, Math.max(0, ms));
      ownUntilMs = Math.max(ownUntilMs, untilMs);
    },
    addTrial: (ms: number, nowMs: number): void => {
      trialMs = nowMs + ms;
      news = { isOver: false };
    },
    /** Notes that a request that started at this moment was answered, and not by a request to wait. */
    answered: (startedMs: number): void => {
      if (trialMs === undefined || startedMs < trialMs) return;
      trialMs = undefined;
      news = { isOver: true };
    },
    /** As `LastWord.trial`. */
    tell: (nowMs: number): number | 'over' | null => {
      told = news;
      if (news === undefined || trialMs === undefined) return news === undefined ? null : 'over';
      return Math.max(0, trialMs - nowMs);
    },
    /** Takes over the pauses of all processes, which know by now what was told. */
    hear: (untilMs: number, isTrial: boolean): void => {
      heardUntilMs = untilMs;
      if (news !== told) return;
      news = undefined;
      trialMs = isTrial ? Math.min(trialMs ?? untilMs, untilMs) : undefined;
    },
    hasNews: (): boolean => news !== undefined,
    isTrial: (): boolean => trialMs !== undefined,
    untilMs: (): number => Math.max(ownUntilMs, heardUntilMs, trialMs ?? -Infinity),
    ownUntilMs: (): number => ownUntilMs,
    /** The rest of the pauses asked of this process. */
    ownMs: (nowMs: number): number => Math.max(0, ownUntilMs - nowMs),
  };
}
