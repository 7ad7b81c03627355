import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { quoteText } from '../../../src/platform/redact/quote.js';
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
