// The person behind a set of inputs: the given values, and the rest drawn from the lists of persona-data.ts. All blocks
// of one answer are about the same person.
import type { Inputs } from '../../model/ask.js';
import { identifyInputs } from '../ledger/fingerprint-request.js';
import { type Draw, openDraw } from './decide-outcome.js';
import { COMPANY_NAMES, FIRST_NAMES, LAST_NAMES } from './persona-data.js';

export interface Persona {
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  /** The domain of the inputs, else that of the e-mail, else one below the reserved `.example`. */
  readonly companyDomain: string;
  readonly socialUrl: string;
  readonly email: string | undefined;
  /** The company to which they moved lately, whatever is asked about; undefined for those who stayed. */
  readonly newCompany: NewCompany | undefined;
  /** Opens a stream of its own for each block. */
  readonly draw: (purpose: string) => Draw;
}

export interface NewCompany {
  readonly companyName: string;
  readonly companyDomain: string;
}

/** Two spellings of one person are one persona. `moved`: the share of people who changed jobs. */
export function imaginePersona(inputs: Inputs, seed: number, moved = 0): Persona {
  const identity = identifyInputs(inputs);
  const draw = openDraw(seed, 'persona', identity);
  const [handle, emailDomain] = inputs.email?.split('@') ?? [];
  const [drawnFirst, drawnLast] = [draw.pick(FIRST_NAMES), draw.pick(LAST_NAMES)];
  const [urlFirst, urlLast] = readNames(readSlug(inputs.socialUrl) ?? handle ?? '');
  const firstName = capitalise(inputs.firstName ?? urlFirst ?? drawnFirst);
  const lastName = capitalise(inputs.lastName ?? urlLast ?? drawnLast);

  const drawnCompany = draw.pick(COMPANY_NAMES);
  const domain = inputs.companyDomain ?? emailDomain;
  const companyName = inputs.companyName ?? domain?.split('.', 1)[0] ?? drawnCompany;
  const slug = `${toAsciiWord(firstName) || 'member'}-${toAsciiWord(lastName) || 'x'}`;
  const suffix = draw.between(0x100000, 0xffffff).toString(16);
  const companyDomain = domain ?? `${toAsciiWord(companyName) || 'company'}.example`;
  const newCompany = drawNewCompany(openDraw(seed, 'move', identity), moved);
  return {
    firstName,
    lastName,
    companyName: capitalise(companyName),
    companyDomain,
    newCompany: newCompany?.companyDomain === companyDomain ? undefined : newCompany,
    socialUrl: inputs.socialUrl ?? `https://social.example/in/${slug}-${suffix}`,
    email: inputs.email,
    draw: (purpose) => openDraw(seed, purpose, identity),
  };
}

/** The new company. A person who moved with a smaller share has moved with a greater one too, and to the same place. */
function drawNewCompany(draw: Draw, moved: number): NewCompany | undefined {
  if (!draw.chance(moved)) return undefined;
  const companyName = draw.pick(COMPANY_NAMES);
  return { companyName, companyDomain: `${toAsciiWord(companyName) || 'company'}.example` };
}

export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** Letters and digits of ASCII only: `Zoë Strauß` becomes `zoestrauss`; empty for a text in another script. */
export function toAsciiWord(text: string): string {
  const spelled = text.toLowerCase().replace(/[ßøæœłđðþı]/g, (letter) => SPELLINGS[letter] ?? '');
  return spelled.normalize('NFKD').replace(/[^a-z0-9]/g, '');
}

const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

// `…/in/jane-doe-4b2a91/` -> `jane-doe-4b2a91`
function readSlug(socialUrl: string | undefined): string | undefined {
  return socialUrl?.replace(/[?#].*$/, '').match(/([^/]+)\/*$/)?.[1];
}

// `jane-doe-4b2a91` or `jane.doe` -> jane, doe; a part with a digit or an escape is not a name.
function readNames(text: string): readonly [string?, string?] {
  const [first, ...others] = text.split(/[-._+]/).filter((part) => /^\p{L}+$/u.test(part));
  const last = others.join(' ');
  return last === '' ? [] : [first ?? '', last];
}

function capitalise(text: string): string {
  return text.replace(/(^|[\s'-])(\p{L})/gu, (_match, before: string, letter: string) => {
    return before + letter.toUpperCase();
  });
}
