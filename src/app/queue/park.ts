// Parks a run that could not go on: how long it waits, by the cause, twice as long each time in a row up to a
// limit; and where the trouble is.
import { hostname } from 'node:os';
import { type ErrorCode, SluiceError } from '../../model/errors.js';
import type { Parked } from '../../ports/store/jobs.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The first wait, and the longest. */
const WAITS: Readonly<Record<ErrorCode, readonly [firstMs: number, mostMs: number]>> = {
  platform: [30 * SECOND, 15 * MINUTE],
  store: [10 * SECOND, 5 * MINUTE],
  output: [MINUTE, 15 * MINUTE],
  // A person has to change something first: "sluice enqueue" wakes it at once.
  budget: [15 * MINUTE, 6 * 60 * MINUTE],
  'hit-rate': [15 * MINUTE, 6 * 60 * MINUTE],
  // Its period says until when (`untilOf`).
  cap: [15 * MINUTE, 15 * MINUTE],
  usage: [5 * MINUTE, 60 * MINUTE],
  input: [5 * MINUTE, 60 * MINUTE],
  // "sluice resume" is seen at the next look.
  paused: [30 * SECOND, 30 * SECOND],
  busy: [5 * SECOND, 30 * SECOND],
  cancelled: [0, 0],
};
const OF_A_BUG = [5 * MINUTE, 60 * MINUTE] as const;
/** A run that has worked for longer has not failed in a row. */
const WORKED_MS = 10 * MINUTE;

/** `since` is the time at which the worker took the run up; `before` is how it was parked then. */
export function park(
  error: unknown,
  { at, since, before }: { at: number; since: number; before: Parked | null },
): Parked {
  const isInRow = before !== null && at - since < WORKED_MS;
  const times = isInRow ? before.times + 1 : 1;
  const isKnown = error instanceof SluiceError;
  const [firstMs, mostMs] = isKnown ? WAITS[error.code] : OF_A_BUG;
  const waitMs = Math.min(firstMs * 2 ** Math.min(times - 1, 20), mostMs);
  const why = isKnown ? error.logged : 'This is a bug in Sluice; its log has more.';
  return { until: Math.max(at, untilOf(error) ?? at + waitMs), why, times };
}

/** That is no failure: another worker that has met one later counts from there. */
export function parkLacking(error: SluiceError, at: number): Parked {
  return { ...park(error, { at, since: at, before: null }), times: 0 };
}

/** The time at which the period of a cap begins anew: a run that has met it can do nothing before. */
function untilOf(error: unknown): number | undefined {
  if (!(error instanceof SluiceError) || error.code !== 'cap') return undefined;
  const { until } = error.facts;
  return typeof until === 'number' ? until : undefined;
}

const OF_FILES: ReadonlySet<string> = new Set(['usage', 'output']);

/** Adds the folder of the worker to an error: relative paths lie in it, and another worker may not have them. */
export function withFolder(error: unknown): unknown {
  if (!(error instanceof SluiceError) || !OF_FILES.has(error.code)) return error;
  return error.amended(`This worker runs in ${process.cwd()} on ${hostname()}.`);
}
