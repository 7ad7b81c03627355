// The proof that a delivery has to bring besides the key in its address, as the dialect says: a secret in its body or a
// header, or a signature of its body.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookProofs } from '../dialect/webhooks.js';
import { parseDate } from '../model/text/date.js';
import { parseDuration } from '../model/text/time.js';
import { REFUSALS, type Refusal } from './refusals.js';
import { createWebhookSecret, type WebhookSecret } from './webhook-secret.js';

export interface ProofTerms {
  /** `Dialect.webhooks` */
  readonly webhooks: WebhookProofs;
  /** The secret that hooks were registered with; undefined if none is checked. */
  readonly secret: string | undefined;
  /** The key of the account; needed only if `needsKey`. */
  readonly key: string | undefined;
}

export interface Proof {
  readonly secret: WebhookSecret;
  /** The place of the secret in a delivery. */
  readonly place: { readonly at: readonly string[] } | { readonly header: string } | null;
  /** Judges the signature of a body as it came; undefined if it is right, or none is required. */
  judgeSignature(headers: IncomingHttpHeaders, body: Uint8Array): Refusal | undefined;
}

export function createProof({ webhooks, secret, key }: ProofTerms, now: () => number): Proof {
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
        : createSignatureCheck(signature, signing, now),
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

/** The text of the header that signs a body; `time` is the text of the timestamp's header. */
function sign(
  { hash, encoding, prefix, signed }: Signature,
  secret: string,
  body: Uint8Array | string,
  time: string,
): string {
  const hmac = createHmac(hash, secret);
  if (signed === 'timestamp.body') hmac.update(`${time}.`);
  return prefix + hmac.update(body).digest(encoding);
}

function createSignatureCheck(
  signature: Signature,
  secret: string,
  now: () => number,
): Proof['judgeSignature'] {
  const { encoding, prefix, timestamp } = signature;
  const name = signature.header.toLowerCase();
  const toleranceMs = parseDuration(timestamp?.tolerance ?? '') ?? 0;
  const bytesOf = (text: string): Buffer => Buffer.from(text.slice(prefix.length), encoding);
  return (headers, body) => {
    const given = headers[name];
    if (typeof given !== 'string' || !given.startsWith(prefix)) return REFUSALS.wrongSignature;
    const time = timestamp === null ? '' : headers[timestamp.header.toLowerCase()];
    if (typeof time !== 'string') return REFUSALS.wrongSignature;
    const expected = bytesOf(sign(signature, secret, body, time));
    const found = bytesOf(given);
    const isRight = found.length === expected.length && timingSafeEqual(found, expected);
    if (!isRight) return REFUSALS.wrongSignature;
    if (timestamp === null) return undefined;
    const at = momentOf(time);
    const isRecent = at !== undefined && Math.abs(now() - at) <= toleranceMs;
    return isRecent ? undefined : REFUSALS.oldSignature;
  };
}

/** A greater number is in milliseconds: seconds since 1970 do not reach it for thousands of years. */
const SECONDS_MAX = 1e11;

/** The time of a text: seconds or milliseconds since 1970, or a date. */
function momentOf(text: string): number | undefined {
  if (!/^\d{1,15}$/.test(text)) {
    return parseDate(text);
  }
  const number = Number(text);
  return number < SECONDS_MAX ? number * 1_000 : number;
}
