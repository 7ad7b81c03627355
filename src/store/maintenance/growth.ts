// How fast a state grows, from sizes that are noted once a day.

export const DAY_MS = 86_400_000;
/** Weeks average over days without a run. */
export const SPAN_MS = 28 * DAY_MS;

export interface NotedSize {
  readonly at: number;
  readonly bytes: number;
}

/** In bytes a day; null where that is not known over a day. */
export function growthOf(since: NotedSize | undefined, now: NotedSize): number | null {
  const days = since === undefined ? 0 : (now.at - since.at) / DAY_MS;
  return since === undefined || days < 1 ? null : Math.round((now.bytes - since.bytes) / days);
}
