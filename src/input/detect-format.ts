// Tells the format of a source from its name, or else from its first character.
import { SluiceError } from '../model/errors.js';
import type { InputFormat } from './read-options.js';
import { nameSource } from './sources/source-name.js';

/**
 * A trailing `.gz` is looked through. `beginning` is the first text that is not blank.
 * @throws SluiceError `input` for a `.json` file that holds an array
 */
export function detectFormat(path: string, beginning: string): InputFormat {
  const name = path.toLowerCase().replace(/\.gz$/, '');
  if (/\.(csv|tsv|txt)$/.test(name)) return 'csv';
  if (/\.(ndjson|jsonl)$/.test(name)) return 'ndjson';
  const first = beginning.trimStart().charAt(0);
  if (first === '[' && name.endsWith('.json')) {
    throw new SluiceError(
      'input',
      `${nameSource(path)} is a JSON array; write one object a line instead (jq -c '.[]').`,
      { path },
    );
  }
  return first === '{' ? 'ndjson' : 'csv';
}
