// Turns the text of a cell into the value that is sent. Pure: the same text always gives the same value.
import type { InputName } from './ask.js';

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
  if (value.length > VALUE_LENGTH_MAX) {
    return malformed(`${input} is longer than ${VALUE_LENGTH_MAX} characters`);
  }
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

/** NFC, without control and zero-width characters, trimmed. */
function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[\u200B\u2060\uFEFF]/g, '')
    .trim();
}

function normaliseEmail(value: string, registrableDomain: RegistrableDomain): Normalised {
  const address = value.replace(/^mailto:/i, '').toLowerCase();
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
  url.hash = '';
  const text = url.href.replace(/\?$/, '').replace(/\/+(?=\?|$)/, '');
  return { kind: 'value', value: text };
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
  if (/\s/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}

/** A host name as the wire wants it: IDN to ASCII (UTS 46, by the URL parser), lower case. */
function asciiHost(host: string): string | undefined {
  if (!/^[^\s/?#@:%\\]+$/.test(host) || !URL.canParse(`https://${host}`)) return undefined;
  return new URL(`https://${host}`).hostname;
}

function malformed(reason: string): Normalised {
  return { kind: 'malformed', reason };
}
