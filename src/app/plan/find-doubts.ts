// Collects what is doubtful about an input while a plan reads it: lines that are left out or completed, what was guessed,
// leads that may be one person and would be paid for as several, and names that are probably read wrongly.
import { keysOf, mayBeOne, type Traits, traitsOf } from '../../model/enrichment/person.js';
import { nameOfMapped } from '../../model/mapping/find-column.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import { isSuppressed } from '../../model/suppression.js';
import { showsLastFirst } from '../../model/text/split-name.js';
import type { Detection, LeadReader } from '../../ports/lead-reader.js';
import type { AskedLead, IngestBatch, LeadEntry } from '../../ports/store/enrichments.js';
import type { MappedBatch } from '../../run/lead-batches.js';
import { LACK, mappedText } from '../../run/to-lead-entry.js';

export interface Doubt {
  readonly what: string;
  readonly source: string;
  /** Null for what concerns the whole file. */
  readonly rows: number | null;
  /** The first of their lines. */
  readonly lines: readonly number[];
  readonly reason: string;
}

const DOUBTS_MAX = 1_000;
const LINES_MAX = 20;
/** A lead of an input with more people is compared with the first of them alone. */
const PEOPLE_MAX = 200_000;
const OF_FILE: ReadonlySet<Detection['what']> = new Set(['encoding', 'hidden', 'merged']);
const SHORT = 'cells are missing at their ends, and count as empty';
const ORDER =
  'others of the column put the last name first, this one shows no order: its first word is sent as the first name';
/** The names in one order for each that is in no order, from which on that one is doubtful. */
const ORDERED_MIN = 10;
/** UTF-8 that was read as Windows-1252, what could not be read, and what is escaped for a page. */
const DAMAGED =
  /\uFFFD|[Â-Å][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|\p{L}\?{1,2}\p{L}|&(?:[a-z]{2,8}|#\d+|#x[\da-f]+);/iu;
const NAMES: ReadonlySet<MappedInput['input']> = new Set([
  'firstName',
  'lastName',
  'fullName',
  'companyName',
]);
const ONE_PERSON = 'the same name, and nothing that tells two people apart: each is paid for';

export class DoubtFinder {
  readonly #doubts = new Map<string, Doubt>();
  /** The first leads of each name. */
  readonly #people = new Map<string, { lead: AskedLead; traits: Traits; keys: Set<string> }>();

  #ordered = 0;
  /** The first names that show no order. */
  readonly #unordered: { source: string; line: number }[] = [];

  /** `isWhole` if all that is doubtful is wanted, and not names alone. */
  constructor(private readonly isWhole: boolean) {}

  /** The most frequent reasons at most, in the order in which they were met. */
  get found(): readonly Doubt[] {
    const isClear = this.#unordered.length * ORDERED_MIN <= this.#ordered;
    for (const { line, source } of isClear ? this.#unordered.splice(0) : [])
      this.#add('name order', source, ORDER, line);
    return [...this.#doubts.values()];
  }

  detect({ source, value, what }: Detection): void {
    if (this.isWhole && OF_FILE.has(what)) this.#add(what, source, value);
  }

  lookAt(
    { mapping, records, rejects }: MappedBatch,
    { leads }: IngestBatch,
    { sources }: LeadReader,
  ): void {
    const nameOf = (source: number) => sources[source] ?? '';
    const names = mapping.filter(({ input }) => NAMES.has(input));
    for (const { cells, kind, line, source } of leads) {
      if (kind !== 'asked') continue;
      for (const one of names) {
        const text = mappedText(one, cells, one.input) ?? '';
        this.#lookAtName(one, text, { source: nameOf(source), line });
      }
    }
    if (!this.isWhole) return;
    const rejected = new Set(rejects.map(({ line, source }) => `${source} ${line}`));
    for (const { line, reason, source } of rejects)
      this.#add('reject', nameOf(source), reason, line);
    for (const { isShort, line, source } of records)
      if (isShort === true) this.#add('short row', nameOf(source), SHORT, line);
    for (const lead of leads) {
      if (lead.kind === 'skipped') this.#addSkipped(lead, nameOf(lead.source), rejected);
      if (lead.kind !== 'asked') continue;
      this.#compare(lead, nameOf);
      for (const remark of lead.note?.split('; ') ?? []) {
        if (!remark.startsWith(LACK)) this.#add('not used', nameOf(lead.source), remark, lead.line);
      }
    }
  }

  #addSkipped({ line, note, source }: LeadEntry, name: string, rejected: Set<string>): void {
    if (note === null || rejected.has(`${source} ${line}`)) return;
    if (isSuppressed({ status: 'skipped', reason: note })) return;
    const isTold = !note.includes(':');
    this.#add(isTold ? note : 'skipped', name, isTold ? 'skipped' : note, line);
  }

  #lookAtName(one: MappedInput, text: string, at: { source: string; line: number }): void {
    if (DAMAGED.test(text)) {
      const reason = `${nameOfMapped(one)} has characters that an earlier program has damaged or escaped, like Ã© or &amp;: they are sent as they are`;
      this.#add('damaged text', at.source, reason, at.line);
    }
    if (one.input !== 'fullName') return;
    const isOrdered = showsLastFirst(text);
    if (isOrdered === true) this.#ordered += 1;
    else if (isOrdered === false && this.#unordered.length < DOUBTS_MAX) this.#unordered.push(at);
  }

  #compare(lead: AskedLead, nameOf: (source: number) => string): void {
    const { known, line, request, source } = lead;
    const inputs = known ?? request.inputs;
    const name = sortedWords(`${inputs.firstName ?? ''} ${inputs.lastName ?? ''}`);
    if (!name.includes(' ')) return;
    const traits = traitsOf(inputs);
    const keys = new Set(keysOf({ ...request, inputs }, '').map(({ text }) => text));
    const other = this.#people.get(name);
    if (other === undefined) {
      if (this.#people.size < PEOPLE_MAX) this.#people.set(name, { lead, traits, keys });
      return;
    }
    if ([...keys].some((key) => other.keys.has(key)) || !mayBeOne(traits, other.traits)) return;
    const first = other.lead;
    const where = first.source === source ? '' : ` of ${nameOf(first.source)}`;
    const reason = `may be the person of line ${first.line}${where}: ${ONE_PERSON}`;
    this.#add('one person?', nameOf(source), reason, line);
  }

  #add(what: string, source: string, reason: string, line?: number): void {
    const key = JSON.stringify([what, source, reason]);
    const known = this.#doubts.get(key) ?? { what, source, rows: null, lines: [], reason };
    if (known.rows === null && this.#doubts.size >= DOUBTS_MAX) return;
    const lines = line === undefined || known.lines.length >= LINES_MAX ? [] : [line];
    const rows = line === undefined ? known.rows : (known.rows ?? 0) + 1;
    this.#doubts.set(key, { ...known, rows, lines: [...known.lines, ...lines] });
  }
}

/** The words of a name in any order, without accents and punctuation. */
function sortedWords(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return (letters.match(/[\p{L}\p{N}]+/gu) ?? []).sort().join(' ');
}
