import { describe, expect, it } from 'vitest';
import { describeMisuse } from '../../../src/cli/flags/describe-misuse.js';

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
    [['hooks'], 'Say what to do with hooks: add, list, remove or rotate.'],
    [['hooks', '--json'], 'Say what to do with hooks: add, list, remove or rotate.'],
    [['lists'], 'Say what to do with lists: create, add or adopt.'],
    [['dialect'], 'Say what to do with a dialect: show or check.'],
    [['schema'], 'Say which schema: people.'],
    [
      ['hooks', 'remove'],
      '"sluice hooks remove" needs one thing more. "sluice hooks remove --help" says what.',
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
