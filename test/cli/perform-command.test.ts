import { describe, expect, it } from 'vitest';
import { repeatFlags } from '../../src/cli/perform-command.js';

describe('pairs behind one flag', () => {
  it.each([
    ['--map email=a firstName=b leads.csv', '--map email=a --map firstName=b leads.csv'],
    [
      'plan x --map=email=a lastName=b --ask find_email',
      'plan x --map=email=a --map lastName=b --ask find_email',
    ],
    [
      '--fill email=E phone=P --map email=a firstName=b',
      '--fill email=E --fill phone=P --map email=a --map firstName=b',
    ],
  ])('%s', (typed, repeated) => {
    expect(repeatFlags(typed.split(' '))).toEqual(repeated.split(' '));
  });

  it.each([
    '--map email=a leads.csv',
    '--map email=a day=7/leads.csv',
    '--map email=a leads.csv email=b',
    '--map email=a --map firstName=b',
    'lookup firstName=Ada lastName=Lovelace',
    '--map --ask find_email',
    'constructor toString email=a',
    '--map email=a firstName',
  ])('leaves as it is typed: %s', (typed) => {
    expect(repeatFlags(typed.split(' '))).toEqual(typed.split(' '));
  });
});
