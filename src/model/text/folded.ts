// A text without differences that people do not see: case, white space, invisible characters, full-width letters.
import { withoutIgnorable } from '../normalise.js';

export function foldedText(text: string): string {
  return withoutIgnorable(text)
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s/)
    .filter((word) => word !== '')
    .join(' ');
}
