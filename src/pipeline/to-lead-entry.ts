// From a record to what the store takes in: mapped, normalised, judged sufficient, and fingerprinted.
import type { EnrichmentRequest, InputName } from '../domain/ask.js';
import { canonicalText } from '../domain/fingerprint.js';
import type { JsonValue } from '../domain/json.js';
import type { SourceRecord } from '../domain/lead.js';
import type { MappedInput } from '../domain/mapping.js';
import { normaliseInput } from '../domain/normalise.js';
import type { LeadEntry } from '../domain/ports/store.js';
import { explainLacking, sufficientAsks } from '../domain/sufficiency.js';
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
  for (const { input, column, index } of mapping) {
    const text = cellText(cells[index]);
    if (text === undefined) {
      return {
        ...lead,
        kind: 'skipped',
        note: `malformed: the column ${column.key} holds no text`,
      };
    }
    const normalised = normaliseInput(input, text, terms.registrableDomain);
    if (normalised.kind === 'malformed') {
      return { ...lead, kind: 'skipped', note: `malformed: ${normalised.reason}` };
    }
    if (normalised.kind === 'value') inputs[input] = normalised.value;
  }

  const { asked, lacking } = sufficientAsks(terms.ask, inputs, terms.requirements);
  const note =
    lacking.length === 0
      ? null
      : `insufficient inputs: ${explainLacking(lacking, terms.requirements)}`;
  if (asked.length === 0) return { ...lead, kind: 'skipped', note };
  const request: EnrichmentRequest = { ask: asked, inputs };
  const fingerprint = terms.digest(canonicalText(request, terms.account));
  return { ...lead, kind: 'asked', note, request, fingerprint };
}

/** Undefined for an object or an array, which no input can be. */
function cellText(cell: JsonValue | undefined): string | undefined {
  if (cell === undefined || cell === null) return '';
  return typeof cell === 'object' ? undefined : String(cell);
}
