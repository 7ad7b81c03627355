// The proof that a delivery has to bring besides the key in its address, as the dialect says: a secret in its body or a
// header, or a signature of its body.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookProofs } from '../dialect/webhooks.js';
import type { CorrelationKind } from '../model/correlation-key.js';
import type { JsonValue } from '../model/text/json.js';
import { REFUSALS, type Refusal } from './refusals.js';

export interface ProofTerms {
  readonly webhooks: WebhookProofs;
  /** The secret that hooks were registered with; undefined if none is checked. */
  readonly secret: string | undefined;
  /** The key of the account; needed only if `needsKey`. */
  readonly key: string | undefined;
}

export interface Proof {
  readonly secret: WebhookSecret;
  readonly place: { readonly at: readonly string[] } | { readonly header: string } | null;
  /** Judges the signature of a body as it came; undefined if it is right, or none is required. */
  judgeSignature(headers: IncomingHttpHeaders, body: Uint8Array): Refusal | undefined;
}

export function createProof({ webhooks, secret, key }: ProofTerms): Proof {
  const { secret: place, signature } = webhooks;
  const isOfKey = place?.of === 'key';
  const token = isOfKey && key !== undefined ? tokenOfKey(key) : secret;
  const signing = signature?.secret === 'key' ? key : secret;
  return {
    secret: createWebhookSecret(token, isOfKey),
    place: placeOf(place),
    judgeSignature:
      signature === null || signing === undefined
        ? () => undefined
        : createSignatureCheck(signature, signing),
  };
}

function placeOf(place: WebhookProofs['secret']): Proof['place'] {
  if (place === null) return null;
  return 'at' in place ? { at: place.at.split('.') } : { header: place.header.toLowerCase() };
}

/** A token in place of a key that a webhook must not show. */
function tokenOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

type Signature = NonNullable<WebhookProofs['signature']>;

/** The headers that prove a body, by lower-case names; none if none is required. */
export function proofHeaders(
  { secret: place, signature }: WebhookProofs,
  secret: string,
  body: string,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (place !== null && 'header' in place) {
    headers[place.header.toLowerCase()] = place.of === 'key' ? tokenOfKey(secret) : secret;
  }
  if (signature === null) return headers;
  const { encoding, hash, header } = signature;
  const digest = createHmac(hash, secret).update(body).digest(encoding);
  return { ...headers, [header.toLowerCase()]: digest };
}

function createSignatureCheck(
  { encoding, hash, header }: Signature,
  secret: string,
): Proof['judgeSignature'] {
  const name = header.toLowerCase();
  return (headers, body) => {
    const given = headers[name];
    const expected = createHmac(hash, secret).update(body).digest();
    const found = Buffer.from(typeof given === 'string' ? given : '', encoding);
    const isRight = found.length === expected.length && timingSafeEqual(found, expected);
    return isRight ? undefined : REFUSALS.wrongSignature;
  };
}

interface WebhookSecret {
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
 * Without a configured secret everything is right, and nothing is hidden. Every wrong secret takes the same time.
 * `isAlwaysSent`: every delivery has to bring it.
 */
function createWebhookSecret(secret: string | undefined, isAlwaysSent = false): WebhookSecret {
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

function spellingsOf(secret: string): RegExp {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  const texts = [secret, encodeURIComponent(bytes.toString()), base64, bytes.toString('base64url')];
  const patterns = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(patterns.join('|'), 'giu');
}
