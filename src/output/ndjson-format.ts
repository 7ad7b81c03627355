// NDJSON for programs: one object a line, the same keys in every one, JSON types kept.
import { exactJson } from '../model/text/json.js';
import type { OutputColumn } from '../ports/table-writer.js';
import type { TableFormat } from './table-format.js';

/** Keys are the columns' keys; empty cells are null. Nothing is guarded and nothing precedes the rows. */
export function ndjsonFormat(columns: readonly OutputColumn[]): TableFormat<string> {
  // Written by hand because an object would put keys such as `2024` first, and lose `__proto__`.
  const starts = columns.map(({ key }, n) => `${n === 0 ? '{' : ','}${JSON.stringify(key)}:`);
  return {
    begin: () => '',
    rows(rows) {
      let text = '';
      for (const row of rows) {
        for (const [n, start] of starts.entries()) text += start + exactJson(row[n] ?? null);
        text += '}\n';
      }
      return text;
    },
    end: () => '',
  };
}
