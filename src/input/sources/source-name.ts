import { SluiceError } from '../../model/errors.js';

/** Standard input, among the patterns and in `sources`. */
export const STANDARD_INPUT = '-';

export function nameSource(path: string): string {
  return path === STANDARD_INPUT ? 'Standard input' : `The input file ${path}`;
}

export function noHeaderAt(path: string, line: number): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} has no row with text that begins on line ${line}, so the names of the columns cannot be there.`,
    {},
    { way: 'Name their line with the key header-row.' },
  );
}
