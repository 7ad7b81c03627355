// How a source is written among the patterns, and how a sentence speaks of it.

/** Standard input, among the patterns and in `sources`. */
export const STANDARD_INPUT = '-';

/** The beginning of a sentence about a source. */
export function nameSource(path: string): string {
  return path === STANDARD_INPUT ? 'Standard input' : `The input file ${path}`;
}
