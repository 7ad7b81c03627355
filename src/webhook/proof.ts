// The proof that a delivery has to bring besides the key in its address, as the dialect says: a secret in its body or a
// header, or a signature of its body.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookProofs } from '../dialect/webhooks.js';
import { REFUSALS, type Refusal } from './refusals.js';
import { createWebhookSecret, type WebhookSecret } from './webhook-secret.js';

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
