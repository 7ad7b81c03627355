// The further tests of a file in `npm run test:long`, where it is run a second time. vitest.config.ts finds the files
// that import this one, as LONGER.

/** Told by vitest.config.ts. */
export const isLong = process.env['SLUICE_LONG'] !== undefined;

/** For a table of tests: `npm test` has enough of the first ones, the long suite takes the rest as well. */
export function inBrief<const A, const B>(
  first: readonly A[],
  rest: readonly B[],
): readonly (A | B)[] {
  return isLong ? [...first, ...rest] : first;
}

/** How often a property is tried: a quarter of that in `npm test`, also of those that say no number (`setup.ts`). */
export function tries(count: number): number {
  return isLong ? count : Math.ceil(count / 4);
}
