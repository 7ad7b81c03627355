// Markdown for the reference pages that are made from code.
import type { ColumnSpec } from '../../src/model/columns/column-spec.js';

export function columnTable(columns: readonly Omit<ColumnSpec, 'origin'>[]): string {
  return table(
    ['column', 'type', 'what it holds'],
    columns.map(({ name, type, about }) => [`\`${name}\``, type, about]),
  );
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** As GitHub makes the anchor of a heading. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replace(/ /g, '-');
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

export function code(language: string, lines: readonly string[]): string {
  return ['```' + language, ...lines, '```'].join('\n');
}
