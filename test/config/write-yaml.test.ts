import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeYaml } from '../../src/config/write-yaml.js';

const shared = ['a', 'b'];
const VALUE = { flag: 'true', none: null, empty: '', one: shared, two: shared, list: [{ x: [1] }] };

it('writes what is read back, quotes what would be no text, and has no anchors', () => {
  const text = writeYaml(VALUE);
  expect(parse(text)).toEqual(VALUE);
  expect(text.split('\n').slice(0, 5)).toEqual([
    'flag: "true"',
    'none: null',
    'empty: ""',
    'one: [a, b]',
    'two: [a, b]',
  ]);
});
