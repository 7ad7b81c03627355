import { assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import {
  expandListName,
  expandOutputName,
  hasPlaceholder,
  inputName,
} from '../../../src/model/text/placeholders.js';

const VALUES = {
  date: () => '2026-11-21',
  input: () => 'crm',
  job: () => 'nightly',
  run: () => '7',
};

describe('the name of a table', () => {
  it.each([
    ['out.csv', 'out.csv'],
    ['out/{input}-{date}.csv', 'out/crm-2026-11-21.csv'],
    ['{run}/{run}-{input}{date}', '7/7-crm2026-11-21'],
    ['{job}-{run}.html', 'nightly-7.html'],
    ['a{b.csv', 'a{b.csv'],
  ])('%s is %s', (template, name) => {
    expect(expandOutputName(template, VALUES)).toBe(name);
    expect(hasPlaceholder(template)).toBe(template !== name);
  });

  it.each(['{}', '{jobs}', '{Date}', '{ run }', '{{run}'])(
    '%s is a slip, but for {run}',
    (slip) => {
      const expand = () => expandOutputName(`out-${slip}.csv`, VALUES);
      if (slip === '{{run}') expect(expand()).toBe('out-{7.csv');
      else
        expect(expand).toThrow(
          `${slip} has no meaning; {date}, {input}, {job} and {run} have one.`,
        );
    },
  );
});

describe('{input}', () => {
  it.each([
    ['leads.csv', 'leads'],
    ['leads.csv.gz', 'leads'],
    ['crm.2026-11-21.ndjson', 'crm.2026-11-21'],
    ['leads', 'leads'],
    ['.csv', '_csv'],
    ['....csv', '___'],
    ['..', '__'],
    ['a\\b:c.csv', 'a_b_c'],
    ['{run}-{{date}.csv', '_run_-__date_'],
    ['a\nb\u202ec.csv', 'a_b_c'],
    ['end. .csv', 'end__'],
    ['CON.csv', '_CON'],
    ['aux.old.csv', '_aux.old'],
    ['console.csv', 'console'],
    ['', '_'],
  ])('%j is %j', (base, name) => {
    expect(inputName(base)).toBe(name);
  });

  it('leads out of no folder, whatever the file is called', () => {
    const nasty = string({
      unit: constantFrom('.', '/', '\\', ' ', 'a', '\0', '\n', ':', '{', '}'),
    });
    assert(
      property(oneof(nasty, string({ unit: 'binary' })), (base) => {
        const name = inputName(base);
        expect(name).not.toBe('');
        expect(name).not.toMatch(/[/\\{}\p{Cc}]|^\.|[. ]$/u);
      }),
    );
  });
});

const LIST_VALUES = { job: 'nightly', date: '2026-11-21' };

describe('the name of a contact list', () => {
  it.each([
    ['Warm leads', 'Warm leads'],
    [' {job} of {date} ', 'nightly of 2026-11-21'],
    ['{job}{job}', 'nightlynightly'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['🙂'.repeat(100), '🙂'.repeat(100)],
  ])('%s', (template, name) => {
    expect(expandListName(template, LIST_VALUES)).toBe(name);
  });

  it.each([
    ['', 'is empty'],
    ['   ', 'is empty'],
    ['x'.repeat(201), 'is 201 characters long'],
    [`${'x'.repeat(195)}{job}`, 'is 202 characters long'],
    ['🙂'.repeat(200), 'is 400 characters long'],
    ['{run} of {date}', 'In the name of the contact list, {run} has no meaning; {job}'],
    ['{constructor}', '{constructor} has no meaning'],
    ['{}', '{} has no meaning'],
  ])('is refused: %s', (template, said) => {
    const expand = () => expandListName(template, LIST_VALUES);
    expect(expand).toThrow(SluiceError);
    expect(expand).toThrow(said);
  });
});
