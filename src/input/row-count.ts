// Counts the rows of a source, and those among them that cannot be leads as they are written.
import { formatNumber } from '../model/text/count.js';
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

  /** Undefined if no row is short. */
  get saidOfShort(): string | undefined {
    if (this.short === 0) return undefined;
    const some = `${formatNumber(this.short)} of ${formatNumber(this.rows)}`;
    return this.short === 1
      ? `${some}, on line ${this.firstShort}, has fewer cells than the header; the missing ones count as empty`
      : `${some}, from line ${this.firstShort} on, have fewer cells than the header; the missing ones count as empty`;
  }

  get reasons(): readonly RejectReason[] {
    return [...this.#reasons.values()].toSorted((a, b) => b.rows - a.rows);
  }
}
