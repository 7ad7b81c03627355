// Chooses the leads that are asked: those that `where` chooses, that lack what is asked for, and that are in the
// sample.
import type { Ask } from '../../model/ask.js';
import type { SourceRecord } from '../../model/lead.js';
import type { SampleRows } from '../../model/mapping/find-column.js';
import type { JudgedColumns, OwnKind } from '../../model/mapping/mapping.js';
import { holdsOwn, OWN_KIND_OF } from '../../model/mapping/own-columns.js';
import { parseWhere } from '../../model/where/where.js';
import type { LeadEntry } from '../../ports/store/enrichments.js';
import type { AskingTerms } from '../run-context.js';
import { mappedText, toLeadEntry, widerQuestions } from '../to-lead-entry.js';
import { isInSample } from './sample.js';

type Cells = SourceRecord['cells'];

/**
 * Decides, as the only place, which leads are asked: makes a lead from a record with these columns, which is asked,
 * skipped, or not asked because the user chose others.
 * @throws SluiceError `usage` if the choice names a column that the input does not have
 */
export function leadPreparer(
  judged: Pick<JudgedColumns, 'columns' | 'mapping' | 'own'>,
  terms: AskingTerms,
): (record: SourceRecord, position: number) => LeadEntry {
  const { mapping, own } = judged;
  if (terms.choice === undefined) {
    return (record, position) => toLeadEntry(record, position, mapping, terms);
  }
  const wantedOf = wantedAsks(judged, terms);
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
 * Returns the asks for a lead with these cells, or the reason why there are none.
 * @throws SluiceError `usage` if `where` names a column that the input does not have
 */
export function wantedAsks(
  { columns, own }: Pick<JudgedColumns, 'columns' | 'own'>,
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
