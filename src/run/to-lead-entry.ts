// From a record of the input to a lead: normalised, judged sufficient and fingerprinted.
import {
  type EnrichmentRequest,
  explainLacking,
  type InputName,
  type Inputs,
  sufficientAsks,
} from '../model/ask.js';
import { canonicalText, formerCanonicalText } from '../model/fingerprint.js';
import type { SourceRecord } from '../model/lead.js';
import type { MappedInput } from '../model/mapping.js';
import { normaliseInput } from '../model/normalise.js';
import { exactText, type JsonValue, plainJson } from '../model/text/json.js';
import type { Fingerprints, LeadEntry } from '../ports/store/enrichments.js';
import type { AskingTerms } from './run-context.js';

/** The lead as it goes into the store: `asked` with its request and fingerprint, or `skipped` with the reason. */
export function toLeadEntry(
  record: SourceRecord,
  position: number,
  mapping: readonly MappedInput[],
  terms: AskingTerms,
): LeadEntry {
  const { source, line, cells } = record;
  const lead = { position, source, line, cells };
  if (record.flaw !== undefined) return { ...lead, kind: 'skipped', note: record.flaw };

  const inputs: Partial<Record<InputName, string>> = {};
  const former: Partial<Record<InputName, string>> = {};
  const remarks: string[] = [];
  for (const { input, column, index } of mapping) {
    const text = cellText(cells[index]);
    if (text === undefined) {
      return {
        ...lead,
        kind: 'skipped',
        note: `malformed: the column ${column.key} holds no text`,
      };
    }
    const normalised = normaliseInput(input, text, terms.registrableDomain, terms.domainOwner);
    if (normalised.kind === 'malformed') {
      return { ...lead, kind: 'skipped', note: `malformed: ${normalised.reason}` };
    }
    if (normalised.kind === 'empty') continue;
    if (normalised.kind === 'left_out') remarks.push(normalised.reason);
    else inputs[input] = normalised.value;
    const formerValue = normalised.former ?? inputs[input];
    if (formerValue !== undefined) former[input] = formerValue;
  }

  const { asked, lacking } = sufficientAsks(terms.ask, inputs, terms.requirements);
  if (lacking.length > 0) {
    remarks.unshift(`insufficient inputs: ${explainLacking(lacking, terms.requirements)}`);
  }
  const note = remarks.length === 0 ? null : remarks.join('; ');
  if (asked.length === 0) return { ...lead, kind: 'skipped', note };
  const request: EnrichmentRequest = { ask: asked, inputs };
  return { ...lead, kind: 'asked', note, request, ...fingerprintsOf(request, former, terms) };
}

/**
 * Releases up to 0.1.0 gave some companies one domain, and their people one payment. Such a payment is not recognised
 * where that domain alone identified the lead: the answer may be another person's.
 */
function fingerprintsOf(
  request: EnrichmentRequest,
  formerInputs: Inputs,
  { account, ask, digest, requirements }: AskingTerms,
): Fingerprints {
  const text = canonicalText(request, account);
  const fingerprint = digest(text);
  const { email, socialUrl, companyDomain } = request.inputs;
  const isSamePerson =
    email !== undefined || socialUrl !== undefined || companyDomain === formerInputs.companyDomain;
  if (!isSamePerson) return { fingerprint };
  const { asked } = sufficientAsks(ask, formerInputs, requirements);
  const former = formerCanonicalText({ ask: asked, inputs: formerInputs }, account);
  return former === text ? { fingerprint } : { fingerprint, formerFingerprint: digest(former) };
}

/** Undefined for an object or an array, which no input can be. A number that a double holds becomes the usual text. */
function cellText(cell: JsonValue | undefined): string | undefined {
  if (cell === undefined || cell === null) return '';
  return typeof cell === 'object' ? undefined : exactText(plainJson(cell));
}
