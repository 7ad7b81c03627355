// What the marks say is true: whatever is documented stands in the section that is cited.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ASSUMED, DOCUMENTED, isDocumented } from '../../src/config/dialect-origins.js';
import { NEUTRAL_DIALECT, wholeFile } from '../../src/dialect/dialect.js';
import { valueAt } from '../../src/dialect/wire-path.js';
import type { JsonValue } from '../../src/model/text/json.js';

const page = readFileSync(new URL('../../docs/platform-api.md', import.meta.url), 'utf8');
const neutral = wholeFile(NEUTRAL_DIALECT);

/** The section of that heading, with the heading itself. */
function sectionOf(heading: string): string {
  const sections = page.split(/^(?=#{2,3} )/m);
  return sections.find((section) => /^#+ (.*)/.exec(section)?.[1] === heading) ?? '';
}

/** Every key that holds no other, as a dotted path with its value. */
function leavesOf(value: JsonValue, path: readonly string[] = []): [string, JsonValue][] {
  const isSection = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isSection ? Object.entries(value) : [];
  if (entries.length === 0) return [[path.join('.'), value]];
  return entries.flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

/** The words of a value that a document would show: the last key of a path, the parts of the path of a call. */
function wordsOf(value: JsonValue): string[] {
  const texts = [value].flat().filter((one) => typeof one === 'string');
  return texts.flatMap((text) => text.split(/[./]/)).filter((word) => word !== '');
}

describe('what is documented of the neutral dialect', () => {
  it.each(Object.entries(DOCUMENTED))('stands under %s', (heading, keys) => {
    const section = sectionOf(heading).toLowerCase();
    expect(section).not.toBe('');
    const leaves = keys.flatMap((key) => leavesOf(valueAt(neutral, key) ?? null, [key]));
    const words = leaves.flatMap(([, value]) => wordsOf(value));
    expect(words.length).toBeGreaterThan(0);
    expect(words.filter((word) => !section.includes(word.toLowerCase()))).toEqual([]);
  });

  it('every key is either documented or our guess', () => {
    const listed = [...Object.values(DOCUMENTED), ...Object.values(ASSUMED)].flat();
    const timesOf = (leaf: string) =>
      listed.filter((key) => leaf === key || leaf.startsWith(`${key}.`)).length;
    const leaves = leavesOf(neutral).map(([key]) => key);
    expect(leaves.filter((leaf) => timesOf(leaf) !== 1)).toEqual([]);
    expect(Object.values(ASSUMED).flat().filter(isDocumented)).toEqual([]);
    expect(listed.filter((key) => valueAt(neutral, key) === undefined)).toEqual([]);
  });

  it('what the document calls assumed is no fact', () => {
    const assumed = [...page.matchAll(/\*Assumed\* \(([^)]*)\)/g)].flatMap(([, keys = '']) =>
      [...keys.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key),
    );
    // Sections of which the document shows a part.
    const partly = ['blocks', 'hooks', 'lists.add', 'result', 'answer.webhook.metadata'];
    const guesses = Object.values(ASSUMED).flat();
    const isGuess = (key: string) => guesses.some((one) => `${key}.`.startsWith(`${one}.`));
    expect(assumed.length).toBeGreaterThan(10);
    expect(assumed.filter((key) => !isGuess(key) && !partly.includes(key))).toEqual([]);
  });
});
