// The name of a source among the patterns, and in a sentence.
import { SluiceError } from '../../model/errors.js';

/** Standard input, among the patterns and in `sources`. */
export const STANDARD_INPUT = '-';

export function nameSource(path: string): string {
  return path === STANDARD_INPUT ? 'Standard input' : `The input file ${path}`;
}

/** The `input` error if `header-row` names a line that cannot be a header. */
export function noHeaderAt(path: string, line: number): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} has no row with text that begins on line ${line}, so the names of the columns cannot be there.`,
    {},
    { way: 'Name their line with the key header-row.' },
  );
}
