import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import { parseWhere } from '../../../src/model/where/where.js';
import type { OutputColumn, OutputRow } from '../../../src/ports/table-writer.js';

const COLUMNS: OutputColumn[] = [
  { name: 'Company size', key: 'Company size', kind: 'original' },
  { name: '', key: 'column_2', kind: 'original' },
  { name: 'email', key: 'email', kind: 'text' },
  { name: 'email_status', key: 'email_status', kind: 'text' },
  { name: 'email_domain_matches', key: 'email_domain_matches', kind: 'boolean' },
  { name: 'credits', key: 'credits', kind: 'number' },
];
const ROW: OutputRow = ['51-200', 'x', "o'brien@example.com", 'Deliverable', true, 12];
const EMPTY: OutputRow = [];

/** Digits that are no number, so many that looking at them in pairs would take hours. */
const LONG = `${'1'.repeat(200_000)}x`;

function chooses(where: string, row = ROW): boolean {
  return parseWhere(where, COLUMNS)(row);
}

describe('a value inside a column of the input', () => {
  const columns: OutputColumn[] = [
    { name: 'contact', key: 'contact', kind: 'original' },
    { name: 'emails', key: 'emails', kind: 'original' },
    { name: 'email', key: 'email', kind: 'text' },
  ];
  const rows: OutputRow[] = [
    [{ first_name: 'Ada', active: true, firm: { size: 12 } }, [{ type: 'work', value: 'a@b.co' }]],
    [null, []],
  ];

  it.each([
    ['contact.first_name = ada', [true, false]],
    ['contact.active', [true, false]],
    ['contact.firm.size > 9 and contact.last_name is empty', [true, false]],
    ["emails[type=work].value contains '@'", [true, false]],
    ['emails[0].value is empty', [false, true]],
    ["contact = ''", [false, true]],
  ])('chooses by: %s', (where, expected) => {
    expect(rows.map(parseWhere(where, columns, { rows }))).toEqual(expected);
  });

  it('is not there where the column holds texts, or is none of the input', () => {
    const texts = [['Ada', '']];
    const read = (where: string) => () => parseWhere(where, columns, { rows: texts });
    expect(read('contact.first_name = ada')).toThrow('there is no column contact.first_name');
    expect(read('email.x = ada')).toThrow('there is no column email.x');
    expect(() => parseWhere('contact.frist_name = ada', columns, { rows })).not.toThrow();
    expect(() => parseWhere('contct.first_name = ada', columns, { rows })).toThrow(
      'Did you mean "contact.first_name"?',
    );
  });
});

describe('an expression that chooses rows', () => {
  it.each([
    'email_status = deliverable',
    "email_status = 'DELIVERABLE '",
    'email_domain_matches',
    'email_domain_matches = true',
    'email_status = deliverable and email_domain_matches',
    'email_status = bounced or credits >= 12',
    'not email_status = bounced',
    'not (email_status = deliverable and credits = 0)',
    'email is not empty',
    "email contains 'o''brien'",
    'email_status in (accepted, deliverable)',
    '"Company size" = 51-200',
    'column_2 = x',
    'credits > 9',
    'credits = 12.0',
    'credits != 13',
    ' email_status  =\tdeliverable ',
    "email_status = '' or email_status = 'deliverable'",
    '"credits" = 12',
    'NOT email IS EMPTY AND credits<=12',
    'email_status = a or email_status = deliverable and credits = 12',
    "credits != ''",
    'credits = +12.',
    'credits > .5',
    "column_2 != '“x;”'",
  ])('chooses by: %s', (where) => {
    expect(chooses(where)).toBe(true);
  });

  it.each([
    'email_status = bounced',
    'email is empty',
    'credits < 12',
    'credits > 100',
    'email_status in (accepted)',
    '(email_status = deliverable or credits = 0) and credits = 0',
    'email_domain_matches != true',
  ])('does not choose by: %s', (where) => {
    expect(chooses(where)).toBe(false);
  });

  it.each([
    ["column_2 = ''", 0, false],
    ["column_2 != ''", 0, true],
    ["column_2 = ' '", '0', false],
    ['column_2 = 0', '', false],
    ['column_2 != 0', '', true],
    ['column_2 = 16', '0x10', false],
    ['column_2 = 0x10', '16', false],
    ['column_2 = 100', '1e2', false],
    ['column_2 = 0b11', 3, false],
    ['column_2 = infinity', 'Infinity', true],
    ['column_2 = -1.50', '-1.5', true],
    ['column_2 < 9', '0x10', true],
    ['column_2', 'TRUE', true],
  ] as const)(
    'compares plain decimal numbers as such, all else as text: %s, %j',
    (where, cell, is) => {
      expect(chooses(where, [null, cell])).toBe(is);
    },
  );

  it.each([
    ['email is empty', true],
    ['email_domain_matches', false],
    ['credits < 5', false],
    ['credits >= 0', false],
    ["email = ''", true],
    ['email != x', true],
  ])('of an empty row, %s: %s', (where, is) => {
    expect(chooses(where, EMPTY)).toBe(is);
  });
});

