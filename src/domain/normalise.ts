// Turns the text of a cell into the value that is sent. Pure: the same text always gives the same value.
import type { InputName } from './ask.js';
import { parseUrl } from './parse-url.js';

/**
 * The registrable domain (the public suffix and one label) of a host name or an e-mail address, or
 * undefined where there is none: `a@mail.example.co.uk` gives `example.co.uk`.
 */
export type RegistrableDomain = (hostOrEmail: string) => string | undefined;

export type Normalised =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'malformed'; readonly reason: string };

const EMPTY: Normalised = { kind: 'empty' };
const VALUE_LENGTH_MAX = 1000;
/** Soft hyphens, zero-width spaces and marks of direction, which come along when a cell is copied. */
const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
/** Added by whoever shared the link; they do not tell one profile from another. */
const TRACKING_PARAMETER = /^(utm_.*|trk|trackingId|fbclid|gclid|mcid|originalSubdomain)$/i;

/** The value to send for one input: trimmed, NFC, and shaped as its input wants it. */
export function normaliseInput(
  input: InputName,
  text: string,
  registrableDomain: RegistrableDomain,
): Normalised {
  const value = tidy(text);
  if (!/[\p{L}\p{N}]/u.test(value)) return EMPTY;
  // Percent-encoding can make a URL longer than its text.
  const shaped =
    value.length > VALUE_LENGTH_MAX ? undefined : shape(input, value, registrableDomain);
  if (shaped === undefined || (shaped.kind === 'value' && shaped.value.length > VALUE_LENGTH_MAX)) {
    return malformed(`${input} is longer than ${VALUE_LENGTH_MAX} characters`);
  }
  return shaped;
}

function shape(input: InputName, value: string, registrableDomain: RegistrableDomain): Normalised {
  switch (input) {
    case 'email':
      return normaliseEmail(value, registrableDomain);
    case 'socialUrl':
      return normaliseUrl(value, registrableDomain);
    case 'companyDomain':
      return normaliseDomain(value, registrableDomain);
    case 'firstName':
    case 'lastName':
    case 'companyName':
      return { kind: 'value', value };
  }
}

/** Without control and invisible characters, NFC (which those could keep from composing), trimmed. */
function tidy(text: string): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .trim();
}

function normaliseEmail(value: string, registrableDomain: RegistrableDomain): Normalised {
  // Some Greek capitals fall apart when they are lowered.
  const address = value
    .replace(/^mailto:/i, '')
    .toLowerCase()
    .normalize('NFC');
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
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

function normaliseUrl(value: string, registrableDomain: RegistrableDomain): Normalised {
  const url = parseWebUrl(value);
  if (url === undefined || registrableDomain(url.hostname) === undefined) {
    return malformed('socialUrl is not a web address');
  }
  const parameters = Array.from(url.searchParams.keys());
  for (const name of parameters.filter((one) => TRACKING_PARAMETER.test(one))) {
    url.searchParams.delete(name);
  }
  url.hostname = withoutRootDot(url.hostname);
  // Slashes at the end of the path, not of a parameter.
  return { kind: 'value', value: url.origin + url.pathname.replace(/\/+$/, '') + url.search };
}

function normaliseDomain(value: string, registrableDomain: RegistrableDomain): Normalised {
  const isEmail = /^(mailto:)?[^\s/@]+@[^\s/@]+$/i.test(value);
  const host = isEmail
    ? asciiHost(value.slice(value.lastIndexOf('@') + 1))
    : parseWebUrl(value)?.hostname;
  const domain = host === undefined ? undefined : registrableDomain(host);
  if (domain === undefined) return malformed('companyDomain holds no domain name');
  return { kind: 'value', value: domain };
}

function parseWebUrl(value: string): URL | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `https://${value}`;
  const url = /\s/.test(text) ? undefined : parseUrl(text);
  if (url === undefined) return undefined;
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}

/** A host name as the wire wants it: IDN to ASCII (UTS 46, by the URL parser), lower case. */
function asciiHost(host: string): string | undefined {
  const url = /^[^\s/?#@:%\\]+$/.test(host) ? parseUrl(`https://${host}`) : undefined;
  return url === undefined ? undefined : withoutRootDot(url.hostname);
}

/** `acme.com.` is `acme.com`: often with the full stop of a sentence. */
function withoutRootDot(host: string): string {
  return host.replace(/\.+$/, '');
}

function malformed(reason: string): Normalised {
  return { kind: 'malformed', reason };
}
