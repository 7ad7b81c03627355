// Durations as people write them in job and dialect files: a whole number and one unit.

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
]);

/** Reads `30d`, `2h`, `90m`, `10s` or `500ms` into milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,12})([a-z]{1,2})$/.exec(text);
  const durationMs = Number(match?.[1]) * (UNITS_MS.get(match?.[2] ?? '') ?? Number.NaN);
  return Number.isSafeInteger(durationMs) ? durationMs : undefined;
}

/** Writes whole milliseconds in the largest unit that divides them: `parseDuration` reads it back. */
export function formatDuration(durationMs: number): string {
  for (const [unit, unitMs] of UNITS_MS) {
    if (durationMs >= unitMs && durationMs % unitMs === 0) return `${durationMs / unitMs}${unit}`;
  }
  return `${durationMs}ms`;
}