describe('an expression that cannot be read', () => {
  it.each([
    ['', 'where: the expression is empty. It is written like'],
    [' ', 'where: the expression is empty.'],
    ['not', 'nothing where a column should be, at character 4'],
    ['email = a;', '";" means nothing here, at character 10'],
    ['email = ‘a’', "‘ is no quote: write ' around a text"],
    ['“email” = a', '“ is no quote: write \' around a text and " around the name of a column, at'],
    ['email = o’brien', '’ is no quote'],
    ['email', 'the column email says neither true nor false, so it is no condition by itself.'],
    ['email_domain_matches and not credits', 'Write "credits is not empty", or compare it.'],
    ['email =', 'nothing where a value should be'],
    ['email = a b', '"b" where "and", "or" or the end should be, at character 11'],
    ['(email = a', '")" is missing'],
    ["email = 'a", 'a quote that is not closed, at character 9'],
    ['email = hi!', '"!" means nothing here, at character 11'],
    ["email = 'a' '", 'a quote that is not closed, at character 13'],
    ['= a', '"=" where a column should be, at character 1'],
    [
      'email = "a"',
      '"a" where a value should be: a text is in single quotes, and only a column in double ones, at character 9',
    ],
    [
      'email != ""',
      '"" where a value should be: write "is empty" or "is not empty", at character 10',
    ],
    ['email in (a, "")', '"" where a value should be: write "is empty" or "is not empty"'],
    ['email is full', '"is" wants "empty" or "not empty"'],
    [
      'email_statsu = a',
      'there is no column email_statsu in the output. Did you mean "email_status"?',
    ],
    ['email in a', '"(" is missing'],
    ['email = (', '"(" where a value should be'],
    [`${'('.repeat(60)}email${')'.repeat(60)}`, 'too many parentheses'],
  ])('%s', (where, said) => {
    const read = () => parseWhere(where, COLUMNS);
    expect(read).toThrow(SluiceError);
    expect(read).toThrow(said);
  });

  it('says so whatever it is, and never fails otherwise', () => {
    const word = fc.constantFrom(
      'email',
      'credits',
      '=',
      '(',
      ')',
      'and',
      'not',
      'in',
      ',',
      "'a'",
      '"',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 3 }))), (words) => {
        try {
          parseWhere(words.join(' '), COLUMNS)(ROW);
        } catch (error) {
          expect(error).toBeInstanceOf(SluiceError);
        }
      }),
    );
  });
});

it('a cell of nothing but digits is read once, however long', () => {
  expect(chooses('email = 1', ['', '', LONG])).toBe(false);
  expect(chooses('email > 1', ['', '', LONG])).toBe(true);
});
