// Who counts as one person: the keys by which an enrichment is found again, and what tells two people apart. In doubt
// they are two: paying twice is a pity, and another's phone number is a fault.
import {
  type Ask,
  type EnrichmentRequest,
  INPUTS,
  type InputName,
  type Inputs,
  isStandard,
} from '../ask.js';
import { type Definitions, fold } from '../fingerprint.js';
import type { Result } from '../result.js';
import { wordSet } from '../text/words.js';

/** A key by its text, whose digest is kept. */
export interface Key {
  readonly text: string;
  /** The only ask that it counts for; null for all that are about a person. */
  readonly ask: Ask | null;
  /** It is looked up, and not kept: a forgotten person has no other key. */
  readonly isOfForgotten?: true;
}

/** Addresses that many read: they name no person. */
const ROLES = wordSet(`
  abuse accounting accounts admin administration ads agency assistance billing biuro bewerbung booking buchhaltung
  business career careers compta comptabilite contabilidad contact contacto contato direction einkauf empfang enquiries
  events export finance frontdesk hello help helpdesk hi hr info informacion information inquiries invoice invoices it
  jobs kanzlei kontakt kundenservice legal mail mailbox marketing media news newsletter noc noreply no-reply office
  order orders personal postmaster praxis press presse privacy purchasing recepcion reception recruiting redaktion
  rh root sales secretariat security sekretariat service servicio shop spam support team technik tech vendas ventas
  verkauf verwaltung web webmaster welcome zentrale`);

/** The keys of a request of this account. Without one of a person its whole inputs are its key. */
export function keysOf(
  { ask, inputs }: EnrichmentRequest,
  account: string,
  definitions: Definitions = {},
): Key[] {
  const folded = foldAll(inputs);
  const whole = wholeKey(folded);
  const persons = personKeys(folded);
  const named = persons.length === 0 ? [whole] : persons;
  const toText = (...parts: readonly unknown[]): string => JSON.stringify([account, ...parts]);
  const firstStandard = ask.find((one) => isStandard(one) && one !== 'verify_email');
  return ask.flatMap((one): Key[] => {
    if (one === 'verify_email') {
      const { email } = folded;
      return email === undefined ? [] : [{ ask: one, text: toText('verify', email) }];
    }
    if (!isStandard(one)) {
      return named.map((key) => ({ ask: one, text: toText(one, definitions[one], ...key) }));
    }
    if (one !== firstStandard) return [];
    const keys = named.map((key): Key => ({ ask: null, text: toText(...key) }));
    if (persons.length > 0) keys.push({ ask: null, text: toText(...whole), isOfForgotten: true });
    return keys;
  });
}

/** The key that the enrichment of a forgotten person keeps. */
export function keyOfWhole(inputs: Inputs, account: string): Key {
  return { ask: null, text: JSON.stringify([account, ...wholeKey(foldAll(inputs))]) };
}

function wholeKey(folded: Inputs): readonly unknown[] {
  return ['whole', ...INPUTS.map((name) => folded[name] ?? null)];
}

function personKeys(folded: Inputs): (readonly unknown[])[] {
  const { companyDomain, companyName, email, firstName, lastName, socialUrl } = folded;
  const keys: (readonly unknown[])[] = [];
  if (socialUrl !== undefined) keys.push(['profile', socialUrl]);
  if (email !== undefined && !isRole(email)) keys.push(['email', email]);
  if (firstName === undefined || lastName === undefined) return keys;
  if (companyDomain !== undefined) keys.push(['domain', firstName, lastName, companyDomain]);
  if (companyName !== undefined) keys.push(['company', firstName, lastName, companyName]);
  return keys;
}

/** Whether an address is that of a role, or of a list, whatever is added to it. */
export function isRole(email: string): boolean {
  const [local = ''] = email.split('@');
  return ROLES.has(local) || ROLES.has(local.split(/[+._-]/)[0] ?? '');
}

/** What is known of a person, in the spelling by which it is compared. Several values are all theirs. */
export interface Traits {
  /** The folded inputs; undefined for a forgotten person, of whom only the whole inputs' key is left. */
  readonly inputs: Inputs | undefined;
  readonly found: Inputs;
}

export function traitsOf(inputs: Inputs | undefined, result: Result = {}): Traits {
  const { find_email: email, social_enrichment: profile } = result;
  const found = {
    email: email?.email,
    socialUrl: profile?.socialUrl,
    firstName: profile?.firstName,
    lastName: profile?.lastName,
  };
  return { inputs: inputs && foldAll(inputs), found: foldAll(found) };
}

