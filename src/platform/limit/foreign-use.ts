/**
 * The part of the limit that others use: the requests that remaining-headers showed beyond our own count, until the
 * reset they named. Every note holds to its end, so the largest note that still runs counts.
 */
export function createForeignUse() {
  // Only notes that are larger than every longer note can ever matter, so counts fall as ends grow.
  let notes: { readonly requests: number; readonly untilMs: number }[] = [];

  const running = (nowMs: number) => {
    if (notes[0] !== undefined && notes[0].untilMs <= nowMs) {
      notes = notes.filter(({ untilMs }) => untilMs > nowMs);
    }
    return notes[0];
  };

  return {
    note: (requests: number, untilMs: number): void => {
      if (notes.some((other) => other.requests >= requests && other.untilMs >= untilMs)) return;
      notes = notes
        .filter((other) => other.requests > requests || other.untilMs > untilMs)
        .concat({ requests, untilMs })
        .sort((a, b) => a.untilMs - b.untilMs);
    },
    count: (nowMs: number): number => running(nowMs)?.requests ?? 0,
    /** The time at which the count will next fall; undefined while it is 0. */
    nextFallMs: (nowMs: number): number | undefined => running(nowMs)?.untilMs,
  };
}
