import { expect, it } from 'vitest';
import { printable, printableLines } from '../../src/domain/printable.js';

it('what is printable stays as it is', () => {
  const text = 'Prénom “王” 🙂 – it’s <b> 100 %';
  expect(printable(text)).toBe(text);
  expect(printable('a\tb\nc\u007f')).toBe('a b c ');
});

it('of several lines their ends and tabs stay, and nothing that moves the cursor', () => {
  expect(printableLines('a\tb\r\nc\nd\re\u001b[2J')).toBe('a\tb\r\nc\nd e [2J');
});