function foldAll(inputs: { readonly [Name in InputName]?: string | undefined }): Inputs {
  const folded: Partial<Record<InputName, string>> = {};
  for (const name of INPUTS) {
    const value = inputs[name];
    if (value !== undefined) folded[name] = fold(name, value);
  }
  return folded;
}

/** Whether one was asked for by all that the other was asked for, and perhaps by more. */
export function includes(one: Traits, other: Traits): boolean {
  if (one.inputs === undefined || other.inputs === undefined) return true;
  return INPUTS.every(
    (name) => other.inputs?.[name] === undefined || one.inputs?.[name] === other.inputs[name],
  );
}

export function isSame(one: Traits, other: Traits): boolean {
  return includes(one, other) && includes(other, one);
}

/** Whether two who share a key are certainly, or perhaps, two people. */
export function contradict(one: Traits, other: Traits): boolean {
  if (isSame(one, other)) return false;
  const compare = comparing(one, other);
  const profiles = compare('socialUrl', isEqual, isOtherKind);
  const domains = compare('companyDomain');
  if (profiles === 'differ' || domains === 'differ') return true;
  if (profiles !== 'agree' && compare('email', isEqual, isAtOtherDomain) === 'differ') return true;
  if (domains !== 'agree' && compare('companyName') === 'differ') return true;
  // By an address alone names agree whole; a key with names has the same ones.
  const firsts = compare('firstName', profiles === 'agree' ? beginsWith : isEqual);
  return firsts === 'differ' || compare('lastName') === 'differ';
}

/** Whether the names that came back are those that were asked for; null where both do not say. */
export function isSameName(asked: Inputs, found: Inputs): boolean | null {
  const compare = comparing(traitsOf(asked), { inputs: foldAll(found), found: {} });
  return agreementOf(compare('firstName', beginsWith), compare('lastName'));
}

/** The same of a company: its domain decides, and its name only without one. */
export function isSameCompany(asked: Inputs, found: Inputs): boolean | null {
  const compare = comparing(traitsOf(asked), { inputs: foldAll(found), found: {} });
  return agreementOf(compare('companyDomain', isAtDomain)) ?? agreementOf(compare('companyName'));
}

function agreementOf(...all: readonly Compared[]): boolean | null {
  if (all.includes('differ')) return false;
  return all.includes('agree') ? true : null;
}

/** Whether two of the same name who share no key may still be one: what both have is alike, or of another kind. */
export function mayBeOne(one: Traits, other: Traits): boolean {
  const compare = comparing(one, other);
  return (
    compare('socialUrl', isEqual, isOtherKind) !== 'differ' &&
    compare('email', isEqual, isAtOtherDomain) !== 'differ' &&
    compare('companyDomain', haveSameLabel) !== 'differ' &&
    compare('companyName', beginsWith) !== 'differ'
  );
}

type Compared = 'agree' | 'differ' | 'unknown';
type Comparison = (one: string, other: string) => boolean;

/** Compares what both have: values agree if any two do, and differ only where they are of one kind. */
function comparing(one: Traits, other: Traits) {
  const valuesOf = ({ found, inputs = {} }: Traits, name: InputName): string[] =>
    [inputs[name], found[name]].filter((value) => value !== undefined);
  return (
    name: InputName,
    agree: Comparison = isEqual,
    isOther: Comparison = () => false,
  ): Compared => {
    const theirs = valuesOf(other, name);
    const pairs = valuesOf(one, name).flatMap((a) => theirs.map((b) => [a, b] as const));
    if (pairs.some(([a, b]) => agree(a, b))) return 'agree';
    return pairs.some(([a, b]) => !isOther(a, b)) ? 'differ' : 'unknown';
  };
}

function isEqual(one: string, other: string): boolean {
  return one === other;
}

/** A public name, a member's number and a page of another network may all be of one person. */
function isOtherKind(one: string, other: string): boolean {
  return kindOf(one) !== kindOf(other);
}

/** Two addresses at one domain are those of two people. */
function isAtOtherDomain(one: string, other: string): boolean {
  return one.split('@')[1] !== other.split('@')[1];
}

/** A domain that was asked about is one that can be registered. */
function isAtDomain(asked: string, host: string): boolean {
  return host === asked || host.endsWith(`.${asked}`);
}

/** `acme.com` and `acme.de`. */
function haveSameLabel(one: string, other: string): boolean {
  return one.split('.')[0] === other.split('.')[0];
}

function kindOf(profile: string): string {
  const [host = '', path = '', name = ''] = profile.split('/');
  if (host !== 'linkedin.com') return host;
  return path === 'in' ? `in ${/^AC[ow]A/.test(name)}` : path;
}

function beginsWith(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}
