// The secret that the platform sends back in the body (docs/platform-api.md, Webhook secret): checked at its place, and
// removed everywhere.
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { CorrelationKind } from '../model/correlation-key.js';
import type { JsonValue } from '../model/text/json.js';

export interface WebhookSecret {
  /**
   * Whether a delivery's secret is right; `given` is undefined if it has none. A hook has to bring it: its address is
   * one for all its deliveries, and is shown in the platform's settings. At other addresses the key is proof enough,
   * and a secret only may not be wrong, unless the platform sends it with every delivery.
   */
  isRight(kind: CorrelationKind, given: unknown): boolean;
  /** False only if no string of a JSON text holds the secret, in any escaped form. */
  mayBeIn(json: string): boolean;
  /** Takes the secret out of a parsed body, in place; calls itself once for each level. */
  takeOutOf(value: JsonValue): JsonValue;
}

const MASK = '[…]';
/** A shorter secret is hidden only if it is a whole value: many a harmless word holds a few letters. */
const ANYWHERE_LENGTH_MIN = 8;

/**
 * Makes the check. Without a configured secret everything is right, and nothing is hidden. Every wrong secret takes the
 * same time. `isAlwaysSent`: every delivery has to bring it.
 */
export function createWebhookSecret(
  secret: string | undefined,
  isAlwaysSent = false,
): WebhookSecret {
  if (secret === undefined) {
    return { isRight: () => true, mayBeIn: () => false, takeOutOf: (value) => value };
  }
  // Digests have one length, whatever is given.
  const expected = sha256(secret);
  const isHiddenAnywhere = secret.length >= ANYWHERE_LENGTH_MIN;

  const hide = (text: string): string => {
    if (!isHiddenAnywhere) return text === secret ? MASK : text;
    const masked = text.replaceAll(secret, MASK);
    // A mask and the text around it may make up the secret again.
    return masked.includes(secret) ? '' : masked;
  };
  const takeOutOf = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return hide(value);
    if (typeof value !== 'object' || value === null) return value;
    const members = value as Record<string, JsonValue>;
    for (const [name, member] of Object.entries(members)) {
      const newName = isHiddenAnywhere ? hide(name) : name;
      const isSecret = name === 'secret' && member === secret;
      if (isSecret || newName !== name) delete members[name];
      const rest = takeOutOf(member);
      if (!isSecret && (newName !== name || rest !== member)) members[newName] = rest;
    }
    return value;
  };

  return {
    isRight: (kind, given) => {
      if (given === undefined) return kind !== 'hook' && !isAlwaysSent;
      return typeof given === 'string' && timingSafeEqual(sha256(given), expected);
    },
    mayBeIn: createFinder(isHiddenAnywhere ? secret : `"${secret}"`),
    takeOutOf,
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const [BACKSLASH, LETTER_U] = [0x5c, 0x75];
/** The characters that letters mean after a backslash. */
const ESCAPED = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(([letter, control]) => [
    letter.charCodeAt(0),
    control.charCodeAt(0),
  ]),
);

/**
 * Makes a function that tells whether JSON may hold `wanted` once its escapes are read. It compares rolling sums that
 * no outsider can foresee, so that its time says nothing about `wanted`; the time of a search for the text itself
 * would.
 */
function createFinder(wanted: string): (json: string) => boolean {
  const factor = 2 * randomInt(2 ** 31) + 1;
  const { length } = wanted;
  let sum = 0;
  let leaving = 1;
  for (let at = 0; at < length; at += 1) {
    sum = (Math.imul(sum, factor) + wanted.charCodeAt(at)) | 0;
    leaving = Math.imul(leaving, factor);
  }
  return (json) => {
    const units = unescaped(json);
    let rolling = 0;
    for (let at = 0; at < units.length; at += 1) {
      const left = at < length ? 0 : (units[at - length] ?? 0);
      rolling = (Math.imul(rolling, factor) + (units[at] ?? 0) - Math.imul(left, leaving)) | 0;
      if (rolling === sum && at >= length - 1) return true;
    }
    return false;
  };
}

/** The characters of JSON, with its escapes resolved. Broken escapes become any character. */
function unescaped(json: string): Uint16Array {
  const units = new Uint16Array(json.length);
  Buffer.from(units.buffer).write(json, 'utf16le');
  if (!json.includes('\\')) return units;
  let end = 0;
  for (let at = 0; at < units.length; at += 1) {
    let unit = units[at] ?? 0;
    if (unit === BACKSLASH) {
      at += 1;
      unit = units[at] ?? 0;
      if (unit === LETTER_U) {
        unit = hexAt(units, at + 1);
        at += 4;
      } else {
        unit = ESCAPED.get(unit) ?? unit;
      }
    }
    units[end] = unit;
    end += 1;
  }
  return units.subarray(0, end);
}

/** The number of four hexadecimal digits. */
function hexAt(units: Uint16Array, start: number): number {
  let number = 0;
  for (let at = start; at < start + 4; at += 1) {
    const unit = units[at] ?? 0;
    number = number * 16 + (unit & 15) + (unit >> 6) * 9;
  }
  return number;
}
