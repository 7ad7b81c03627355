// The made-up values of a custom ask, by the types of its fields.
import type { CustomAsk, CustomField } from '../../model/ask.js';
import type { CustomValues } from '../../model/result.js';
import type { Persona } from './imagine-persona.js';
import type { Draw } from './open-draw.js';
import {
  CITIES,
  COMPANY_SIZES,
  COMPANY_TYPES,
  INDUSTRIES,
  PHONES,
  SENTENCES,
  TITLES,
} from './persona-data.js';

/** The words for a text, by the name of its field. */
const WORDS = [
  [/industry/i, INDUSTRIES],
  [/size/i, COMPANY_SIZES],
  [/type/i, COMPANY_TYPES],
  [/title|position|job/i, TITLES],
  [/location|city|country|headquarter/i, CITIES],
] as const;

/** A value for each field; names that speak of a company get that of the inputs. */
export function writeCustom(persona: Persona, ask: string, { fields }: CustomAsk): CustomValues {
  const draw = persona.draw(ask);
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, valueFor(name, field, persona, draw)]),
  );
}

function valueFor(
  name: string,
  { type }: CustomField,
  { companyDomain, companyName }: Persona,
  draw: Draw,
): string | number | boolean {
  switch (type) {
    case 'integer':
      return /year|founded/i.test(name) ? draw.between(1950, 2025) : draw.between(1, 5_000);
    case 'number':
      return draw.between(1, 1_000) / 10;
    case 'boolean':
      return draw.chance(0.5);
    case 'url':
      return `https://${companyDomain}/${name}`;
    case 'phone':
      return draw.pick(PHONES).replaceAll('#', () => String(draw.between(0, 9)));
    case 'text':
      if (/domain|website/i.test(name)) return companyDomain;
      if (/^name$|company/i.test(name)) return companyName;
      return draw.pick(WORDS.find(([pattern]) => pattern.test(name))?.[1] ?? SENTENCES);
  }
}
