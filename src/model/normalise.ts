// Turns the text of a cell into the value that is sent. Pure: the same text always gives the same value.
import type { InputName } from './ask.js';
import { parseUrl } from './text/address.js';
import { bareName } from './text/split-name.js';
import { wordsOf } from './text/words.js';

/** Public suffix and one label of a host or an e-mail address: `a@mail.example.co.uk` gives `example.co.uk`. */
export type RegistrableDomain = (hostOrEmail: string) => string | undefined;

/** The kind of a domain that serves many companies or people, and identifies none of them. */
export type SharedSite = 'social network' | 'site builder' | 'mail provider' | 'directory';

/** The owner of a host's domain, or of the page below it; undefined if the host has none. */
export type DomainOwner = (
  host: string,
  path?: string,
) =>
  | { readonly kind: 'company'; readonly domain: string }
  | { readonly kind: 'shared'; readonly site: SharedSite }
  | undefined;

export type Normalised =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'empty' }
  /** The value identifies no person or company, and the lead is asked for without it. */
  | { readonly kind: 'left_out'; readonly reason: string }
  /** `reason` begins with the name of the input. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** Words of people and programs for "there is none", in lower case: of spreadsheets, and of four languages. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(
  '#n/a,#nv,#ref!,#value!,#wert!,#name?,#null!,n/a,na,n.a,n.a.,n/d,nd,n.d,n.d.,s/d,k.a,k.a.,k. a.,none,null,nil,nan,undefined,unknown,not available,empty,missing,keine,keine angabe,unbekannt,inconnu,non disponible,desconocido,ninguno'.split(
    ',',
  ),
);
const EMPTY: Normalised = { kind: 'empty' };
const VALUE_LENGTH_MAX = 1000;
/** Soft hyphens, zero-width spaces and marks of direction, which are copied along with a cell. */
const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
/** Invisible characters, with joiners, fillers and variant selectors, which shape letters in some scripts. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** The hyphens of typesetters, of which Word writes the one that breaks no line. */
const HYPHEN = /[\u2010\u2011]/g;
/** Curly apostrophes, the letters that look like them, and an acute accent by itself. */
const APOSTROPHE = /[\u2018\u2019\u201B\u02BB\u02BC\u00B4]/g;
/** Parameters that are added when a link is shared; they do not tell one profile from another. */
const TRACKING_PARAMETER = /^(utm_.*|trk|trackingId|fbclid|gclid|mcid|originalSubdomain)$/i;

/** Trimmed, NFC, and in the form of its input. Without a `domainOwner` every domain counts as a company's. */
export function normaliseInput(
  input: InputName,
  text: string,
  registrableDomain: RegistrableDomain,
  domainOwner?: DomainOwner,
): Normalised {
  const value = tidy(text);
  // A value may be an invisible letter, which Unicode has.
  if (!/[a-z0-9]/i.test(value) && !/[\p{L}\p{N}]/u.test(withoutIgnorable(value))) return EMPTY;
  // Percent-encoding can make a URL longer than its text.
  const shaped =
    value.length > VALUE_LENGTH_MAX
      ? undefined
      : shape(input, value, { registrableDomain, domainOwner });
  if (shaped === undefined || (shaped.kind === 'value' && shaped.value.length > VALUE_LENGTH_MAX)) {
    return malformed(`${input} is longer than ${VALUE_LENGTH_MAX} characters`);
  }
  // Only values that cannot be sent are compared: there are people called Null, and companies called None.
  return shaped.kind === 'malformed' && isPlaceholder(value) ? EMPTY : shaped;
}

export function isPlaceholder(text: string): boolean {
  return PLACEHOLDERS.has(text.toLowerCase());
}

interface Domains {
  readonly registrableDomain: RegistrableDomain;
  readonly domainOwner: DomainOwner | undefined;
}

function shape(input: InputName, value: string, domains: Domains): Normalised {
  switch (input) {
    case 'email':
      return normaliseEmail(value, domains);
    case 'socialUrl':
      return normaliseUrl(value, domains);
    case 'companyDomain':
      return normaliseDomain(value, domains);
    case 'firstName':
    case 'lastName':
      return { kind: 'value', value: bareName(value) };
    case 'companyName':
      return { kind: 'value', value };
  }
}

/** Whether the text has only blanks and visible characters of ASCII, in which most rules change nothing. */
export function isAscii(text: string): boolean {
  return !/[^ -~]/.test(text);
}

/** A text without control and invisible characters, NFC (which those could keep from composing), trimmed. */
function tidy(text: string): string {
  if (isAscii(text)) return text.trim();
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .trim();
}

export function withoutIgnorable(text: string): string {
  return text.replace(IGNORABLE, '');
}

