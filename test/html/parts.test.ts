import { expect, it } from 'vitest';
import {
  badge,
  card,
  commandLine,
  dataTable,
  disclosure,
  factList,
  figures,
  notice,
} from '../../src/html/parts.js';

const HOSTILE = `"><script>alert(1)</script>'`;

it('leaves text as text, wherever it stands', () => {
  const table = { caption: HOSTILE, columns: [{ name: HOSTILE }], rows: [[HOSTILE]] };
  for (const part of [
    badge(HOSTILE, 'good'),
    card(HOSTILE, HOSTILE, { about: HOSTILE }),
    commandLine(HOSTILE),
    dataTable(table),
    disclosure(HOSTILE, HOSTILE),
    factList([[HOSTILE, HOSTILE]]),
    figures([{ label: HOSTILE, value: HOSTILE, about: HOSTILE }]),
    notice('bad', HOSTILE),
    dataTable({ ...table, isCaptionHidden: true }),
  ]) {
    expect(String(part)).not.toContain('<script');
    expect(String(part)).not.toMatch(/="[^"<>]*[<>']/);
  }
});
