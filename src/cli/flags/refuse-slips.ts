// What yargs lets pass although nobody can have meant it: an option given twice, without its value, or with one
// that it does not take. A command line that was put together by a script has such slips.
import { SluiceError } from '../../model/errors.js';

/** The names of a command's options, by what they take. */
export interface OptionKinds {
  readonly array: readonly string[];
  readonly boolean: readonly string[];
  /** Every name there is. */
  readonly key?: Readonly<Record<string, unknown>>;
}

/**
 * `values` is what the command line parsed to, `words` the command line itself.
 * @throws SluiceError `usage` naming the option
 */
export function refuseSlips(
  values: Readonly<Record<string, unknown>>,
  kinds: OptionKinds,
  words: readonly string[],
): void {
  for (const [name, value] of Object.entries(values)) {
    // `_` and the name of the program; of an alias, the long name tells.
    if (name.length < 2) continue;
    if (Array.isArray(value) && !kinds.array.includes(name)) {
      throw slip(name, `--${name} is given twice. Give it once.`);
    }
    const isEmpty = value === '' || (Array.isArray(value) && value.includes(''));
    if (isEmpty && words.some((word) => word === `--${name}` || word === `--${name}=`)) {
      throw slip(name, `--${name} is empty. Give it a value, or leave it out.`);
    }
    const given = words.find((word) => word.startsWith(`--${name}=`));
    if (!kinds.boolean.includes(name) || given === undefined) continue;
    if (!/=(true|false)$/.test(given)) {
      throw slip(name, `--${name} takes no value. Write --${name}, or --no-${name}.`);
    }
  }
}

function slip(flag: string, message: string): SluiceError {
  return new SluiceError('usage', message, { flag });
}
