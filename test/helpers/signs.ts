// Texts of others that a pattern built from them could mistake for its own signs.
import * as fc from 'fast-check';

const SIGNS = Array.from('aZé😀0-_.%@/:#&=~!,;<>"\'`^$\\*+?()[]{}| \n');

/** A text of such characters, but for those in `without`. */
export function textOfSigns(
  constraints: { readonly minLength?: number; readonly maxLength?: number } = {},
  without = '',
): fc.Arbitrary<string> {
  const unit = fc.constantFrom(...SIGNS.filter((sign) => !without.includes(sign)));
  return fc.string({ unit, ...constraints });
}
