import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import {
  ASKS,
  type Ask,
  explainLacking,
  INPUTS,
  type InputName,
  type Inputs,
  inOrder,
  inputsFor,
  nextInput,
  sufficientAsks,
} from '../../src/model/ask.js';

const { requires } = NEUTRAL_DIALECT;
const NAME = { firstName: 'Ada', lastName: 'King' };
const WITHOUT_ADDRESS: Ask[] = ['find_email', 'social_enrichment', 'find_phone'];

describe('the neutral dialect', () => {
  it.each<[string, Inputs, Ask[]]>([
    ['nothing', {}, []],
    ['a profile URL', { socialUrl: 'x' }, WITHOUT_ADDRESS],
    ['an e-mail address', { email: 'x' }, [...ASKS]],
    ['a name', NAME, []],
    ['a name and a domain', { ...NAME, companyDomain: 'x' }, WITHOUT_ADDRESS],
    ['a name and a company', { ...NAME, companyName: 'x' }, WITHOUT_ADDRESS],
    ['half a name and a domain', { firstName: 'Ada', companyDomain: 'x' }, []],
    ['a company', { companyDomain: 'x', companyName: 'x' }, []],
  ])('lets %s suffice', (_, inputs, asked) => {
    expect(sufficientAsks(ASKS, inputs, requires).asked).toEqual(asked);
  });
});

it('every ask is either asked or lacking, in the order of the job, and one more input takes none away', () => {
  const inputs = fc.subarray([...INPUTS]).map(inputsOf);
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...ASKS]),
      inputs,
      fc.constantFrom(...INPUTS),
      (ask, some, more) => {
        const { asked, lacking } = sufficientAsks(ask, some, requires);
        expect([...asked, ...lacking].sort()).toEqual(ask.toSorted());
        expect(ask.filter((one) => asked.includes(one))).toEqual(asked);
        const richer = sufficientAsks(ask, { ...some, [more]: 'x' }, requires);
        expect(richer.asked).toEqual(expect.arrayContaining([...asked]));
      },
    ),
  );
});

it('what is lacking is told with every way to have it', () => {
  expect(explainLacking([...ASKS], requires)).toBe(
    'find_email, social_enrichment and find_phone need socialUrl, or email, or firstName + lastName + companyDomain, or firstName + lastName + companyName; verify_email needs email',
  );
  expect(explainLacking([], requires)).toBe('');
});

function inputsOf(names: readonly (keyof Inputs)[]): Inputs {
  return Object.fromEntries(names.map((name) => [name, 'x']));
}

describe('the input to find a column for', () => {
  const needs: InputName[][] = [
    ['socialUrl'],
    ['firstName', 'lastName', 'companyDomain'],
    ['firstName', 'lastName', 'companyName'],
  ];
  it.each<[InputName[], InputName[], InputName | undefined]>([
    [['firstName', 'lastName'], [], 'companyDomain'],
    [['firstName', 'lastName'], ['companyDomain'], 'companyName'],
    [['firstName', 'lastName'], ['companyDomain', 'companyName'], 'socialUrl'],
    [[], [], 'socialUrl'],
    [['lastName'], ['socialUrl'], 'firstName'],
    [['socialUrl'], [], undefined],
    [[], ['socialUrl', 'firstName'], undefined],
  ])('where there are %j, and none for %j, is %s', (inputs, without, next) => {
    expect(nextInput(needs, inputs, new Set(without))).toBe(next);
  });
});

describe('the inputs by which an ask goes', () => {
  const requirements = { ...requires, firm: [['companyDomain'], ['companyName']] as const };
  const all = { ...NAME, companyDomain: 'x.example', companyName: 'X' };

  it('are the first whole list of an ask about a company, and all of any other', () => {
    expect(inputsFor(['firm'], all, requirements)).toEqual({ companyDomain: 'x.example' });
    expect(inputsFor(['firm'], { ...NAME, companyName: 'X' }, requirements)).toEqual({
      companyName: 'X',
    });
    expect(inputsFor(['find_email', 'firm'], all, requirements)).toEqual(all);
    const persons = { ...requirements, mobile: [['email'], ['lastName', 'companyName']] as const };
    expect(inputsFor(['mobile'], all, persons)).toEqual(all);
  });
});

it('the order of asks is that of the standard ones, and then by name, each once', () => {
  expect(inOrder(['mobile', 'find_phone', 'firm', 'find_email', 'firm'])).toEqual([
    'find_email',
    'find_phone',
    'firm',
    'mobile',
  ]);
});
