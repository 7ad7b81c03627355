// A text without the differences that people do not see: case, white space, invisible characters and full-width
// letters.
import { withoutIgnorable } from '../normalise.js';

/** The folded text; empty if it holds nothing else. */
export function foldedText(text: string): string {
  return withoutIgnorable(text)
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s/)
    .filter((word) => word !== '')
    .join(' ');
}
