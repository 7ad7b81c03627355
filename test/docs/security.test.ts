// docs/internals/attacks.md and docs/internals/tests.md against each other, against the tests that the second cites,
// and against the bounds that the code has.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { RECORD_CHARS_MAX } from '../../src/input/record-parser.js';
import { JSON_LEVELS_MAX } from '../../src/model/text/json.js';
import { JSON_VALUES_MAX } from '../../src/webhook/open-body.js';
import { CITATION, followCitations } from './citations.js';

const text = readDocument('internals/attacks.md');
const threats = rowsBelow(text, '| from | what is tried | what Sluice does |');
const proofs = rowsBelow(readDocument('internals/tests.md'), '| from | what is tried | tests |');

function readDocument(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');
}

function rowsBelow(document: string, header: string): string[][] {
  const [, table = ''] = document.split(header);
  return table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
}

it('every threat says who, what, and what is done about it', () => {
  expect(threats.length).toBeGreaterThan(25);
  const wrong = threats.filter((cells) => cells.length !== 3 || cells.includes(''));
  expect(wrong).toEqual([]);
});

it('every threat has the tests that prove it', () => {
  const named = (rows: string[][]) => rows.map(([from, tried]) => [from, tried]);
  expect(named(proofs)).toEqual(named(threats));
  const wrong = proofs.filter(
    (cells) =>
      cells.length !== 3 || !(cells[2] ?? '').split('<br>').every((part) => CITATION.test(part)),
  );
  expect(wrong).toEqual([]);
});

it('cites files that are there, and titles that stand in them once', () => {
  const { wrong, files } = followCitations(
    proofs.flatMap((cells) => (cells[2] ?? '').split('<br>')),
  );
  expect(wrong).toEqual([]);
  expect(files).toBeGreaterThan(20);
});

it('tells the bounds that there are', () => {
  expect(text).toContain(`${JSON_LEVELS_MAX} levels`);
  expect(text).toContain(`${JSON_VALUES_MAX.toLocaleString('en')} values`);
  expect(text).toContain(`${RECORD_CHARS_MAX / 2 ** 20} Mi characters`);
});
