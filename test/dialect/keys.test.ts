// What stands at the keys of a dialect is complete, and true: whatever is documented stands in the section that is cited.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import {
  dialectSchema,
  isDocumented,
  NEUTRAL_DIALECT,
  wholeFile,
} from '../../src/dialect/dialect.js';
import { factsOf, keysOf, originOf } from '../../src/dialect/keys.js';
import { valueAt } from '../../src/dialect/wire-path.js';
import type { JsonValue } from '../../src/model/text/json.js';

const page = readFileSync(new URL('../../docs/platform-api.md', import.meta.url), 'utf8');
const neutral = wholeFile(NEUTRAL_DIALECT);

/** The section of that heading, with the heading itself. */
function sectionOf(heading: string): string {
  const sections = page.split(/^(?=#{2,3} )/m);
  return sections.find((section) => /^#+ (.*)/.exec(section)?.[1] === heading) ?? '';
}

interface Leaf {
  readonly path: readonly string[];
  /** Of the key, and of the section that it is in. */
  readonly meanings: readonly (string | undefined)[];
}

/** Every key that holds no other. */
function leavesOf(schema: z.ZodType, path: readonly string[] = [], section?: string): Leaf[] {
  const { meaning } = factsOf(schema);
  const keys = Object.entries(keysOf(schema));
  if (keys.length === 0) return [{ path, meanings: [meaning, section] }];
  return keys.flatMap(([key, inner]) => leavesOf(inner, [...path, key], meaning));
}

const leaves = leavesOf(dialectSchema);

/** The words of a value that a document would show: the last key of a path, the parts of the path of a call. */
function wordsOf(value: JsonValue): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(wordsOf);
  return typeof value === 'string' ? value.split(/[./]/).filter((word) => word !== '') : [];
}

function headingOf(path: readonly string[]): string | undefined {
  const origin = originOf(dialectSchema, path);
  return origin !== undefined && 'shown' in origin ? origin.shown : undefined;
}

const headings = [...new Set(leaves.map(({ path }) => headingOf(path)))].filter(
  (one) => one !== undefined,
);

describe('what stands at the keys of a dialect', () => {
  it.each(headings)('is shown under %s where it says so', (heading) => {
    const section = sectionOf(heading).toLowerCase();
    expect(section).not.toBe('');
    const words = leaves
      .filter(({ path }) => headingOf(path) === heading)
      .flatMap(({ path }) => wordsOf(valueAt(neutral, path.join('.')) ?? null));
    expect(words.length).toBeGreaterThan(0);
    expect(words.filter((word) => !section.includes(word.toLowerCase()))).toEqual([]);
  });

  it('is an origin and a meaning, for every key', () => {
    expect(headings.length).toBeGreaterThan(10);
    const isUntold = ({ path, meanings }: Leaf) =>
      originOf(dialectSchema, path) === undefined || meanings.every((one) => one === undefined);
    expect(leaves.filter(isUntold)).toEqual([]);
  });

  it('takes nothing for a fact that the document calls assumed', () => {
    const assumed = [...page.matchAll(/\*Assumed\* \(([^)]*)\)/g)].flatMap(([, keys = '']) =>
      [...keys.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key),
    );
    const inside = (key: string) =>
      leaves.map(({ path }) => path.join('.')).filter((path) => `${path}.`.startsWith(`${key}.`));
    const isGuess = (key: string) => inside(key).length > 0 && !inside(key).some(isDocumented);
    // Sections of which the document shows a part.
    const partly = ['blocks', 'hooks', 'lists.add', 'result'];
    expect(assumed.length).toBeGreaterThan(10);
    expect(assumed.filter((key) => !isGuess(key) && !partly.includes(key))).toEqual([]);
  });
});
