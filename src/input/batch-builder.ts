// Collects what the parsers find until it is enough for one batch.
import type { Reject, SourceRecord } from '../model/lead.js';
import type { Detection, RecordBatch } from '../ports/lead-reader.js';
import type { ColumnTable } from './column-table.js';
import type { ParsedPiece } from './record-parser.js';

const BATCH_RECORDS_MAX = 500;
const BATCH_CHARS_MAX = 4 * 1024 * 1024;

export class BatchBuilder {
  readonly #table: ColumnTable;
  #records: SourceRecord[] = [];
  #rejects: Reject[] = [];
  #chars = 0;
  #detected: Detection[] = [];
  readonly #known = new Set<string>();

  constructor(table: ColumnTable) {
    this.#table = table;
  }

  get isEmpty(): boolean {
    return this.#records.length === 0 && this.#rejects.length === 0;
  }

  /** True from 500 records, or 500 rejects, or 4 Mi characters of text on. */
  get isFull(): boolean {
    return (
      this.#records.length >= BATCH_RECORDS_MAX ||
      this.#rejects.length >= BATCH_RECORDS_MAX ||
      this.#chars >= BATCH_CHARS_MAX
    );
  }

  add({ record, reject, chars }: ParsedPiece): void {
    if (record !== undefined) this.#records.push(record);
    if (reject !== undefined) this.#rejects.push(reject);
    this.#chars += chars;
  }

  /** Another source that is written alike is no news. */
  detect(detection: Detection): void {
    const { what, value } = detection;
    if (this.#known.has(`${what} ${value}`)) return;
    this.#known.add(`${what} ${value}`);
    this.#detected.push(detection);
  }

  /** Hands over what was collected and starts again from nothing. */
  take(): RecordBatch {
    const batch = {
      columns: this.#table.columns,
      records: this.#records,
      rejects: this.#rejects,
      ...(this.#detected.length > 0 && { detected: this.#detected }),
    };
    this.#detected = [];
    this.#records = [];
    this.#rejects = [];
    this.#chars = 0;
    return batch;
  }
}
