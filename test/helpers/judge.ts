// Columns as they are judged for a job that asks for nothing in particular, by their headers alone unless there are
// records.
import type { Column, SourceRecord } from '../../src/model/lead.js';
import { type ColumnTerms, judgeColumns } from '../../src/model/mapping/judge-columns.js';
import type { JudgedColumns, MappingWish } from '../../src/model/mapping/mapping.js';
import { TERMS } from './test-run.js';

interface Given extends Partial<ColumnTerms> {
  readonly records?: readonly SourceRecord[];
  readonly before?: JudgedColumns;
}

export function judge(
  columns: readonly Column[],
  map: MappingWish = {},
  { before, records = [], ...terms }: Given = {},
): JudgedColumns {
  return judgeColumns({ columns, records }, { ...TERMS, ask: [], ...terms, map }, before);
}
