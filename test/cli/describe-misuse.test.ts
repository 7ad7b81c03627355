import { describe, expect, it } from 'vitest';
import { describeMisuse } from '../../src/cli/describe-misuse.js';

const COMMANDS = ['hooks', 'lists', 'dialect', 'schema', 'enrich'];
const BARE = 'Not enough non-option arguments: got 0, need at least 1';

describe('a command that lacks the word after it', () => {
  it.each([
    [['hooks'], 'Say what to do with hooks: add, list, remove or rotate.'],
    [['hooks', '--json'], 'Say what to do with hooks: add, list, remove or rotate.'],
    [['lists'], 'Say what to do with lists: create, add or adopt.'],
    [['dialect'], 'Say what to do with a dialect: show or check.'],
    [['schema'], 'Say which schema: people.'],
    [['hooks', 'remove'], '"sluice hooks" needs one thing more. "sluice hooks --help" says what.'],
    [['enrich'], '"sluice enrich" needs one thing more. "sluice enrich --help" says what.'],
  ])('%j is told what it may be', (argv, said) => {
    expect(describeMisuse(BARE, argv, COMMANDS)).toBe(said);
  });
});
