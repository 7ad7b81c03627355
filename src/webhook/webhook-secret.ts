// The secret that the platform sends back in the body (docs/platform-api.md, Webhook secret): checked at its place, and
// removed everywhere.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { CorrelationKind } from '../model/correlation-key.js';
import type { JsonValue } from '../model/text/json.js';

export interface WebhookSecret {
  /**
   * Whether a delivery's secret is right; `given` is undefined if it has none. A hook has to bring it: its address is
   * one for all its deliveries, and is shown in the platform's settings. At other addresses the key is proof enough,
   * and a secret only may not be wrong, unless the platform sends it with every delivery.
   */
  isRight(kind: CorrelationKind, given: unknown): boolean;
  /** A parsed body with the secret masked in its texts and names; undefined if none is configured. */
  readonly takeOutOf: ((value: JsonValue) => JsonValue) | undefined;
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
  if (secret === undefined) return { isRight: () => true, takeOutOf: undefined };
  // Digests have one length, whatever is given.
  const expected = sha256(secret);
  const spellings = spellingsOf(secret);
  const isHiddenAnywhere = secret.length >= ANYWHERE_LENGTH_MIN;

  const hide = (text: string): string => {
    if (isHiddenAnywhere) return text.replace(spellings, MASK);
    return text === secret ? MASK : text;
  };
  const takeOutOf = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return hide(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(takeOutOf);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        isHiddenAnywhere ? hide(name) : name,
        takeOutOf(member),
      ]),
    );
  };

  return {
    isRight: (kind, given) => {
      if (given === undefined) return kind !== 'hook' && !isAlwaysSent;
      return typeof given === 'string' && timingSafeEqual(sha256(given), expected);
    },
    takeOutOf,
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Finds the secret in either case: as it is, URL-coded, and in base64. */
function spellingsOf(secret: string): RegExp {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  const texts = [secret, encodeURIComponent(bytes.toString()), base64, bytes.toString('base64url')];
  const patterns = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(patterns.join('|'), 'giu');
}
