// The two characters that a CSV file is free to choose.
import type { Delimiter } from '../read-options.js';

export interface CsvDialect {
  readonly delimiter: Delimiter;
  /** `\n` also stands for `\r\n`; `\r` alone is what old spreadsheets for the Mac write. */
  readonly newline: '\n' | '\r';
}
