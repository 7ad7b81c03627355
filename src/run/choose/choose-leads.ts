// Chooses the leads that are asked: those that `where` chooses, that lack what is asked for, and that are in the
// sample.
import type { Ask } from '../../model/ask.js';
import { SluiceError } from '../../model/errors.js';
import type { Column, SourceRecord } from '../../model/lead.js';
import type { FoundColumn, SampleRows } from '../../model/mapping/find-column.js';
import type { FirstValues } from '../../model/mapping/judge-values.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import {
  findOwnColumn,
  holdsOwn,
  OWN_KIND_OF,
  type OwnKind,
} from '../../model/mapping/own-columns.js';
import { parseWhere } from '../../model/where/where.js';
import type { LeadEntry } from '../../ports/store/enrichments.js';
import type { AskingTerms } from '../run-context.js';
import { mappedText, toLeadEntry, widerQuestions } from '../to-lead-entry.js';
import { isInSample } from './sample.js';

type Cells = SourceRecord['cells'];

/** The columns in which a lead may have the answer already; empty unless only missing answers are wanted. */
export type OwnColumns = Readonly<Partial<Record<OwnKind, FoundColumn>>>;

/**
 * Decides, as the only place, which leads are asked: makes a lead from a record with these columns, which is asked,
 * skipped, or not asked because the user chose others.
 * @throws SluiceError `usage` if the choice names a column that the input does not have
 */
export function leadPreparer(
  columns: readonly Column[],
  mapping: readonly MappedInput[],
  own: OwnColumns,
  terms: AskingTerms,
): (record: SourceRecord, position: number) => LeadEntry {
  if (terms.choice === undefined) {
    return (record, position) => toLeadEntry(record, position, mapping, terms);
  }
  const wantedOf = wantedAsks(columns, own, terms);
  // If a lead lacks its address, its column of addresses has none to send.
  const withoutAddress = mapping.filter(
    ({ index, input }) => input !== 'email' || index !== own.email?.index,
  );
  return (record, position) => {
    const { source, line, cells, flaw } = record;
    // A flawed record may not mean what it says, so its cells do not decide.
    const wanted = flaw === undefined ? wantedOf(cells) : terms.ask;
    const notAsked = (note: string): LeadEntry => {
      return { position, source, line, cells, kind: 'not_asked', note };
    };
    if (typeof wanted === 'string') return notAsked(wanted);
    const sent = wanted.includes('find_email') ? withoutAddress : mapping;
    const lead = toLeadEntry(record, position, sent, { ...terms, ask: wanted });
    if (lead.kind !== 'asked') return lead;
    if (!isInSample(lead, terms)) return notAsked('not in the sample');
    if (wanted.length === terms.ask.length) return lead;
    const whole = toLeadEntry(record, position, withoutAddress, terms);
    if (whole.kind !== 'asked') return { ...lead, wanted };
    // This run may have asked for the missing part together with the rest, before the lead had its address.
    const before = { ask: lead.request.ask, inputs: whole.request.inputs };
    const asked = [...(terms.asked ?? []), whole.request.ask];
    const wider = [...(lead.wider ?? []), ...widerQuestions(before, { ...terms, asked })];
    return { ...lead, wanted, wider };
  };
}

/**
 * The columns for `missing`. The first values count too, so this is called once for an input.
 * @throws SluiceError `usage` if the choice names a column that the input does not have, or no column has a usual
 * header
 */
export function ownColumns(
  columns: readonly Column[],
  { ask, choice }: Pick<AskingTerms, 'ask' | 'choice'>,
  firstValues: FirstValues | undefined,
): OwnColumns {
  const missing = choice?.missing;
  const own: Partial<Record<OwnKind, FoundColumn>> = {};
  for (const one of missing === undefined ? [] : ask) {
    const kind = OWN_KIND_OF[one];
    if (kind === undefined) throw neverMissing(one);
    own[kind] = findOwnColumn(columns, kind, missing ?? {}, firstValues);
  }
  return own;
}

/**
 * Returns the asks for a lead with these cells, or the reason why there are none.
 * @throws SluiceError `usage` if `where` names a column that the input does not have
 */
export function wantedAsks(
  columns: readonly Column[],
  own: OwnColumns,
  terms: Pick<AskingTerms, 'ask' | 'choice' | 'registrableDomain'>,
  rows: SampleRows = [],
): (cells: Cells) => readonly Ask[] | string {
  const { ask, choice = {} } = terms;
  const { where } = choice;
  const originals = columns.map((column) => ({ ...column, kind: 'original' as const }));
  const isChosen =
    where === undefined ? () => true : parseWhere(where, originals, { place: 'the input', rows });
  const has = (kind: OwnKind | undefined, cells: Cells): boolean => {
    const column = kind && own[kind];
    const text = column && mappedText(column, cells);
    return (
      text !== undefined && kind !== undefined && holdsOwn(kind, text, terms.registrableDomain)
    );
  };
  return (cells) => {
    if (!isChosen(cells)) return 'not chosen by where';
    const lacking = ask.filter((one) => !has(OWN_KIND_OF[one], cells));
    if (lacking.length > 0) return lacking;
    return `has its own ${Object.keys(own).sort().join(' and ')}`;
  };
}

function neverMissing(ask: Ask): SluiceError {
  return new SluiceError(
    'usage',
    `only-missing goes with find_email and find_phone: no column of yours says whether the answer to ${ask} is missing. Ask for that in a job of its own.`,
    { ask },
  );
}
