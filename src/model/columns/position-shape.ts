// The four shapes in which position groups can be written.

export type PositionShape =
  /** The current position and its company, in one set of columns. */
  | { readonly kind: 'current' }
  /** The `count` latest positions side by side: `position_1_title`, `position_2_title` … */
  | { readonly kind: 'wide'; readonly count: number }
  /** One row for each position, with its group and its order. */
  | { readonly kind: 'long' }
  /** All groups as JSON in one column. */
  | { readonly kind: 'json' };

/** More columns than this help nobody, and a spreadsheet ends at 16,384. */
export const WIDE_COUNT_MAX = 50;

/** Reads `current`, `wide:N` (N from 1 to 50), `long` or `json`; undefined for anything else. */
export function parsePositionShape(text: string): PositionShape | undefined {
  if (text === 'current' || text === 'long' || text === 'json') return { kind: text };
  const match = /^wide:([1-9]\d?)$/.exec(text);
  const count = Number(match?.[1]);
  return match !== null && count <= WIDE_COUNT_MAX ? { kind: 'wide', count } : undefined;
}
