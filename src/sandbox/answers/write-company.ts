// The company of a position group: only `name` is always present (docs/platform-api.md, Company of a position group).
import type { Company } from '../../model/result.js';
import { disturb } from './awkward-text.js';
import { type Persona, toAsciiWord } from './imagine-persona.js';
import type { Draw } from './open-draw.js';
import {
  CITIES,
  COMPANY_NAMES,
  COMPANY_SIZES,
  COMPANY_TYPES,
  INDUSTRIES,
  SENTENCES,
} from './word-lists.js';

/** The persona's own company, or any other for null. One in five has a name and nothing else. */
export function writeCompany(persona: Persona | null, draw: Draw): Company {
  const plainName = persona?.companyName ?? draw.pick(COMPANY_NAMES);
  const name = disturb(plainName, draw);
  if (draw.chance(0.2)) return { name };
  const slug = toAsciiWord(plainName) || 'company';
  const domain = persona?.companyDomain ?? `${slug}.example`;
  const id = draw.between(100, 90_000_000);
  const isKnown = (): boolean => draw.chance(0.85);
  return {
    ...(isKnown() && { id }),
    name,
    ...(isKnown() && { socialUrl: `https://social.example/company/${slug}` }),
    ...(isKnown() && { socialUrlSalesNav: `https://social.example/sales/company/${id}` }),
    ...(isKnown() && { logo: `https://pictures.example/logos/${id}.png` }),
    ...(isKnown() && { domain }),
    ...(isKnown() && { website: `https://www.${domain}/` }),
    ...(isKnown() && { industry: draw.pick(INDUSTRIES) }),
    ...(isKnown() && { description: disturb(draw.pick(SENTENCES), draw) }),
    ...(isKnown() && { employeesOnSocial: draw.between(1, 250_000) }),
    ...(isKnown() && { foundedOn: draw.between(1850, 2024) }),
    ...(isKnown() && { headQuarter: draw.pick(CITIES) }),
    ...(isKnown() && { size: draw.pick(COMPANY_SIZES) }),
    ...(isKnown() && { type: draw.pick(COMPANY_TYPES) }),
  };
}
