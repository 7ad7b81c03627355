// The find_phone block: a phone in international format (docs/platform-api.md, Enrichment result). Only numbers that
// regulators keep for fiction, so that no real telephone ever rings.
import type { Persona } from './imagine-persona.js';

export interface FoundPhone {
  readonly phone: string;
}

/** Some platforms group the digits, most do not; both occur. */
export function findPhone({ draw: openStream }: Persona): FoundPhone {
  const draw = openStream('find_phone');
  const digits = (length: number): string =>
    String(draw.between(0, 10 ** length - 1)).padStart(length, '0');
  const grouped = draw.pick([
    `+1 202 555 01${digits(2)}`,
    `+44 7700 900${digits(3)}`,
    `+33 1 99 00 ${digits(2)} ${digits(2)}`,
  ]);
  return { phone: draw.chance(0.25) ? grouped : grouped.replaceAll(' ', '') };
}
