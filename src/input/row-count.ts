// Counts the rows of a source, and those among them that cannot be leads as they are written.
import { formatCount, formatNumber } from '../model/text/count.js';
import type { RejectReason, RowsRead } from '../ports/lead-reader.js';
import { REPEATED_HEADER } from './place-cells.js';
import type { ParsedPiece } from './record-parser.js';

/** The kinds of reasons that are told apart; those of workbooks hold names of columns. */
const KINDS_MAX = 10;

export class RowCount implements RowsRead {
  rows = 0;
  rejected = 0;
  short = 0;
  firstShort = 0;
  readonly #reasons = new Map<string, RejectReason>();

  add({ record, reject }: ParsedPiece): void {
    this.rows += 1;
    const line = reject?.line ?? record?.line ?? 0;
    if (record?.isShort === true) {
      this.short += 1;
      this.firstShort ||= line;
    }
    const reason = reject?.reason ?? record?.flaw ?? REPEATED_HEADER;
    if (reason === REPEATED_HEADER) return;
    this.rejected += 1;
    const kind = reason.split(':', 1)[0] ?? reason;
    const known = this.#reasons.get(kind) ?? { reason, line, rows: 0 };
    if (known.rows > 0 || this.#reasons.size < KINDS_MAX)
      this.#reasons.set(kind, { ...known, rows: known.rows + 1 });
  }

  #hidden = 0;
  #isLeftOut = false;
  #columns: readonly string[] = [];
  #merged = 0;
  #firstMerged = '';

  addHidden(rows: number, columns: readonly string[], isLeftOut: boolean): void {
    this.#hidden += rows;
    if (columns.length > 0) this.#columns = columns;
    this.#isLeftOut = isLeftOut;
  }

  addMerged(ref: string): void {
    this.#merged += 1;
    this.#firstMerged ||= ref;
  }

  /** Sentences that a user should know of the rows, with their kind. */
  get said(): readonly (readonly [what: 'short' | 'hidden' | 'merged', value: string])[] {
    const merged = `${this.#merged}, the first ${this.#firstMerged}: only the first cell of each has its value`;
    return [
      ...(this.short === 0 ? [] : [['short', this.#saidOfShort] as const]),
      ...this.#saidOfHidden.map((value) => ['hidden', value] as const),
      ...(this.#merged === 0 ? [] : [['merged', merged] as const]),
    ];
  }

  get #saidOfHidden(): readonly string[] {
    const all = this.rows + (this.#isLeftOut ? this.#hidden : 0);
    const names = this.#columns.join(', ');
    const what = [
      ...(this.#hidden === 0
        ? []
        : [`${formatNumber(this.#hidden)} of ${formatCount(all, 'row')}`]),
      ...(names === '' ? [] : [`the columns ${names}`]),
    ].join(', and ');
    if (what === '') return [];
    return this.#isLeftOut
      ? [`${what} are hidden and left out`]
      : [`${what} are hidden and are read too; visible-only: true reads what is shown`];
  }

  get #saidOfShort(): string {
    const some = `${formatNumber(this.short)} of ${formatCount(this.rows, 'row')} in the file`;
    return this.short === 1
      ? `${some}, on line ${this.firstShort}, has fewer cells than the header; the missing ones count as empty`
      : `${some}, from line ${this.firstShort} on, have fewer cells than the header; the missing ones count as empty`;
  }

  get reasons(): readonly RejectReason[] {
    return [...this.#reasons.values()].toSorted((a, b) => b.rows - a.rows);
  }
}
