import { describe, expect, it } from 'vitest';
import { refuseSlips } from '../../../src/cli/flags/refuse-slips.js';

const KINDS = { array: ['type'], boolean: ['first', 'quiet', 'q', 'json'] };

/** What is said of the words, of which yargs made these values. */
function saidOf(values: Record<string, unknown>, words: string[]): string {
  try {
    refuseSlips(values, KINDS, words);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a slip of the command line', () => {
  it.each([
    ['an option given twice', { out: ['a', 'b'] }, '--out a --out b', '--out is given twice. Give'],
    ['a value that is empty', { campaign: '' }, '--campaign=', '--campaign is empty. Give it a'],
    ['one of several that is empty', { type: ['a', ''] }, '--type a --type=', '--type is empty.'],
    [
      'a value where none is taken',
      { first: false },
      '--first=maybe',
      '--first takes no value. Write --first, or --no-first.',
    ],
  ])('is %s', (_, values, line, sentence) => {
    expect(saidOf(values, line.split(' '))).toContain(sentence);
  });

  it('is a flag given twice as well, told by its long name', () => {
    expect(saidOf({ q: [true, true], quiet: [true, true] }, ['-q', '-q'])).toContain('--quiet is');
  });

  it.each([
    ['several of what may be repeated', { type: ['a', 'b'] }, '--type a --type b'],
    ['a flag with its own value', { first: false }, '--first=false'],
    ['what was left out', { campaign: undefined, first: false }, ''],
    ['an empty word that is no option', { _: [''], name: '' }, 'lists create'],
  ])('is not %s', (_, values, line) => {
    expect(saidOf(values, line.split(' '))).toBe('');
  });
});
