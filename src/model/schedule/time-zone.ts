// The days of a time zone.

export interface Zone {
  /** `2026-11-21`: the day of a moment. */
  dayOf(ms: number): string;
  /** The moment at which a day begins; `month` and `day` count from 1 and may be out of range. */
  startOf(year: number, month: number, day: number): number;
}

/** @throws RangeError for a name that is no time zone */
export function openZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const offsetAt = (ms: number): number => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const day = Date.UTC(part('year'), part('month') - 1, part('day'));
    const seconds = part('hour') * 3_600 + part('minute') * 60 + part('second');
    return day + seconds * 1_000 - Math.floor(ms / 1_000) * 1_000;
  };
  return {
    dayOf: (ms) => new Date(ms + offsetAt(ms)).toISOString().slice(0, 10),
    startOf: (year, month, day) => {
      // The offset of the moment itself decides where clocks change.
      const midnight = Date.UTC(year, month - 1, day);
      return midnight - offsetAt(midnight - offsetAt(midnight));
    },
  };
}
