import { expect, it } from 'vitest';
import {
  printable,
  printableJson,
  printableLines,
  withoutControls,
} from '../../../src/model/text/printable.js';

it('what is printable stays as it is', () => {
  const text = 'Prénom “王” 🙂 – it’s <b> 100 %';
  expect(printable(text)).toBe(text);
  expect(printable('a\tb\nc\u007f')).toBe('a b c ');
});

it.each([
  ['a colour', '\u001b[31m'],
  ['another title of the window', '\u001b]0;x\u0007'],
  ['the same by C1 controls', '\u009b31m\u009d0;x\u009c'],
  ['the direction of a text', '\u202e\u2066\u061c\u200f'],
  ['a new line', '\r\n\v\f\u0085\u2028\u2029'],
  ['invisible letters', '\u200b\u2060\ufeff\u{e0041}'],
])('what says %s becomes blanks', (_, text) => {
  expect(printable(`a${text}b`)).toMatch(/^a[ -~]*b$/);
  expect(printableLines(`a${text}b`)).toMatch(/^a[ -~\r\n]*b$/);
  const json = JSON.stringify([`a${text}b`]);
  expect(printableJson(json)).toMatch(/^[ -~]*$/);
  expect(JSON.parse(printableJson(json))).toEqual([`a${text}b`]);
});

it('JSON stays as it is where nothing in it could steer a terminal', () => {
  const json = JSON.stringify({ name: 'Zoë 王 🙂' });
  expect(printableJson(json)).toBe(json);
});

it('of several lines their ends and tabs stay, and nothing that moves the cursor', () => {
  expect(printableLines('a\tb\r\nc\nd\re\u001b[2J')).toBe('a\tb\r\nc\nd e [2J');
});

it('a text for a table loses what steers a terminal, and no letter, however little is seen of it', () => {
  const text = 'Zoë\t王\nرضا\u200cیی 👩‍👩‍👧\u00ad\r\nfin';
  expect(withoutControls(text)).toBe(text);
  expect(withoutControls('a\u001b[31m\u009b\u0085\u007f\0\u202e\u2069\u061c\rb')).toBe('a[31mb');
});
