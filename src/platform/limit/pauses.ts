import { HEADER_WAIT_MS_MAX } from '../../model/text/time.js';

export type Pauses = ReturnType<typeof createPauses>;

/** The pauses that the platform asks of this process, and those of other processes, which end at `othersUntilMs`. */
export function createPauses(othersUntilMs: number) {
  let ownUntilMs = -Infinity;
  let heardUntilMs = othersUntilMs;

  return {
    add: (ms: number, nowMs: number): void => {
      const untilMs = nowMs + Math.min(HEADER_WAIT_MS_MAX, Math.max(0, ms));
      ownUntilMs = Math.max(ownUntilMs, untilMs);
    },
    /** What is left of those of all processes, as they say now. */
    hear: (untilMs: number): void => {
      heardUntilMs = untilMs;
    },
    untilMs: (): number => Math.max(ownUntilMs, heardUntilMs),
    ownUntilMs: (): number => ownUntilMs,
    /** What is left of the pauses asked of this process. */
    ownMs: (nowMs: number): number => Math.max(0, ownUntilMs - nowMs),
  };
}
