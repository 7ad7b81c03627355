import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import { expandListName } from '../../../src/model/lists/list-name.js';

const VALUES = { job: 'nightly', date: '2026-11-21' };

describe('the name of a contact list', () => {
  it.each([
    ['Warm leads', 'Warm leads'],
    [' {job} of {date} ', 'nightly of 2026-11-21'],
    ['{job}{job}', 'nightlynightly'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['🙂'.repeat(100), '🙂'.repeat(100)],
  ])('%s', (template, name) => {
    expect(expandListName(template, VALUES)).toBe(name);
  });

  it.each([
    ['', 'is empty'],
    ['   ', 'is empty'],
    ['x'.repeat(201), 'is 201 characters long'],
    [`${'x'.repeat(195)}{job}`, 'is 202 characters long'],
    ['🙂'.repeat(200), 'is 400 characters long'],
    ['{run} of {date}', 'In the name of the contact list, {run} stands for nothing; {job}'],
    ['{constructor}', '{constructor} stands for nothing'],
    ['{}', '{} stands for nothing'],
  ])('is refused: %s', (template, said) => {
    const expand = () => expandListName(template, VALUES);
    expect(expand).toThrow(SluiceError);
    expect(expand).toThrow(said);
  });
});
