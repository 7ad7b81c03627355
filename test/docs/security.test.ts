// docs/internals/attacks.md against the tests that it names, and against the bounds that the code has.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RECORD_CHARS_MAX } from '../../src/input/record-parser.js';
import { JSON_LEVELS_MAX } from '../../src/model/text/json.js';
import { JSON_VALUES_MAX } from '../../src/webhook/open-body.js';

const text = readFileSync('docs/internals/attacks.md', 'utf8');
const attacks = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| tried |'))
  .map((line) => line.slice(2, -2).split(' | '));

it('every attack says what is tried, what is done about it, and which tests fail without that', () => {
  expect(attacks.length).toBeGreaterThan(50);
  const wrong = attacks.filter((cells) => cells.length !== 3 || cells.includes(''));
  expect(wrong).toEqual([]);
  const missing = attacks
    .flatMap(([, , tests = '']) => tests.split(', '))
    .filter((test) => !/^`test\/.+\.ts`$/.test(test) || !existsSync(test.slice(1, -1)));
  expect(missing).toEqual([]);
});

it('tells the bounds that there are', () => {
  expect(text).toContain(`${JSON_LEVELS_MAX} levels`);
  expect(text).toContain(`${JSON_VALUES_MAX.toLocaleString('en')} values`);
  expect(text).toContain(`${RECORD_CHARS_MAX / 2 ** 20} Mi characters`);
});
