// The social_enrichment block: a profile with every documented field, in order (docs/platform-api.md, Profile). The
// company fields repeat the company of the current position.
import type { PositionGroup, Profile } from '../../model/result.js';
import { disturb } from './awkward-text.js';
import type { Persona } from './imagine-persona.js';
import type { Draw } from './open-draw.js';
import { CITIES, INDUSTRIES, LANGUAGES, SENTENCES, SKILLS, TITLES } from './word-lists.js';
import { writePositionGroups } from './write-position-groups.js';

/** JSON leaves out what is undefined. */
export type WireProfile = { readonly [Field in keyof Profile]: Profile[Field] | undefined };

/** One profile; a field that the platform does not know is left out. */
export function writeProfile(persona: Persona): WireProfile {
  const draw = persona.draw('social_enrichment');
  const positionGroups = writePositionGroups(persona, draw);
  const current = positionGroups.find(({ date }) => date.end.year === undefined);
  return {
    positionGroups,
    ...writePerson(persona, draw),
    ...writeCurrentCompany(current, draw),
  };
}

function writePerson({ socialUrl, firstName, lastName }: Persona, draw: Draw) {
  const memberId = draw.between(1_000, 2 ** 31 - 1);
  return {
    socialUrl,
    socialMemberId: memberId,
    socialClassicId: `ACo${memberId.toString(36).padStart(8, '0')}`,
    firstName: draw.chance(0.02) ? disturb(firstName, draw) : firstName,
    lastName,
    ...(draw.chance(0.8) && { picture: `https://pictures.example/${memberId}.jpg?e=1&t=a%2Cb` }),
    ...(draw.chance(0.95) && { locationName: draw.pick(CITIES) }),
    ...(draw.chance(0.9) && { tagline: disturb(`${draw.pick(TITLES)}, builder of teams`, draw) }),
    ...(draw.chance(0.9) && { industry: draw.pick(INDUSTRIES) }),
    ...(draw.chance(0.7) && { summary: writeSummary(draw) }),
    ...(draw.chance(0.6) && { languages: pickSome(LANGUAGES, draw).join(', ') }),
    ...(draw.chance(0.85) && { skills: pickSome(SKILLS, draw).join(', ') }),
  };
}

function writeCurrentCompany(current: PositionGroup | undefined, draw: Draw) {
  if (current === undefined) return {};
  const { company, profilePositions } = current;
  const occupation = `${profilePositions[0]?.title ?? draw.pick(TITLES)} at ${company.name}`;
  return {
    companyName: company.name,
    companyLinkedinUrl: company.socialUrl,
    occupation,
    companyDomain: company.domain,
    companyId: company.id,
    companyWebsite: company.website,
    companyDescription: company.description,
    companyFoundedOn: company.foundedOn,
    companyEmployeesOnSocial: company.employeesOnSocial,
    companyIndustry: company.industry,
    companyLogo: company.logo,
    companyType: company.type,
    companyHeadQuarter: company.headQuarter,
    companySize: company.size,
  };
}

// One in a hundred is longer than a cell of a spreadsheet may be (32,767 characters).
function writeSummary(draw: Draw): string {
  const length = draw.chance(0.01) ? draw.between(10_000, 40_000) : draw.between(40, 400);
  let text = '';
  while (text.length < length) text += `${draw.pick(SENTENCES)} `;
  return disturb(text.trimEnd(), draw);
}

function pickSome(list: readonly [string, ...string[]], draw: Draw): string[] {
  return [...new Set(Array.from({ length: draw.between(1, 6) }, () => draw.pick(list)))];
}
