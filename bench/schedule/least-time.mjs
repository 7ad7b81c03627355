// The least time that an all-knowing scheduler would need: a lower bound, so that no ratio to it flatters.
//
// It knows when each result will be ready, sends each submit as soon as the limit lets it, reads only what is
// ready, once, and loses no time on the way. It has the same limit, the same latencies and the same order: leads are
// submitted as they stand in the file (before a lead is asked, nothing tells that it will take long).
//
// Three things hold for every schedule, whatever it does; the bound is the largest of them.
//   1. Submit k (from 0) cannot arrive before floor(k / limit) windows are over: a window admits `limit`.
//      So nothing of call k is ready, and nothing of it read, before that time plus its latency.
//   2. For the same reason, N requests that all come at T or later are not over before
//      T + floor((N - 1) / limit) windows. With T = 0 that counts every request of the run.
//   3. With a later T it counts the reads of all that (by 1) cannot be ready before T.

/**
 * @param tickets in the order of their submission: `{ latencyMs, reads }`, `reads` 0 by webhook and 1 by polling
 */
export function leastTimeMs(tickets, { requests, perMs }, perCall) {
  const over = (count) => Math.floor((count - 1) / requests) * perMs;
  const ready = tickets.map(({ latencyMs, reads }, i) => {
    const call = Math.floor(i / perCall);
    return { atMs: over(call + 1) + latencyMs, reads };
  });
  ready.sort((a, b) => b.atMs - a.atMs);
  const calls = Math.ceil(tickets.length / perCall);
  let leastMs = over(calls + ready.reduce((sum, { reads }) => sum + reads, 0));
  let readsAfter = 0;
  for (const { atMs, reads } of ready) {
    readsAfter += reads;
    leastMs = Math.max(leastMs, atMs, atMs + over(readsAfter));
  }
  return leastMs;
}
