import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteBody, quoteText } from '../../../src/platform/redact/quote.js';
import { inBrief } from '../../helpers/long.js';
import { textOfSigns } from '../../helpers/signs.js';

it('hides any text, as it is and in a URL', () => {
  // A shorter one is hidden as a word alone.
  const hidden = textOfSigns({ minLength: 8, maxLength: 20 }, '\n');
  fc.assert(
    fc.property(hidden, (value) => {
      // Blanks are told as one.
      fc.pre(!/^ | $|  /.test(value));
      expect(quoteText(`not ${value}!`, [value], 200)).toBe('not […]!');
      expect(quoteText(`?q=${encodeURIComponent(value)}&a`, [value], 400)).not.toContain(
        encodeURIComponent(value),
      );
    }),
  );
});

describe('what is cut holds no beginning of what is hidden', () => {
  const SECRET = 'Tr0ub4dor-and-3';
  const HALVES = /Tr0u|ub4d|-and|ada|acme|0301/;

  // Wherever a text may be cut: the secret stands before, across and behind it.
  it.each([200, 1_990, 2_000, 8_192, 16_384])('near position %i', (cut) => {
    for (const filler of inBrief([' ', '[]'], ['\n', '\u200b', 'x '])) {
      for (let before = 0; before <= SECRET.length + 2; before += 1) {
        const start = filler.repeat(cut).slice(0, cut - before);
        const text = `no${start}${SECRET} ada.lovelace@acme.com 030123456789`;
        expect(quoteText(text, [SECRET], 200)).not.toMatch(HALVES);
        expect(quoteBody(text, [SECRET], 200)).not.toMatch(HALVES);
        expect(quoteBody(`{"a":1,${text}`, [SECRET], 200)).not.toMatch(HALVES);
      }
    }
  });

  it('where a long text becomes short', () => {
    const padded = (length: number, word: string) => `refused${' '.repeat(length)}${word} for now`;
    expect(quoteText(padded(1_960, SECRET), [SECRET], 200)).toBe('refused […] for now');
    expect(quoteText(padded(8_000, SECRET), [SECRET], 200)).toBe('refused […] for now');
    expect(quoteText(padded(70_000, SECRET), [SECRET], 200)).not.toContain(SECRET);
  });
});

it('a short value is masked as a word of its own, also behind an escape', () => {
  const hidden = ['Li'];
  expect(quoteText('lists of Li, "Li" and \\nLi', hidden, 99)).toBe(
    'lists of […], "[…]" and \\n[…]',
  );
  expect(quoteText('?q=%20li&a=like%20it', hidden, 99)).toBe('?q=%20[…]&a=like%20it');
});
