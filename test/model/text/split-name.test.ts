// A whole name, split: by hand-collected names of many cultures, by those of legislators, and whatever the text is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bareName, splitName } from '../../../src/model/text/split-name.js';
import { tries } from '../../helpers/long.js';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

const NAMES = read('names-of-many-cultures.txt')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [text = '', firstName = '', lastName = '', aside = ''] = cells;
    return [text, { firstName, lastName, aside }] as const;
  });

/** From unitedstates/congress-legislators, public domain (CC0): members of 2026 and former ones, few of them with a first name and a last name alone. */
const LEGISLATORS = parse<Record<'full_name' | 'first_name' | 'last_name', string>>(
  read('legislators.csv'),
  { columns: true },
);

describe('a name of many cultures', () => {
  it.each(NAMES)('%s', (text, expected) => {
    const { firstName = '', lastName = '', aside } = splitName(text);
    const isWhole = expected.lastName === '';
    expect({ firstName, lastName, aside: isWhole ? '' : aside.join(' ') }).toEqual(expected);
  });
});

it('a title or an academic degree is set aside, a particle is not', () => {
  for (const title of 'Dr. Prof. Mr. Ms. Dame Mme Sra. Dra. Dott. Sig. Ing. drs.'.split(' ')) {
    expect(splitName(`${title} Ada Byron`)).toMatchObject({ lastName: 'Byron', aside: [title] });
  }
  for (const degree of 'Ph.D. Esq. CPA Jr III'.split(' ')) {
    expect(splitName(`Ada Byron, ${degree}`)).toMatchObject({ lastName: 'Byron', aside: [degree] });
  }
  for (const particle of ['zu', 'Vanden', 'de las', 'dos', 'ibn', 'Di']) {
    expect(splitName(`Ada ${particle} Byron`).lastName).toBe(`${particle} Byron`);
  }
});

it('what was split stays as it is', () => {
  for (const [text] of NAMES) {
    const { firstName, lastName } = splitName(text);
    if (firstName === undefined) continue;
    expect(splitName(`${lastName}, ${firstName}`)).toEqual({ firstName, lastName, aside: [] });
  }
});

describe('names of legislators', () => {
  it('have the last name that the table says, but for those of two words', () => {
    const wrong = LEGISLATORS.filter((one) => splitName(one.full_name).lastName !== one.last_name);
    expect(LEGISLATORS.length).toBeGreaterThan(70);
    for (const { full_name, last_name } of wrong) {
      expect(last_name, full_name).toMatch(/ |['’]/);
    }
    expect(wrong.length).toBeLessThan(LEGISLATORS.length * 0.07);
  });

  it('are split the same when they are written as LAST, FIRST or in capitals at the end', () => {
    for (const { full_name } of LEGISLATORS) {
      const { firstName = '', lastName = '' } = splitName(full_name);
      expect(splitName(`${lastName}, ${firstName}`)).toEqual({ firstName, lastName, aside: [] });
      expect(splitName(`${firstName} ${lastName.toUpperCase()}`).lastName).toBe(
        lastName.toUpperCase(),
      );
    }
  });
});

describe('a first or a last name alone', () => {
  it.each([
    ['Dr. Ada', 'Ada'],
    ['Prof. Dr. rer. nat. Ada', 'Ada'],
    ['Lovelace, PhD', 'Lovelace'],
    ['Lovelace, PhD, MBA', 'Lovelace'],
    ['Lovelace PhD MBA', 'Lovelace'],
    ['Lovelace, M.D.', 'Lovelace'],
    ['LOVELACE PHD', 'LOVELACE'],
    ['Lovelace, MA', 'Lovelace'],
    ['NGUEMA MBA PhD', 'NGUEMA MBA'],
    ['Dr. NGUEMA MBA, PhD', 'NGUEMA MBA'],
    ['Lovelace,', 'Lovelace,'],
    ['🚀 Ada', 'Ada'],
    ['Ada👩🏽‍💻', 'Ada'],
    ['Ada 🇬🇧 1️⃣', 'Ada'],
    ['Dr. van der Berg', 'van der Berg'],
    ['Sen. Gupta', 'Gupta'],
    ['Rao, Dr. Ada PhD', 'Rao, Ada'],
  ])('%s is %s', (text, name) => {
    expect(bareName(text)).toBe(name);
  });

  it.each([
    'Sen Gupta',
    'Mag Ruffman',
    'Lady Johana',
    'Ndong Mba',
    'Islam Md',
    'NGUEMA MBA',
    'de NGUEMA MBA',
    'Kim MA',
    'Lovelace Jr.',
    'Lovelace, Sr.',
    'Lovelace III',
    'Garcia - Lopez',
    'Smith (Jones)',
    'Lovelace, Ada',
    'Ada W.',
    'Ada 2',
    'Dr.',
    'MBA',
    'Ada  King',
    'د. آدا',
    '太郎',
  ])('%s stays, since a word of it may tell two people apart', (text) => {
    expect(bareName(text)).toBe(text);
  });

  it('is made bare once and for all, and so is a part of a whole name', () => {
    const piece = fc.constantFrom(
      'Dr.',
      'Prof',
      ',',
      'PhD',
      'MBA',
      'Jr.',
      'Md',
      '🚀',
      'MA',
      '-',
      'Ada',
      'van',
      '.',
    );
    const text = fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 4 })), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(text, fc.constantFrom(' ', ''), (pieces, gap) => {
        const once = bareName(pieces.join(gap));
        expect(bareName(once)).toBe(once);
      }),
      { numRuns: tries(3000) },
    );
    for (const { full_name } of LEGISLATORS) {
      const { firstName = '', lastName = '' } = splitName(full_name);
      expect([bareName(firstName), bareName(lastName)]).toEqual([firstName, lastName]);
    }
  });
});

describe('whatever the text is', () => {
  const PIECES = [
    ...NAMES.flatMap(([text]) => text.split(' ')),
    'Dr.',
    'Jr.',
    'PhD',
    ',',
    'van',
    'de',
    '"',
    '(',
    ')',
    '|',
    '-',
    '・',
    '🚀',
    '山田',
    '김민준',
    'MA',
    'O’',
    '1',
    '@',
  ];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 6 })), {
      maxLength: 8,
    })
    .map((pieces) => pieces.join(' '));
  const always = (check: (one: string) => void) =>
    fc.assert(fc.property(text, check), { numRuns: tries(3000) });

  it('no letter is lost, and none is made up', () => {
    always((one) => {
      const { aside, firstName = '', lastName = '', only = '' } = splitName(one);
      expect(charactersOf([firstName, lastName, only, ...aside].join(''))).toBe(charactersOf(one));
    });
  });

  it('both names are told or neither', () => {
    always((one) => {
      const { firstName, lastName, only } = splitName(one);
      expect(firstName === undefined).toBe(lastName === undefined);
      expect([firstName, lastName, only]).not.toContain('');
      if (only !== undefined) expect(firstName).toBeUndefined();
    });
  });
});

/** Sorted, without blanks and what stands between names. */
function charactersOf(text: string): string {
  return Array.from(text.replace(/[\s,，、;・･]/gu, ''))
    .sort()
    .join('');
}
