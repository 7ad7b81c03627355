// The name of a contact list: fills in the placeholders, and checks the length against the platform's limit of
// 200 characters before anything is paid for (docs/platform-api.md, Limits).
import { SluiceError } from '../errors.js';

/**
 * What a character is, is not documented. Counted in UTF-16 code units, which is the strictest of the
 * usual ways, a name that passes here passes everywhere.
 */
const LIST_NAME_LENGTH_MAX = 200;

export interface ListNameValues {
  readonly job: string;
  /** `2026-11-21`, in UTC. */
  readonly date: string;
}

/**
 * Puts in `{job}` and `{date}`, and takes away the space around.
 * @throws SluiceError `usage` for an unknown placeholder, an empty name, or one that is too long
 */
export function expandListName(template: string, values: ListNameValues): string {
  const name = template
    .replaceAll(/\{([^{}]*)\}/g, (placeholder, key: string) => {
      if (key === 'job' || key === 'date') return values[key];
      throw unusable(
        `In the name of the contact list, ${placeholder} stands for nothing; {job} and {date} do.`,
        template,
      );
    })
    .trim();
  if (name === '') throw flaw('is empty', template);
  if (name.length > LIST_NAME_LENGTH_MAX) {
    throw flaw(
      `is ${name.length} characters long, and the platform takes at most ${LIST_NAME_LENGTH_MAX} (an emoji counts as two or more)`,
      template,
    );
  }
  return name;
}

function flaw(what: string, template: string): SluiceError {
  return unusable(`The name of the contact list ${what}. Give another one.`, template);
}

function unusable(message: string, template: string): SluiceError {
  return new SluiceError('usage', message, {
    name: template.slice(0, LIST_NAME_LENGTH_MAX),
  });
}