/** A text without differences that people do not see: case, white space, invisible characters, full-width letters. */
export function foldedText(text: string): string {
  return wordsOf(withoutIgnorable(text).normalize('NFKC').toLowerCase()).join(' ');
}

export function withPlainSigns(text: string): string {
  return text.replace(APOSTROPHE, "'").replace(HYPHEN, '-');
}

function normaliseEmail(value: string, { registrableDomain }: Domains): Normalised {
  // Full-width letters, joiners and curly apostrophes are typing mistakes: no mailbox has them.
  const address = withPlainSigns(withoutIgnorable(firstAddress(value)))
    .normalize('NFKC')
    .replace(/^mailto:/i, '')
    // Some Greek capitals become several characters in lower case.
    .toLowerCase()
    .normalize('NFC');
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(0, at));
  const host = asciiHost(address.slice(at + 1));
  const isWellFormed =
    at > 0 &&
    local.length <= 64 &&
    /^[^\s@"(),:;<>[\\\]]+$/.test(local) &&
    !/^\.|\.\.|\.$/.test(local);
  if (!isWellFormed || host === undefined || registrableDomain(host) === undefined) {
    return malformed('email is not an e-mail address');
  }
  return { kind: 'value', value: `${local}@${host}` };
}

/** The address of `Cid Cole <cid@x.example>`, and the first of `a@x.example; b@x.example`. */
function firstAddress(value: string): string {
  const [, named] = /^[^<>@]*<([^<>\s]+)>$/.exec(value) ?? [];
  if (named !== undefined) return named;
  const [first = value, ...rest] = value.split(/\s*[;,|]\s*|\s+/).filter((one) => one !== '');
  return rest.length > 0 && [first, ...rest].every((one) => one.includes('@')) ? first : value;
}

/** Pages of companies, groups and searches. */
const NO_PERSON =
  /^https?:\/\/([a-z]+\.)?linkedin\.com\/(company|company-beta|school|showcase|groups|jobs|posts|feed|pulse|search)(\/|$)/i;

function normaliseUrl(value: string, { registrableDomain, domainOwner }: Domains): Normalised {
  const url = parseWebUrl(value);
  if (url === undefined || registrableDomain(url.hostname) === undefined) {
    return malformed('socialUrl is not a web address');
  }
  const parameters = Array.from(url.searchParams.keys());
  for (const name of parameters.filter((one) => TRACKING_PARAMETER.test(one))) {
    url.searchParams.delete(name);
  }
  url.hostname = withoutRootDot(url.hostname);
  // Slashes at the end of the path, not at the end of a parameter.
  const path = url.pathname.replace(/(?<!\/)\/+$/, '') + url.search;
  const address = url.origin + path;
  if (NO_PERSON.test(address)) {
    const reason = 'socialUrl is left out: it is the page of a company or a search, and no person';
    return { kind: 'left_out', reason };
  }
  const owner = path === '' ? domainOwner?.(url.hostname) : undefined;
  if (owner?.kind === 'shared') {
    const reason = `socialUrl is left out: it names a ${owner.site}, and no person there`;
    return { kind: 'left_out', reason };
  }
  return { kind: 'value', value: address };
}

function normaliseDomain(value: string, { registrableDomain, domainOwner }: Domains): Normalised {
  const isEmail = /^(mailto:)?[^\s/@]+@[^\s/@]+$/i.test(value);
  const url = isEmail ? undefined : parseWebUrl(value);
  const host = isEmail ? asciiHost(value.slice(value.lastIndexOf('@') + 1)) : url?.hostname;
  const domain = host === undefined ? undefined : registrableDomain(host);
  const owner = host === undefined ? undefined : domainOwner?.(host, url?.pathname);
  if (owner?.kind === 'shared') {
    const reason = `companyDomain is left out: it is a ${owner.site}'s domain, and no company's`;
    return { kind: 'left_out', reason };
  }
  const own = owner?.domain ?? domain;
  if (own === undefined) return malformed('companyDomain holds no domain name');
  return { kind: 'value', value: own };
}

function parseWebUrl(value: string): URL | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `https://${value}`;
  const url = /\s/.test(text) ? undefined : parseUrl(text);
  if (url === undefined) return undefined;
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}

/** A host name in the form of the wire: IDN to ASCII (UTS 46, by the URL parser), lower case. */
function asciiHost(host: string): string | undefined {
  const url = /^[^\s/?#@:%\\]+$/.test(host) ? parseUrl(`https://${host}`) : undefined;
  return url === undefined ? undefined : withoutRootDot(url.hostname);
}

/** `acme.com.` is `acme.com`: the full stop is often that of a sentence. */
function withoutRootDot(host: string): string {
  return host.replace(/\.+$/, '');
}

function malformed(reason: string): Normalised {
  return { kind: 'malformed', reason };
}
