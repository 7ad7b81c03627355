// Placeholders of a job: names that the run completes (`out/{input}-{date}.csv` for a table, `{job} {date}` for a
// contact list), and variables of the environment.
import { SluiceError } from '../errors.js';

/** They hold secrets, or name the files that do: no `${…}` of a job may be one of these. */
export const SECRET_VARIABLE =
  /^SLUICE_(USERNAME|PASSWORD|API_KEY|WEBHOOK_SECRET|UI_PASSWORD)(_FILE)?$/;

const PLACEHOLDER = /\{([^{}]*)\}/g;
const IN_OUTPUT_NAME = ['date', 'input', 'job', 'run'] as const;
type InOutputName = (typeof IN_OUTPUT_NAME)[number];

/** The value of each placeholder; called only if it is in the name. */
export type OutputNameValues = Readonly<Record<InOutputName, () => string>>;

/** Whether the name has this placeholder in it; without `name`, any placeholder. */
export function hasPlaceholder(template: string, name?: InOutputName): boolean {
  if (name !== undefined) return template.includes(`{${name}}`);
  return template.search(PLACEHOLDER) !== -1;
}

/** @throws SluiceError `usage` for an unknown placeholder */
export function expandOutputName(template: string, values: OutputNameValues): string {
  return expand(template, new Map(Object.entries(values)), (placeholder) => {
    const message = `In the name of the table, ${placeholder} has no meaning; {date}, {input}, {job} and {run} have one.`;
    return new SluiceError('usage', message);
  });
}

function expand(
  template: string,
  values: ReadonlyMap<string, () => string>,
  problemOf: (placeholder: string) => SluiceError,
): string {
  return template.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw problemOf(placeholder);
    return value();
  });
}

/** The endings of a name: that of a packed file, and the one before it. */
const PACKED = /(?<=.)\.gz$/i;
const ENDING = /(?<=.)\.[^.\s]+$/;
/** Separators, characters with a meaning to a shell, to Windows or in the name of a table, and invisible ones. */
const UNSAFE = /[/\\<>:"|?*{}\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Windows opens a device under these names, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=$|\.)/i;

/** A file's base name without `.gz` and then its last ending, made safe; `base` is the last part of a path. */
export function inputName(base: string): string {
  return safeName(base.replace(PACKED, '').replace(ENDING, ''));
}

/**
 * A character that could lead out of the folder, or that some system forbids, becomes `_`; a name that Windows reserves begins with it.
 */
export function safeName(text: string): string {
  const safe = text.replace(UNSAFE, '_').replace(/^\.+|[. ]+$/g, (dots) => '_'.repeat(dots.length));
  return safe.replace(DEVICE, '_$&') || '_';
}

/**
 * The platform's limit (docs/platform-api.md, Limits), in UTF-16 code units: the strictest of the usual ways to count.
 */
export const LIST_NAME_LENGTH_MAX = 200;

export interface ListNameValues {
  readonly job: string;
  /** `2026-11-21`, in UTC. */
  readonly date: string;
}

/** @throws SluiceError `usage` for an unknown placeholder, an empty name, or a name that is too long */
export function expandListName(template: string, { job, date }: ListNameValues): string {
  const values = new Map([
    ['job', () => job],
    ['date', () => date],
  ]);
  const name = expand(
    template,
    values,
    (placeholder) =>
      new SluiceError(
        'usage',
        `In the name of the contact list, ${placeholder} has no meaning; {job} and {date} have one.`,
      ),
  ).trim();
  if (name === '') throw badListName('is empty');
  if (name.length <= LIST_NAME_LENGTH_MAX) return name;
  const limit = `the platform takes at most ${LIST_NAME_LENGTH_MAX} (an emoji counts as two or more)`;
  throw badListName(`is ${name.length} characters long, and ${limit}`);
}

function badListName(flaw: string): SluiceError {
  return new SluiceError('usage', `The name of the contact list ${flaw}. Give another one.`);
}
