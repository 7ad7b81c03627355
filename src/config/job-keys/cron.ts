const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAYS = 'sun mon tue wed thu fri sat'.split(' ');
const LAST_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

interface Field {
  readonly min: number;
  readonly max: number;
  /** Of `min` and those after it. */
  readonly names?: readonly string[];
  /** Further texts that may stand there. */
  readonly special?: RegExp;
}

const FIELDS: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31, special: /^(\?|l)$/ },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 7, names: DAYS, special: /^(\?|[0-7]l|[0-7]#[1-5])$/ },
];

/** Whether BullMQ can read the text: numbers, names, `*`, lists, ranges and steps; `?`, `L`, `5L` and `5#2` for days. */
export function isCron(text: string): boolean {
  const fields = text.toLowerCase().split(' ');
  if (fields.length !== FIELDS.length) return false;
  if (!FIELDS.every((field, i) => isInField(fields[i] as string, field))) return false;
  const [, , day = '', month = ''] = fields;
  const lastDay = LAST_DAYS[valueOf(month, { min: 1, max: 12, names: MONTHS }) - 1];
  return lastDay === undefined || !/^\d+$/.test(day) || Number(day) <= lastDay;
}

function isInField(text: string, field: Field): boolean {
  if (field.special?.test(text) === true) return true;
  return text.split(',').every((part, _, { length }) => {
    const [range = '', step = '1', ...more] = part.split('/');
    if (more.length > 0 || !/^[1-9]\d{0,2}$/.test(step) || Number(step) > field.max) return false;
    if (range === '*') return length === 1;
    const [from = '', to = from, ...others] = range.split('-');
    return others.length === 0 && valueOf(from, field) <= valueOf(to, field);
  });
}

/** The number of a text; NaN if it is not in the field. */
function valueOf(text: string, { max, min, names }: Field): number {
  const at = names?.indexOf(text) ?? -1;
  if (at >= 0) return at + min;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : Number.NaN;
}

export function isTimezone(text: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
