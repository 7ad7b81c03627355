// Which of the asks a lead's inputs suffice for (design.md, "which inputs suffice").
import type { Ask, Inputs } from './ask.js';
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

/** `find_email needs socialUrl, or firstName + lastName + companyDomain`. */
export function explainLacking(lacking: readonly Ask[], requirements: Requirements): string {
  return lacking
    .map(
      (ask) => `${ask} needs ${requirements[ask].map((names) => names.join(' + ')).join(', or ')}`,
    )
    .join('; ');
}
