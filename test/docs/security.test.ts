// docs/security.md against the tests that it cites, and against the bounds that the code has.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { RECORD_CHARS_MAX } from '../../src/input/record-parser.js';
import { JSON_LEVELS_MAX } from '../../src/model/text/json.js';
import { JSON_VALUES_MAX } from '../../src/webhook/open-body.js';
import { CITATION, followCitations } from './citations.js';

const text = readFileSync(
  fileURLToPath(new URL('../../docs/security.md', import.meta.url)),
  'utf8',
);
const [, table = ''] = text.split('| from | what is tried | what Sluice does | tests |');
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '));

it('every threat says who, what, what is done about it, and which tests prove it', () => {
  expect(rows.length).toBeGreaterThan(25);
  const wrong = rows.filter(
    (cells) =>
      cells.length !== 4 ||
      cells.some((cell) => cell === '') ||
      !(cells[3] ?? '').split('<br>').every((part) => CITATION.test(part)),
  );
  expect(wrong).toEqual([]);
});

it('cites files that are there, and titles that stand in them once', () => {
  const { wrong, files } = followCitations(rows.flatMap((cells) => (cells[3] ?? '').split('<br>')));
  expect(wrong).toEqual([]);
  expect(files).toBeGreaterThan(20);
});

it('tells the bounds that there are', () => {
  expect(text).toContain(`${JSON_LEVELS_MAX} levels`);
  expect(text).toContain(`${JSON_VALUES_MAX.toLocaleString('en')} values`);
  expect(text).toContain(`${RECORD_CHARS_MAX / 2 ** 20} Mi characters`);
});
