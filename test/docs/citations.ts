// Tests that a document cites, by file and title: `` `test/x.test.ts`: "title" ``. No links: the package has no tests.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { titlesIn } from './titles-in.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const CITATION = /^`(test\/[^`]+\.ts)`: "(.+)"$/;

/** Of texts that may be citations: those that lead to no file, or to no title that stands in it once. */
export function followCitations(parts: readonly string[]): {
  readonly wrong: readonly string[];
  /** How many files are cited. */
  readonly files: number;
} {
  const titles = new Map<string, readonly string[]>();
  const wrong = parts.filter((part) => {
    const [, path = '', title = ''] = CITATION.exec(part) ?? [];
    if (path === '') return false;
    if (!existsSync(join(ROOT, path))) return true;
    const known = titles.get(path) ?? titlesIn(readFileSync(join(ROOT, path), 'utf8'));
    titles.set(path, known);
    return known.filter((one) => one === title).length !== 1;
  });
  return { wrong, files: titles.size };
}
