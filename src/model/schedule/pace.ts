// How long a run goes on, told by what was done in the last half minute. A pause, or a start with answers that waited, is
// soon forgotten.

/** Leads of a run, by how far they are. */
export interface DoneLeads {
  readonly asked: number;
  readonly sent: number;
  /** Of the sent, those of the process that is watched; the others are only awaited. */
  readonly sentHere: number;
  readonly settled: number;
}

interface Seen extends Pick<DoneLeads, 'sentHere' | 'settled'> {
  readonly at: number;
}

export interface Pace {
  /** How long it goes on, in ms, if all stays so; null where nothing was sent or answered of late. */
  leftMs(at: number, done: DoneLeads): number | null;
}

const PACE_EVERY_MS = 1_000;
const PACE_OVER_MS = 30_000;

/**
 * What is left to send tells it from the first seconds on, what is left to answer once answers come. `beganAt`: when
 * nothing was done yet, where that is known.
 */
export function createPace(beganAt?: number): Pace {
  const seen: Seen[] = beganAt === undefined ? [] : [{ at: beganAt, sentHere: 0, settled: 0 }];
  return {
    leftMs(at, { asked, sent, sentHere, settled }) {
      const now = { at, sentHere, settled };
      if (at - (seen.at(-1)?.at ?? 0) >= PACE_EVERY_MS) seen.push(now);
      while ((seen[1]?.at ?? at) <= at - PACE_OVER_MS) seen.shift();
      const from = seen[0] ?? now;
      const timeFor = (left: number, done: number): number =>
        done <= 0 || left <= 0 ? 0 : (left * (at - from.at)) / done;
      const left = Math.max(
        timeFor(asked - sent, sentHere - from.sentHere),
        timeFor(asked - settled, settled - from.settled),
      );
      return left > 0 ? left : null;
    },
  };
}

/** The same of a run that any process works on, from its counts. */
export function doneLeads(leadCount: number, queued: number, open: number): DoneLeads {
  const sent = leadCount - queued;
  return { asked: leadCount, sent, sentHere: sent, settled: leadCount - open };
}
