import { beforeAll, describe, expect, it } from 'vitest';
import {
  COMPANY_FIELDS,
  type FieldTable,
  POSITION_FIELDS,
  PROFILE_FIELDS,
} from '../../../src/model/result.js';
import { imaginePersona } from '../../../src/sandbox/answers/imagine-persona.js';
import { type WireProfile, writeProfile } from '../../../src/sandbox/answers/write-profile.js';

const profiles: WireProfile[] = [];
beforeAll(() => {
  for (let index = 0; index < 3000; index += 1) {
    const socialUrl = `https://social.example/in/jane-doe-${index}`;
    // As a client sees it: without what JSON leaves out.
    const profile: WireProfile = JSON.parse(
      JSON.stringify(writeProfile(imaginePersona({ socialUrl }, 1))),
    );
    profiles.push(profile);
  }
});

const groupsOf = () => profiles.flatMap((profile) => profile.positionGroups ?? []);

function expectFields(table: FieldTable, beside: readonly string[], objects: readonly object[]) {
  const seen = new Set<string>();
  for (const object of objects) {
    for (const [name, value] of Object.entries(object)) {
      if (beside.includes(name)) continue;
      seen.add(name);
      const type = table[name];
      const isRight =
        type === 'integer'
          ? Number.isInteger(value)
          : typeof value === 'string' && (type === 'string' || URL.canParse(value));
      if (!isRight) expect.fail(`${name} is ${JSON.stringify(value)}, not a(n) ${type}`);
    }
  }
  expect([...seen].sort()).toEqual(Object.keys(table).sort());
}

describe('writeProfile', () => {
  it('has every field of the document, rightly typed, and no other', () => {
    expectFields(PROFILE_FIELDS, ['positionGroups'], profiles);
    expectFields(
      COMPANY_FIELDS,
      [],
      groupsOf().map((group) => group.company),
    );
    expectFields(
      POSITION_FIELDS,
      ['date'],
      groupsOf().flatMap((group) => group.profilePositions),
    );
  });

  it.each([
    ['accents', /Łódź/],
    ['a decomposed accent', /e\u0308/],
    ['emoji', /👩‍💻/u],
    ['CJK', /東京/],
    ['right-to-left text', /מנהל/],
    ['a direction override', /\u202e/],
    ['quotes', /""/],
    ['commas', /, Inc\.; /],
    ['a tab', /\t/],
    ['a line feed', /[^\r]\n/],
    ['a carriage return', /\r\n/],
    ['a line separator', /\u2028/],
    ['a leading =', /^=/],
    ['a leading +', /^\+/],
    ['a leading -', /^-/],
    ['a leading @', /^@/],
    ['space around it', /^ .* $/s],
    ['HTML', /<script>/],
    ['a numeral', /^007$/],
    ['more than a spreadsheet cell holds', /^.{32768,}$/s],
  ])('has text with %s', (_kind, pattern) => {
    const texts = profiles.flatMap((profile) => [profile.summary ?? '', profile.tagline ?? '']);
    expect(texts.some((text) => pattern.test(text))).toBe(true);
  });
});
