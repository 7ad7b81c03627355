import { describe, expect, it } from 'vitest';
import { describeMisuse, refuseSlips } from '../../src/cli/misuse.js';

const COMMANDS = [
  'hooks <command>',
  'lists',
  'dialect',
  'schema',
  'prune',
  'run <job>',
  'explain <run> <line>',
];
const KNOWN = { commands: COMMANDS, options: ['ask', 'map', 'older-than', 'json'] };
const BARE = 'Not enough non-option arguments: got 0, need at least 1';

describe('a command that lacks the word after it', () => {
  it.each([
    [['hooks'], 'Say what to do with hooks: add, list, remove, rotate or prune.'],
    [['hooks', '--json'], 'Say what to do with hooks: add, list, remove, rotate or prune.'],
    [['lists'], 'Say what to do with lists: create, add or adopt.'],
    [['dialect'], 'Say what to do with a dialect: show, check, try or schema.'],
    [['schema'], 'Say which schema: people.'],
    [
      ['hooks', 'remove'],
      '"sluice hooks remove" needs one more argument. "sluice hooks remove --help" says what.',
    ],
    [
      ['run'],
      '"sluice run" needs <job>: write it "sluice run <job>". "sluice run --help" says more.',
    ],
    [
      ['explain'],
      '"sluice explain" needs <run> and <line>: write it "sluice explain <run> <line>". "sluice explain --help" says more.',
    ],
  ])('%j is told what it may be', (argv, said) => {
    expect(describeMisuse(BARE, argv, KNOWN)).toBe(said);
  });
});

it.each([
  [
    'Not enough non-option arguments: got 1, need at least 2',
    ['explain', '1'],
    '"sluice explain" needs <line>: write it "sluice explain <run> <line>". "sluice explain --help" says more.',
  ],
  [
    'Missing required argument: older-than',
    ['prune'],
    '"sluice prune" needs --older-than. "sluice prune --help" says what it takes.',
  ],
  [
    'Unknown argument: aks',
    ['run', 'x', '--aks', 'find_email'],
    '"sluice run" does not know --aks. Did you mean --ask? "sluice run --help" lists what it knows.',
  ],
  [
    'Unknown argument: zzzzzz',
    ['run', 'x', '--zzzzzz'],
    '"sluice run" does not know --zzzzzz. "sluice run --help" lists what it knows.',
  ],
])('%s: what is missing or meant is named', (message, argv, said) => {
  expect(describeMisuse(message, argv, KNOWN)).toBe(said);
});

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
