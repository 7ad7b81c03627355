// Which of the asks a lead's inputs suffice for, by the key `requires` of the dialect (docs/dialects.md).
import type { Ask, InputName, Inputs } from './ask.js';
import type { Requirements } from './terms.js';

export interface Sufficiency {
  readonly asked: readonly Ask[];
  readonly lacking: readonly Ask[];
}

/** Splits the asks into those that can be asked with these inputs and those that cannot. */
export function sufficientAsks(
  ask: readonly Ask[],
  inputs: Inputs,
  requirements: Requirements,
): Sufficiency {
  const suffices = (one: Ask) =>
    requirements[one].some((names) => names.every((name) => inputs[name] !== undefined));
  return { asked: ask.filter(suffices), lacking: ask.filter((one) => !suffices(one)) };
}

/**
 * The input to find a column for next, so that one of the alternatives is whole: of the alternative that lacks
 * least. Undefined where one is whole already, or where each lacks an input that there is no column for.
 */
export function nextInput(
  alternatives: readonly (readonly InputName[])[],
  inputs: readonly InputName[],
  without: ReadonlySet<InputName>,
): InputName | undefined {
  const lackingOf = (names: readonly InputName[]) => names.filter((name) => !inputs.includes(name));
  if (alternatives.some((names) => lackingOf(names).length === 0)) return undefined;
  const [best] = alternatives
    .filter((names) => !lackingOf(names).some((name) => without.has(name)))
    // Of two that lack the same, the one of which there is more already.
    .toSorted((a, b) => lackingOf(a).length - lackingOf(b).length || b.length - a.length);
  return best === undefined ? undefined : lackingOf(best)[0];
}

/** `find_email needs socialUrl, or firstName + lastName + companyDomain`. */
export function explainLacking(lacking: readonly Ask[], requirements: Requirements): string {
  return lacking
    .map(
      (ask) => `${ask} needs ${requirements[ask].map((names) => names.join(' + ')).join(', or ')}`,
    )
    .join('; ');
}
