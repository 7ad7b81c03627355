// The body of a finished enrichment, by id and in a webhook (docs/platform-api.md, Enrichment result).
import type {
  Ask,
  CustomAsk,
  CustomAsks,
  CustomField,
  EnrichmentRequest,
} from '../../model/ask.js';
import type { CustomValues } from '../../model/result.js';
import type { JsonValue } from '../../model/text/json.js';
import type { Faults } from '../faults.js';
import { foldInputs, identifyInputs } from '../ledger/fingerprint-request.js';
import type { Enrichment } from '../ledger/ledger.js';
import { type Draw, decideHits, openDraw, type Population } from './decide-outcome.js';
import { fillTemplate, imaginePersona, type Persona, toAsciiWord } from './imagine-persona.js';
import {
  CITIES,
  COMPANY_SIZES,
  COMPANY_TYPES,
  ERRORS,
  FOUND_STATUSES,
  INDUSTRIES,
  LOCAL_PARTS,
  OTHER_DOMAINS,
  PHONES,
  SENTENCES,
  TITLES,
  VERIFIED_STATUSES,
} from './persona-data.js';
import { type WireProfile, writeProfile } from './write-profile.js';

/** Blocks in which a missed one may be `{}`, which the decoded `Result` does not know. */
interface Blocks {
  find_email?: FoundEmail | Record<string, never>;
  find_phone?: { readonly phone: string } | Record<string, never>;
  social_enrichment?: WireProfile | Record<string, never>;
  [ask: string]: object | undefined;
}

interface FoundEmail {
  readonly email: string;
  readonly status: string;
}

interface Head {
  readonly id: string;
  /** The metadata as the bulk item gave it. */
  readonly metadata?: JsonValue;
}

export interface People extends Population {
  /** The share of people who changed jobs. Default: 0. */
  readonly moved?: number;
  readonly asks?: CustomAsks;
}

export type EnrichmentBody =
  | { readonly data: readonly [Head & { data: Blocks }]; readonly type: 'enrichmentDone' }
  | { readonly type: 'enrichmentError'; readonly data: readonly [Head & { error: string }] };

const OTHER_DOMAIN_SHARE = 0.1;
/** Some platforms group the digits of a phone, most do not; both occur. */
const GROUPED_SHARE = 0.25;

/** It depends only on the folded inputs, the seed and the share that moved; `isEmpty` leaves out every block. */
export function answerEnrichment(
  enrichment: EnrichmentRequest & Head,
  { asks = {}, knows, moved = 0, seed }: People,
  isEmpty = false,
): EnrichmentBody {
  const { id, inputs, metadata } = enrichment;
  const head = { id, ...(metadata !== undefined && { metadata }) };
  const decision = decideHits(enrichment, { knows, seed });
  if (decision.kind === 'error') {
    const error = openDraw(seed, 'error', identifyInputs(inputs)).pick(ERRORS);
    return { type: 'enrichmentError', data: [{ ...head, error }] };
  }
  if (isEmpty) return { data: [{ ...head, data: {} }], type: 'enrichmentDone' };

  const data: Blocks = {};
  for (const ask of decision.emptied) data[ask === 'verify_email' ? 'find_email' : ask] = {};
  const persona = imaginePersona(foldInputs(inputs), seed, moved);
  Object.assign(data, writeBlocks(persona, decision.hits));
  for (const ask of decision.hits) {
    const custom = asks[ask];
    if (custom !== undefined) data[ask] = writeCustom(persona, ask, custom);
  }
  return { data: [{ ...head, data }], type: 'enrichmentDone' };
}

/** The latest time at which the values are there. */
const FILLED_MS = 2_000;

/**
 * Platforms may say `done` a moment before the values are there, or fetch them when first asked. It happens to the
 * first reading alone, by id or by webhook: do not call it for an answer that the client does not get.
 */
export function isEmptyReading(
  enrichment: Enrichment,
  faults: Faults,
  at = enrichment.readyAt,
): boolean {
  if (enrichment.isRead) return false;
  enrichment.isRead = true;
  const isNew = at - enrichment.readyAt < FILLED_MS;
  const { id } = enrichment;
  return faults.hits('empty-first-read', id) || (isNew && faults.hits('empty-first', id));
}

/** The blocks of a persona that the standard asks have, in the order of `hits`. */
export function writeBlocks(persona: Persona, hits: readonly Ask[]): Blocks {
  const data: Blocks = {};
  for (const ask of hits) {
    // Both asks share a block: a found address costs more, so it goes before a verified one.
    if (ask === 'find_email') data.find_email = findEmail(persona);
    else if (ask === 'find_phone') data.find_phone = findPhone(persona);
    else if (ask === 'social_enrichment') data.social_enrichment = writeProfile(persona);
    else if (ask === 'verify_email' && !hits.includes('find_email'))
      data.find_email = verifyEmail(persona);
  }
  return data;
}

/** A plausible address of the persona; only by chance the given one. */
function findEmail(persona: Persona): FoundEmail {
  const draw = persona.draw('find_email');
  const first = toAsciiWord(persona.firstName) || 'contact';
  const last = toAsciiWord(persona.lastName) || 'office';
  const { companyDomain } = persona.newCompany ?? persona;
  const firm = toAsciiWord(companyDomain.split('.', 1)[0] ?? '') || 'company';
  const isElsewhere = draw.chance(OTHER_DOMAIN_SHARE);
  const domain = isElsewhere ? fillTemplate(draw.pick(OTHER_DOMAINS), { firm }) : companyDomain;
  const local = fillTemplate(draw.pick(LOCAL_PARTS), { first, last, initial: first.slice(0, 1) });
  return { email: `${local}@${domain}`, status: drawStatus(draw, FOUND_STATUSES) };
}

function verifyEmail(persona: Persona): FoundEmail {
  const status = drawStatus(persona.draw('verify_email'), VERIFIED_STATUSES);
  return { email: persona.email ?? '', status };
}

function findPhone(persona: Persona): { phone: string } {
  const draw = persona.draw('find_phone');
  const drawDigits = ({ length }: string): string =>
    String(draw.between(0, 10 ** length - 1)).padStart(length, '0');
  const phones = PHONES.map((phone) => phone.replaceAll(/#+/g, drawDigits));
  const grouped = phones[draw.between(0, phones.length - 1)] ?? '';
  return { phone: draw.chance(GROUPED_SHARE) ? grouped : grouped.replaceAll(' ', '') };
}

function drawStatus(draw: Draw, shares: Readonly<Record<string, number>>): string {
  let left = draw.next();
  for (const [status, share] of Object.entries(shares)) {
    left -= share;
    if (left < 0) return status;
  }
  return 'unknown';
}

const WORDS = [
  [/industry/i, INDUSTRIES],
  [/size/i, COMPANY_SIZES],
  [/type/i, COMPANY_TYPES],
  [/title|position|job/i, TITLES],
  [/location|city|country|headquarter/i, CITIES],
] as const;

function writeCustom(persona: Persona, ask: string, { fields }: CustomAsk): CustomValues {
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
