// Collects what is doubtful about an input while a plan reads it: lines that are left out or completed, what was guessed,
// and leads that may be one person and would be paid for as several.
import { keysOf, mayBeOne, type Traits, traitsOf } from '../../model/enrichment/person.js';
import type { Detection, LeadReader } from '../../ports/lead-reader.js';
import type { AskedLead, IngestBatch } from '../../ports/store/enrichments.js';
import type { MappedBatch } from '../../run/lead-batches.js';

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
const ONE_PERSON = 'the same name, and nothing that tells two people apart: each is paid for';

export class DoubtFinder {
  readonly #doubts = new Map<string, Doubt>();
  /** The first leads of each name. */
  readonly #people = new Map<string, { lead: AskedLead; traits: Traits; keys: Set<string> }>();

  /** The most frequent reasons at most, in the order in which they were met. */
  get found(): readonly Doubt[] {
    return [...this.#doubts.values()];
  }

  detect({ source, value, what }: Detection): void {
    if (OF_FILE.has(what)) this.#add(what, source, value);
  }

  lookAt({ records, rejects }: MappedBatch, { leads }: IngestBatch, { sources }: LeadReader): void {
    const nameOf = (source: number) => sources[source] ?? '';
    const rejected = new Set(rejects.map(({ line, source }) => `${source} ${line}`));
    for (const { line, reason, source } of rejects)
      this.#add('reject', nameOf(source), reason, line);
    for (const { flaw, isShort, line, source } of records) {
      if (isShort === true) this.#add('short row', nameOf(source), SHORT, line);
      if (flaw === undefined || rejected.has(`${source} ${line}`)) continue;
      const [kind = ''] = flaw.split(':');
      const isTold = kind === flaw;
      this.#add(isTold ? kind : 'skipped', nameOf(source), isTold ? 'skipped' : flaw, line);
    }
    for (const lead of leads) if (lead.kind === 'asked') this.#compare(lead, nameOf);
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
