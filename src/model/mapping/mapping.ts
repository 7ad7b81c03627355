// The wishes of a user about the columns of a file, and the judgement of them (judge-columns.ts).

import type { Ask, ColumnInput } from '../ask.js';
import type { Column } from '../lead.js';
import type { OwnKind } from './column-kinds.js';
import type { FoundColumn } from './find-column.js';
import type { FirstValues } from './judge-values.js';

/** The wish of a job or `--map`: the column's key, also with a path after it, or `''` for "no column, do not guess". */
export type MappingWish = Readonly<Partial<Record<ColumnInput, string>>>;

export interface MappedInput extends FoundColumn {
  readonly input: ColumnInput;
  readonly isGuessed: boolean;
}

export interface MappedColumns {
  readonly columns: readonly Column[];
  readonly mapping: readonly MappedInput[];
  readonly firstValues: FirstValues;
}

export interface JudgedColumns extends MappedColumns {
  /** The columns in which a lead may have the answer already; none unless only missing answers are wanted. */
  readonly own: Readonly<Partial<Record<OwnKind, FoundColumn>>>;
}

/** The mapping of a run that asked the same, or of one of the job that asked for some of it. */
export interface FormerGuess {
  readonly isOwn: boolean;
  /** Whether it asked the same; else its columns stay, and further ones are guessed as in a new job. */
  readonly isSame: boolean;
  readonly columns: readonly Column[];
  readonly mapping: readonly MappedInput[];
  readonly map: MappingWish;
}

/** Whether a job finds addresses and does not verify given ones. Only a job that does both sends given addresses. */
export function isFindingAddresses(ask: readonly Ask[]): boolean {
  return ask.includes('find_email') && !ask.includes('verify_email');
}
