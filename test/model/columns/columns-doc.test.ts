import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { renderColumnsDoc } from '../../../src/model/columns/columns-doc.js';
import { describeColumns } from '../../../src/model/columns/output-columns.js';

describe('renderColumnsDoc', () => {
  it('is what docs/columns.md holds', async () => {
    const written = await readFile(new URL('../../../docs/columns.md', import.meta.url), 'utf8');
    expect(written, 'docs/columns.md is out of date: npm run generate').toBe(renderColumnsDoc());
  });

  it('names every column of every shape', () => {
    const document = renderColumnsDoc();
    const shapes = [
      { kind: 'current' },
      { kind: 'wide', count: 1 },
      { kind: 'long' },
      { kind: 'json' },
    ] as const;
    for (const { name } of shapes.flatMap((shape) => describeColumns(shape))) {
      expect(document).toContain(`| \`${name}\` | `);
    }
  });

  it('has tables whose rows all have as many cells as their head', () => {
    for (const table of renderColumnsDoc().match(/(?:^\|.*\n)+/gm) ?? []) {
      const widths = table
        .trimEnd()
        .split('\n')
        .map((line) => line.split('|').length);
      expect(new Set(widths).size, table).toBe(1);
    }
  });
});
