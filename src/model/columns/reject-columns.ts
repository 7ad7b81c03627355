// The table of what could not become a record at all, which lies beside the output.

import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import type { Reject } from '../lead.js';

/** `raw` is the user's own text and stays as it was, like their columns in the output. */
export const REJECT_COLUMNS: readonly OutputColumn[] = [
  { name: 'source', key: 'source', kind: 'original' },
  { name: 'line', key: 'line', kind: 'number' },
  { name: 'reason', key: 'reason', kind: 'text' },
  { name: 'raw', key: 'raw', kind: 'original' },
];

/** The row for one reject; `sources` are the reader's. */
export function rejectRow(reject: Reject, sources: readonly string[]): OutputRow {
  return [sources[reject.source] ?? null, reject.line, reject.reason, reject.raw];
}
