// Places in a body that we write: no two values may stand at the same one, or one inside the other, for
// the second would overwrite the first, unnoticed.
import type * as z from 'zod';

/** A name of ours, and the keys that lead to its place, from the outermost on. */
export type Place<Name extends string> = readonly [name: Name, keys: readonly string[]];

/** The first two names whose places clash; undefined when there are none. */
export function clashingNames<Name extends string>(
  places: readonly Place<Name>[],
): [Name, Name] | undefined {
  for (const [i, [name, keys]] of places.entries()) {
    const clash = places.slice(i + 1).find(([, others]) => isSameStart(keys, others));
    if (clash !== undefined) return [name, clash[0]];
  }
  return undefined;
}

/** Whether one of the two leads to the other, or into it. */
function isSameStart(keys: readonly string[], others: readonly string[]): boolean {
  const length = Math.min(keys.length, others.length);
  return keys.slice(0, length).every((key, i) => key === others[i]);
}

/** For `superRefine` of an object that gives names of ours, and of nothing else, their places in a body. */
export function refuseClash(
  places: Readonly<Record<string, string>>,
  context: z.core.$RefinementCtx,
): void {
  const written = Object.entries(places).map(([name, place]) => [name, place.split('.')] as const);
  const clash = clashingNames(written);
  if (clash === undefined) return;
  const message = `${clash.join(' and ')} would stand at the same place of the body. Give each its own place`;
  context.addIssue({ code: 'custom', message });
}
