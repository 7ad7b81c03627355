// Builds requests: the base address that a user gives, the dialect's paths below it, the query, and the values at their
// places in a body.

import type { Dialect } from '../../dialect/dialect.js';
import { SluiceError } from '../../model/errors.js';
import { parseUrl } from '../../model/text/address.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/text/json.js';

export interface Address {
  /** Scheme, host and port: the only place to which credentials are ever sent. */
  readonly origin: string;
  /** The text before every path: the base address's own path, then the dialect's prefix. */
  readonly prefix: string;
}

/** @throws SluiceError `usage`: not http(s), or with credentials, a query or a fragment in it */
export function parseAddress(baseUrl: string, dialect: Dialect): Address {
  const { origin, pathname } = parseBaseUrl(baseUrl);
  return { origin, prefix: pathname.replace(/(?<!\/)\/+$/, '') + dialect.prefix };
}

/** @throws SluiceError `usage`, as `parseAddress` */
export function parseBaseUrl(baseUrl: string): URL {
  const url = parseUrl(baseUrl);
  if (url === undefined) throw flaw('is not a URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw flaw('is neither http nor https');
  if (url.username !== '' || url.password !== '') {
    throw flaw(
      'holds credentials, which belong in SLUICE_USERNAME and SLUICE_PASSWORD, or SLUICE_API_KEY',
    );
  }
  if (url.search !== '' || url.hash !== '') throw flaw('holds a query or a fragment');
  return url;
}

// The text itself is not repeated, because it may hold a password.
function flaw(what: string): SluiceError {
  const advice = 'Give one like https://host/path.';
  return new SluiceError('usage', `The platform's base address ${what}. ${advice}`);
}

export type PathValues = Readonly<Record<string, string>>;

/** The path of a call with its values put in, percent-encoded, as it is on the request line. */
export function pathOf(address: Address, path: string, values: PathValues = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : encode(value);
  });
  return address.prefix + filled;
}

/** A path with query parameters added; values are percent-encoded, spaces as `%20`. */
export function withQuery(
  path: string,
  parameters: readonly (readonly [string, string])[],
): string {
  const query = parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  if (query === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** Percent-encodes one segment or value. A ticket of dots alone would otherwise leave its path. */
function encode(text: string): string {
  const encoded = encodeURIComponent(wellFormed(text));
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded;
}

/** Replaces half a character, which no encoding can write, by the replacement character. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

/** An object that holds each text of ours at its place, at keys joined by dots; absent and empty texts are left out. */
export function bodyOf<Name extends string>(
  values: Readonly<Partial<Record<Name, string | undefined>>>,
  places: Readonly<Record<Name, string>>,
): JsonObject {
  let body: JsonObject = {};
  for (const name in places) {
    const value = values[name];
    if (value === undefined || value === '') continue;
    body = withValueAt(body, places[name].split('.'), wellFormed(value));
  }
  return body;
}

/** A copy with `value` at the place to which the keys lead. */
export function withValueAt(
  object: JsonObject,
  [key = '', ...rest]: readonly string[],
  value: JsonValue,
): JsonObject {
  if (rest.length === 0) return { ...object, [key]: value };
  const inner = object[key];
  return { ...object, [key]: withValueAt(isJsonObject(inner) ? inner : {}, rest, value) };
}
