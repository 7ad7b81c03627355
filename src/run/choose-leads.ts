// Chooses the leads that are asked: those that `where` chooses, that lack what is asked for, and that are in the
// random sample. For each job and seed, leads that were in the sample once are known by their content, and stay in it;
// new leads fill the free places.
import type { LeadAnswer } from '../model/answer.js';
import type { Ask, EnrichmentRequest } from '../model/ask.js';
import { flattenAnswer } from '../model/columns/flatten-answer.js';
import { columnsOfRun, outputColumns } from '../model/columns/output-columns.js';
import type { PositionShape } from '../model/columns/positions.js';
import { canonicalText } from '../model/fingerprint.js';
import { groupBy } from '../model/group-by.js';
import type { Column, SourceRecord } from '../model/lead.js';
import type { OwnKind } from '../model/mapping/column-kinds.js';
import { type CellPlace, nameOfMapped, type SampleRows } from '../model/mapping/find-column.js';
import type { JudgedColumns } from '../model/mapping/mapping.js';
import { holdsOwn, isCutNumber, OWN_KIND_OF } from '../model/mapping/own-columns.js';
import { isPlaceholder } from '../model/normalise.js';
import type { Run } from '../model/run.js';
import { NOT_CHOSEN } from '../model/waterfall/waterfall.js';
import { parseWhere } from '../model/where/where.js';
import type { LeadEntry } from '../ports/store/enrichments.js';
import type { AskingTerms } from './run-context.js';
import { mappedText, toLeadEntry } from './to-lead-entry.js';

type Cells = SourceRecord['cells'];

/**
 * Decides, as the only place, which leads are asked.
 * @throws SluiceError `usage` if the choice names a column that the input does not have
 */
export function leadPreparer(
  judged: JudgedColumns,
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
    const said = wanted.flatMap((ask) => noAnswer(OWN_KIND_OF[ask], own, cells));
    const told =
      said.length === 0 ? lead : { ...lead, note: [said, lead.note ?? []].flat().join('; ') };
    return wanted.length === terms.ask.length ? told : { ...told, wanted };
  };
}

/** A cell that holds something else than the answer that is missing. */
function noAnswer(kind: OwnKind | undefined, own: JudgedColumns['own'], cells: Cells): string[] {
  const column = kind && own[kind];
  const text = (column && mappedText(column, cells, kind)?.trim()) ?? '';
  if (column === undefined || !/[\p{L}\p{N}]/u.test(text) || isPlaceholder(text)) return [];
  if (kind === 'email') {
    return [`${nameOfMapped(column)} holds no e-mail address, so one is asked for`];
  }
  return isCutNumber(text) ? [`${text} is no phone number: a spreadsheet has cut its digits`] : [];
}

/** @throws SluiceError `usage` if `where` names a column that the input does not have */
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
  // Several columns of one name hold the same thing.
  const alike = (place: CellPlace): CellPlace[] =>
    columns.flatMap((column, index) => {
      const isSame = index !== place.index && column.name === columns[place.index]?.name;
      return isSame ? [{ column, index }] : [];
    });
  const placesOf = (place?: CellPlace) => (place === undefined ? [] : [place, ...alike(place)]);
  const places = { email: placesOf(own.email), phone: placesOf(own.phone) };
  const has = (kind: OwnKind | undefined, cells: Cells): boolean =>
    kind !== undefined &&
    places[kind].some((place) => {
      const text = mappedText(place, cells, kind);
      return text !== undefined && holdsOwn(kind, text, terms.registrableDomain);
    });
  return (cells) => {
    if (!isChosen(cells)) return NOT_CHOSEN;
    const lacking = ask.filter((one) => !has(OWN_KIND_OF[one], cells));
    if (lacking.length > 0) return lacking;
    return `${Object.keys(own).sort().join(' and ')} in the input already`;
  };
}

/**
 * Chooses leads by their rows in the table, as these are now.
 * @throws SluiceError `usage` if `where` names a column that the table does not have
 */
export function answerChooser(
  where: string,
  columns: readonly Column[],
  run: Run,
  terms: AskingTerms,
  shape: PositionShape = { kind: 'current' },
): (answer: LeadAnswer) => boolean {
  const chooses = parseWhere(where, outputColumns(columns, shape, columnsOfRun(run)));
  return (answer) => {
    const rows = flattenAnswer(answer, columns.length, shape, terms, run.custom);
    return chooses(rows[0] ?? []);
  };
}

type AskedLead = Pick<LeadEntry, 'position'> & { readonly request: EnrichmentRequest };

/** The number of leads that were chosen once and are not in the sample now, of which the newest are remembered. */
const OTHERS_MAX = 10_000;
const CONTENT_BYTES = 16;

/** The digest by which a lead is known when others come or go; equal leads have the same. */
function contentOf({ request }: AskedLead, seed: number, { digest }: AskingTerms): string {
  // The account and the asks make no difference: a lead that was tried on one is tried on the other.
  const content = digest(canonicalText({ ask: [], inputs: request.inputs }, `sample ${seed}`));
  return Buffer.from(content.subarray(0, CONTENT_BYTES)).toString('hex');
}

/** @throws Error if the sample was not drawn */
function isInSample({ position }: AskedLead, { choice }: AskingTerms): boolean {
  if (choice?.sample === undefined) return true;
  const { positions } = choice.sample;
  if (positions === undefined) throw new Error('the sample was not drawn');
  return positions.has(position);
}

function withoutSample(terms: AskingTerms): AskingTerms {
  const { sample, ...choice } = terms.choice ?? {};
  return sample === undefined ? terms : { ...terms, choice };
}

/** Memory grows with the sample alone. */
export async function drawSample(
  terms: AskingTerms,
  read: (all: AskingTerms) => AsyncIterable<readonly LeadEntry[]>,
): Promise<AskingTerms> {
  const sample = terms.choice?.sample;
  if (sample === undefined) return terms;
  const { seed, size } = sample;
  const { sampled = [] } = terms;
  const places = groupBy(sampled.keys(), (place) => sampled[place]);
  /** The positions of leads that were chosen before, by their place in `sampled`. */
  const known = new Map<number, number>();
  let added: Added[] = [];
  for await (const leads of read(withoutSample(terms))) {
    for (const lead of leads) {
      if (lead.kind !== 'asked') continue;
      const content = contentOf(lead, seed, terms);
      const { position } = lead;
      const place = places.get(content)?.shift();
      if (place === undefined) added.push({ content, position });
      else known.set(place, position);
    }
    if (added.length >= 2 * size) added = firstOf(added, size);
  }
  const kept = new Map([...known].sort(([a], [b]) => a - b).slice(0, size));
  const filling = firstOf(added, size - kept.size);
  const positions = new Set([...kept.values(), ...filling.map(({ position }) => position)]);
  return {
    ...terms,
    sampled: [...remembered(sampled, kept), ...filling.map(({ content }) => content)],
    choice: { ...terms.choice, sample: { seed, size, positions } },
  };
}

interface Added {
  readonly content: string;
  readonly position: number;
}

/** Orders leads at random, because digests are random; equal leads stay in the order of the input. */
function firstOf(leads: readonly Added[], count: number): Added[] {
  return leads
    .toSorted(
      (a, b) =>
        Number(a.content > b.content) - Number(a.content < b.content) || a.position - b.position,
    )
    .slice(0, count);
}

function remembered(sampled: readonly string[], kept: ReadonlyMap<number, number>): string[] {
  let dropped = sampled.length - kept.size - OTHERS_MAX;
  return sampled.filter((_, place) => kept.has(place) || dropped-- <= 0);
}
