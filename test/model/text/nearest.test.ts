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

  it('are those with the word as a part, if none is spelt like it', () => {
    const asks = ['find_email', 'verify_email', 'find_phone'];
    expect(nearestNames('email', asks)).toEqual(['find_email', 'verify_email']);
    expect(nearestNames('fone', asks)).toEqual([]);
  });

  it('come nearest first, at most three', () => {
    expect(nearestNames('abcdef', ['abcxyf', 'abcdxf', 'abcdef', 'bbcdef', 'abcdeg'])).toEqual([
      'abcdef',
      'abcdxf',
      'bbcdef',
    ]);
  });
});
