// How much of the limit somebody else uses: what remaining-headers told beyond our own count, until the
// reset they named. Every note holds to its end, so the largest one that still runs is what counts.

export interface ForeignUse {
  note(requests: number, untilMs: number): void;
  /** The most that any running note tells. */
  count(nowMs: number): number;
  /** When the count will next fall; undefined while it is 0. */
  nextFallMs(nowMs: number): number | undefined;
}

export function createForeignUse(): ForeignUse {
  // Only notes that are larger than every longer one can ever matter: counts fall as ends grow.
  let notes: { readonly requests: number; readonly untilMs: number }[] = [];

  const running = (nowMs: number) => {
    if (notes[0] !== undefined && notes[0].untilMs <= nowMs) {
      notes = notes.filter(({ untilMs }) => untilMs > nowMs);
    }
    return notes[0];
  };

  return {
    note: (requests, untilMs) => {
      if (notes.some((other) => other.requests >= requests && other.untilMs >= untilMs)) return;
      notes = notes
        .filter((other) => other.requests > requests || other.untilMs > untilMs)
        .concat({ requests, untilMs })
        .sort((a, b) => a.untilMs - b.untilMs);
    },
    count: (nowMs) => running(nowMs)?.requests ?? 0,
    nextFallMs: (nowMs) => running(nowMs)?.untilMs,
  };
}
