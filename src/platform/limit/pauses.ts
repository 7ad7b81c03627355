import { HEADER_WAIT_MS_MAX } from '../../model/text/time.js';

export type Pauses = ReturnType<typeof createPauses>;

/**
 * The pauses that the platform asks of this process, and those of other processes, which end at `othersUntilMs`. After
 * some of its own, one request is a trial: all others of this process wait for its answer.
 */
export function createPauses(othersUntilMs: number) {
  let ownUntilMs = -Infinity;
  let heardUntilMs = othersUntilMs;
  let trialMs: number | undefined;
  const add = (ms: number, nowMs: number): void => {
    const untilMs = nowMs + Math.min(HEADER_WAIT_MS_MAX, Math.max(0, ms));
    ownUntilMs = Math.max(ownUntilMs, untilMs);
  };

  return {
    add,
    addTrial: (ms: number, nowMs: number): void => {
      add(ms, nowMs);
      trialMs = nowMs + ms;
    },
    /** Notes that a request that started at this moment was answered, and not by a request to wait. */
    answered: (startedMs: number): void => {
      if (trialMs !== undefined && startedMs >= trialMs) trialMs = undefined;
    },
    hear: (untilMs: number): void => {
      heardUntilMs = untilMs;
    },
    isTrial: (): boolean => trialMs !== undefined,
    untilMs: (): number => Math.max(ownUntilMs, heardUntilMs),
    ownUntilMs: (): number => ownUntilMs,
    ownMs: (nowMs: number): number => Math.max(0, ownUntilMs - nowMs),
  };
}
