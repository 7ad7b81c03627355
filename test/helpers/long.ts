// The further tests of a file in `npm run test:long`, where it is run a second time: every file that imports one of
// these.

/** Told by vitest.config.ts. */
export const isLong = process.env['SLUICE_LONG'] !== undefined;

/** For a table of tests: `npm test` has enough of the first ones, the long suite takes the rest as well. */
export function inBrief<const A, const B>(
  first: readonly A[],
  rest: readonly B[],
): readonly (A | B)[] {
  return isLong ? [...first, ...rest] : first;
}

/** How often a property is tried: a quarter of that in `npm test`. */
export function tries(count: number): number {
  return isLong ? count : Math.ceil(count / 4);
}
