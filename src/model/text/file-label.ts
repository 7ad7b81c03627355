// The names of files from outside: as they are shown, and as a browser keeps a file.
import { printable } from './printable.js';

/** The limit for a name, in characters; longer names lose their middle. */
const LABEL_LENGTH_MAX = 80;
const ENDING_LENGTH = 20;
const STEM_LENGTH_MAX = 60;

/** The name to show, without its folders; empty if nothing of it can be shown. */
export function fileLabel(name: string): string {
  const [last = ''] = name.split(/[/\\]/).slice(-1);
  const letters = Array.from(printable(last.toWellFormed()).replaceAll(/\s+/g, ' ').trim());
  if (letters.length <= LABEL_LENGTH_MAX) return letters.join('');
  const begin = letters.slice(0, LABEL_LENGTH_MAX - ENDING_LENGTH - 1);
  return `${begin.join('')}…${letters.slice(-ENDING_LENGTH).join('')}`;
}

/** A name without its ending, of letters, digits, `-`, `_` and dots within; empty if nothing of it is left. */
export function fileStem(name: string): string {
  const stem = name.replace(/\.[^.]{1,8}$/, '').replaceAll(/[^\p{L}\p{M}\p{N}._]+/gu, '-');
  const letters = Array.from(stem.replaceAll(/\.{2,}/g, '.'));
  const cut = letters.slice(0, STEM_LENGTH_MAX).join('');
  return cut.replaceAll(/^[.\-_]+|[.\-_]+$/g, '');
}
