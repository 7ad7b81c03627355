import { describe, expect, it } from 'vitest';
import { registrableDomain } from '../../../src/identity/registrable-domain.js';
import type { LeadAnswer } from '../../../src/model/answer.js';
import type { Inputs } from '../../../src/model/ask.js';
import { SluiceError } from '../../../src/model/errors.js';
import { demandListId, toMember as toMemberBy } from '../../../src/model/resources/contact-list.js';
import type { Result } from '../../../src/model/result.js';
import { leadAnswer } from '../../helpers/lead-answer.js';

const toMember = (lead: LeadAnswer) => toMemberBy(lead, registrableDomain);

function answer(inputs: Inputs, result: Result | null = null): LeadAnswer {
  return leadAnswer({ ticket: null, ask: ['find_email'], inputs, result });
}

const KNOWN = { email: 'old@a.example', firstName: 'ada', companyName: 'acme' };

describe('a lead goes into a contact list', () => {
  it('with what was found before what was known', () => {
    const result = {
      find_email: { email: 'ada@a.example', status: 'deliverable' },
      social_enrichment: {
        firstName: 'Ada',
        socialUrl: 'https://s.example/ada',
        positionGroups: [],
      },
    };
    expect(toMember(answer(KNOWN, result))).toEqual({
      email: 'ada@a.example',
      socialUrl: 'https://s.example/ada',
      firstName: 'Ada',
      companyName: 'acme',
    });
  });

  it('with what was known where nothing was found', () => {
    expect(toMember(answer(KNOWN, {}))).toEqual(KNOWN);
    expect(toMember(answer({ socialUrl: 'https://s.example/ada' }))).toEqual({
      socialUrl: 'https://s.example/ada',
    });
  });

  it('never with a malformed address, which the platform refuses a whole call for', () => {
    const found = (email: string) => ({ find_email: { email, status: 'deliverable' } });
    expect(toMember(answer({ email: 'b@a.example' }, found('not-an-email')))).toEqual({
      email: 'b@a.example',
    });
    expect(toMember(answer({ firstName: 'ada' }, found('not-an-email')))).toBe(undefined);
    const profile = { social_enrichment: { socialUrl: 'no profile', positionGroups: [] } };
    expect(toMember(answer({ firstName: 'ada' }, profile))).toBe(undefined);
    expect(toMember(answer({}, { ...profile, ...found('b@a.example') }))).toEqual({
      email: 'b@a.example',
    });
  });

  it('never by its name alone', () => {
    expect(
      toMember(answer({ firstName: 'ada', lastName: 'doe', companyDomain: 'a.example' })),
    ).toBe(undefined);
  });
});

describe('the id of a contact list', () => {
  it.each(['clt_5f2c', '7', 'a/b?c', 'é'])('may be %s', (id) => {
    expect(demandListId(id)).toBe(id);
  });

  it.each([
    ['', 'is empty'],
    [' ', 'no blanks or control characters'],
    ['clt_1\n', 'no blanks or control characters'],
    ['clt 1', 'no blanks or control characters'],
    ['clt_\u0000', 'no blanks or control characters'],
    ['clt_\u001b[2J', 'no blanks or control characters'],
    ['clt_\u202e1', 'no blanks or control characters'],
  ])('is not %j', (id, said) => {
    expect(() => demandListId(id)).toThrow(SluiceError);
    expect(() => demandListId(id)).toThrow(said);
  });
});
