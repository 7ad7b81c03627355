// The one reader of dates that others write: in headers, webhooks, events and flags. The result of `Date.parse` depends
// on the machine's zone, and on the engine.

const TIME = String.raw`(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?`;
const OFFSET = String.raw`[+-]\d\d(?::?\d\d)?`;
/** A zone. JavaScript writes its name after it. */
const ZONE = String.raw`(?: ?(?<zone>z|(?:gmt|utc?)?${OFFSET}|gmt|utc?)(?: \([^)]*\))?)?`;
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?';
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = `(?<name>${MONTHS.join('|')})[a-z]*`;

const FORMS = [
  // ISO 8601: 2026-11-21T13:00:00+01:00
  String.raw`(?<year>\d{4}|[+-]\d{6})-(?<month>\d\d)-(?<day>\d\d)(?:[t ]${TIME}${ZONE})?`,
  // Written with dots, a day comes first: 21.11.2026 13:00
  String.raw`(?<day>\d\d?)\.(?<month>\d\d?)\.(?<year>\d{4})(?:[t ]${TIME}${ZONE})?`,
  // HTTP and e-mail: Sat, 21 Nov 2026 12:00:00 GMT; Saturday, 21-Nov-26 12:00:00 GMT
  String.raw`${WEEKDAY}(?<day>\d\d?)[ -]${MONTH}[ -](?<year>\d{4}|\d\d)(?: ${TIME}${ZONE})?`,
  // JavaScript: Sat Nov 21 2026 13:00:00 GMT+0100 (Central European Standard Time)
  String.raw`${WEEKDAY}${MONTH} {1,2}(?<day>\d\d?),? (?<year>\d{4})(?: ${TIME}${ZONE})?`,
].map((form) => new RegExp(`^${form}$`, 'i'));

/** Milliseconds since the Unix epoch; UTC if the text names no zone. Undefined for a text that is not a date, or has two meanings: 11/12/2026. */
export function parseDate(text: string): number | undefined {
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return instantOf(parts);
  }
  return undefined;
}

function instantOf(parts: Readonly<Record<string, string | undefined>>): number | undefined {
  const { name, fraction = '0', zone = '' } = parts;
  const [day, hour, minute, second] = ['day', 'hour', 'minute', 'second'].map((part) =>
    Number(parts[part] ?? 0),
  ) as [number, number, number, number];
  const month =
    name === undefined ? Number(parts['month']) : MONTHS.indexOf(name.toLowerCase()) + 1;
  // `Date.UTC` takes the year 99 for 1999.
  const midnight = new Date(0).setUTCFullYear(fullYear(parts['year'] ?? ''), month - 1, day);
  const isDay = month >= 1 && month <= 12 && new Date(midnight).getUTCDate() === day;
  if (!isDay || hour > 24 || minute > 59 || second > 60) return undefined;
  const minutes = hour * 60 + minute - minutesAhead(zone.toLowerCase());
  const ms = Math.floor(Number(`0.${fraction}`) * 1_000);
  return midnight + minutes * 60_000 + second * 1_000 + ms;
}

/** A year. One of two digits, as in RFC 850, is in this century if it is below 50. */
function fullYear(year: string): number {
  const number = Number(year);
  if (year.length > 2) return number;
  return number < 50 ? 2000 + number : 1900 + number;
}

function minutesAhead(zone: string): number {
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}
