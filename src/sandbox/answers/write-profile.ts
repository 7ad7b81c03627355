// The social_enrichment block: a profile with every documented field, in order (docs/platform-api.md, Profile). The
// company fields repeat the company of the current position.
import { OF_PROFILE } from '../../model/columns/companies.js';
import type {
  Company,
  DateRange,
  PartialDate,
  Position,
  PositionGroup,
  Profile,
} from '../../model/result.js';
import type { Draw } from './decide-outcome.js';
import { fillTemplate, type NewCompany, type Persona, toAsciiWord } from './imagine-persona.js';
import {
  AWKWARD_TEXTS,
  CITIES,
  COMPANY_NAMES,
  COMPANY_SIZES,
  COMPANY_TYPES,
  INDUSTRIES,
  LANGUAGES,
  SENTENCES,
  SKILLS,
  TITLES,
} from './persona-data.js';

/** The profile with all fields; JSON leaves out undefined ones. */
export type WireProfile = { readonly [Field in keyof Profile]: Profile[Field] | undefined };

/** Months since year 0; null while the period goes on. */
type Month = number;
type Period = { readonly start: Month; readonly end: Month | null };

// The current month would give the same inputs another career next year.
const LATEST: Month = 2025 * 12 + 5;

export function writeProfile(persona: Persona): WireProfile {
  const draw = persona.draw('social_enrichment');
  const positionGroups = movedOn(writePositionGroups(persona, draw), persona);
  const current = positionGroups.find(({ date }) => date.end.year === undefined);
  return {
    positionGroups,
    ...writePerson(persona, draw),
    ...(current && writeCurrentCompany(current, draw)),
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

function writeCurrentCompany({ company, profilePositions }: PositionGroup, draw: Draw) {
  const fields = Object.keys(OF_PROFILE) as (keyof typeof OF_PROFILE)[];
  return {
    ...Object.fromEntries(fields.map((field) => [OF_PROFILE[field], company[field]])),
    occupation: `${profilePositions[0]?.title ?? draw.pick(TITLES)} at ${company.name}`,
  };
}

/**
 * 0 to 8 groups, latest first (docs/platform-api.md, Position group); the first is usually current, at their company.
 */
function writePositionGroups(persona: Persona, draw: Draw): PositionGroup[] {
  const count = draw.chance(0.06) ? 0 : Math.floor(draw.next() ** 1.7 * 8) + 1;
  const groups: PositionGroup[] = [];
  let until = LATEST;
  for (let index = 0; index < count; index += 1) {
    // A second job beside the first is current as well.
    const isCurrent = index === 0 ? draw.chance(0.88) : index === 1 && draw.chance(0.12);
    const start = until - draw.between(4, 70);
    const period = { start, end: isCurrent ? null : until };
    groups.push(writeGroup(writeCompany(index === 0 ? persona : null, draw), period, draw));
    until = start - draw.between(0, 5);
  }
  return groups;
}

/** The new company is current, all others have ended; everything before is unchanged. */
function movedOn(
  groups: readonly PositionGroup[],
  { draw: drawOf, newCompany }: Persona,
): PositionGroup[] {
  if (newCompany === undefined) return [...groups];
  const draw = drawOf('move to');
  const company = { ...writeCompany(newCompany, draw), name: newCompany.companyName };
  const end = ({ start, end }: DateRange): DateRange =>
    end.year === undefined ? { start, end: writeDate(LATEST, draw) } : { start, end };
  const left = groups.map((group): PositionGroup => {
    const profilePositions = group.profilePositions.map((one) => ({ ...one, date: end(one.date) }));
    return { ...group, date: end(group.date), profilePositions };
  });
  return [writeGroup(company, { start: LATEST, end: null }, draw), ...left];
}

/** The persona's own company, or any other for null. One in five has a name and nothing else. */
function writeCompany(persona: NewCompany | null, draw: Draw): Company {
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

function writeGroup(company: Company, period: Period, draw: Draw): PositionGroup {
  const count = draw.chance(0.04) ? 0 : draw.pick([1, 1, 1, 2, 2, 3, 4]);
  const profilePositions = splitPeriod(period, count, draw).map((part) =>
    writePosition(company.name ?? '', part, draw),
  );
  return { company, date: writeRange(period, draw), profilePositions };
}

function writePosition(companyName: string, period: Period, draw: Draw): Position {
  return {
    title: disturb(draw.pick(TITLES), draw),
    ...(draw.chance(0.6) && { description: disturb(draw.pick(SENTENCES), draw) }),
    ...(draw.chance(0.9) && { companyName }),
    date: writeRange(period, draw),
  };
}

// Splits a period, the latest part first; each earlier one ends where the next begins.
function splitPeriod({ start, end }: Period, count: number, draw: Draw): Period[] {
  const parts: Period[] = [];
  let partEnd = end;
  for (let left = count; left > 0; left -= 1) {
    const room = (partEnd ?? LATEST) - start;
    const partStart = left === 1 ? start : start + draw.between(Math.floor(room / 2), room);
    parts.push({ start: partStart, end: partEnd });
    partEnd = partStart;
  }
  return parts;
}

function writeRange({ start, end }: Period, draw: Draw): DateRange {
  return { start: writeDate(start, draw), end: end === null ? {} : writeDate(end, draw) };
}

// Many people remember the year only.
function writeDate(month: Month, draw: Draw): PartialDate {
  const year = Math.floor(month / 12);
  return draw.chance(0.15) ? { year } : { month: (month % 12) + 1, year };
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

function disturb(text: string, draw: Draw): string {
  return draw.chance(0.1) ? fillTemplate(draw.pick(AWKWARD_TEXTS), { text }) : text;
}
