// Reads the query of POST /enrich, and says in one sentence why it cannot be asked.
// Names and the table of sufficient inputs are design.md's, "The neutral dialect"; the document shows neither.

import { ASKS, type Ask, INPUTS, type InputName, type Inputs } from '../../domain/ask.js';
import { parseUrl } from '../../domain/parse-url.js';
import type { NewEnrichment } from '../ledger.js';

/** A parameter that was given twice is a list. */
export type RawQuery = Readonly<Record<string, string | readonly string[]>>;

export type EnrichQuery =
  | { readonly kind: 'valid'; readonly enrichment: NewEnrichment }
  | { readonly kind: 'invalid'; readonly sentence: string };

const VALUE_LENGTH_MAX = 1000;

const FLAGS: Readonly<Record<Ask, string>> = {
  find_email: 'findEmail',
  verify_email: 'verifyEmail',
  social_enrichment: 'socialEnrichment',
  find_phone: 'findPhone',
};

const NAMED: readonly (readonly InputName[])[] = [
  ['firstName', 'lastName', 'companyDomain'],
  ['firstName', 'lastName', 'companyName'],
];

/** Any one list, wholly present, suffices. */
const SUFFICIENT: Readonly<Record<Ask, readonly (readonly InputName[])[]>> = {
  find_email: [['socialUrl'], ...NAMED],
  verify_email: [['email']],
  social_enrichment: [['socialUrl'], ['email'], ...NAMED],
  find_phone: [['socialUrl']],
};

const KNOWN = new Set<string>([...Object.values(FLAGS), ...INPUTS, 'webhookUrl']);
const DOMAIN =
  /^(?=.{1,253}$)([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;
const LOCAL_PART = /^[^\s@"(),:;<>[\]\\]{1,64}$/;

/** A blank input counts as absent. What is valid keeps its spelling, without space around it. */
export function parseEnrichQuery(query: RawQuery): EnrichQuery {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (!KNOWN.has(name)) return invalid(`The parameter ${name.slice(0, 50)} is unknown.`);
    if (typeof value !== 'string') return invalid(`The parameter ${name} is given more than once.`);
    if (value.length > VALUE_LENGTH_MAX) {
      return invalid(`The value of ${name} is longer than ${VALUE_LENGTH_MAX} characters.`);
    }
    values[name] = value.trim();
  }
  const ask = readAsk(values);
  if (typeof ask === 'string') return invalid(ask);
  const inputs = readInputs(values);
  const problem = findMalformed(values) ?? findInsufficient(ask, inputs);
  if (problem !== undefined) return invalid(problem);
  const { webhookUrl } = values;
  return { kind: 'valid', enrichment: { ask, inputs, ...(webhookUrl && { webhookUrl }) } };
}

function invalid(sentence: string): EnrichQuery {
  return { kind: 'invalid', sentence };
}

function readAsk(values: Readonly<Record<string, string>>): Ask[] | string {
  for (const flag of Object.values(FLAGS)) {
    const value = values[flag] ?? 'false';
    if (value !== 'true' && value !== 'false') return `The value of ${flag} must be true or false.`;
  }
  const ask = ASKS.filter((name) => values[FLAGS[name]] === 'true');
  if (ask.length > 0) return ask;
  return `Nothing is asked for: set at least one of ${Object.values(FLAGS).join(', ')} to true.`;
}

function readInputs(values: Readonly<Record<string, string>>): Inputs {
  const inputs: Partial<Record<InputName, string>> = {};
  for (const name of INPUTS) {
    const value = values[name];
    if (value) inputs[name] = value;
  }
  return inputs;
}

function findMalformed(values: Readonly<Record<string, string>>): string | undefined {
  const { email, companyDomain, socialUrl, webhookUrl } = values;
  if (email && !isEmail(email)) return 'The value of email is not an e-mail address.';
  if (companyDomain && !DOMAIN.test(companyDomain)) {
    return 'The value of companyDomain is not a domain.';
  }
  if (socialUrl && !isHttpUrl(socialUrl)) return 'The value of socialUrl is not an http(s) URL.';
  if (webhookUrl && !isHttpUrl(webhookUrl)) return 'The value of webhookUrl is not an http(s) URL.';
  return undefined;
}

function findInsufficient(ask: readonly Ask[], inputs: Inputs): string | undefined {
  const isPresent = (name: InputName): boolean => inputs[name] !== undefined;
  for (const name of ask) {
    if (SUFFICIENT[name].some((list) => list.every(isPresent))) continue;
    const alternatives = SUFFICIENT[name].map((list) => list.join(' + ')).join(', or ');
    return `The inputs do not suffice for ${FLAGS[name]}: it needs ${alternatives}.`;
  }
  return undefined;
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && LOCAL_PART.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1));
}

function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s/]/i.test(text) || /\s/.test(text)) return false;
  return parseUrl(text) !== undefined;
}
