import { describe, expect, it } from 'vitest';
import { nearestNames } from '../../../src/model/text/nearest.js';

describe('the nearest names', () => {
  const names = ['firstName', 'lastName', 'companyName', 'companyDomain', 'email'];
  it.each([
    ['fristName', ['firstName']],
    ['first_name', ['firstName']],
    ['FIRSTNAME', ['firstName']],
    ['emial', ['email']],
    ['e-mail', ['email']],
    ['compnyDomain', ['companyDomain']],
    ['phone', []],
    ['', []],
    ['x'.repeat(10_000), []],
  ])('%j means %j', (word, expected) => {
    expect(nearestNames(word, names)).toEqual(expected);
  });

  it('come nearest first, at most three', () => {
    expect(nearestNames('abcdef', ['abcxyf', 'abcdxf', 'abcdef', 'bbcdef', 'abcdeg'])).toEqual([
      'abcdef',
      'abcdxf',
      'bbcdef',
    ]);
  });
});
