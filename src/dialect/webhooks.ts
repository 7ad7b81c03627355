// The part of a dialect that says how a webhook proves where it comes from, besides the key in the address that it is
// sent to (docs/platform-api.md, Webhook secret).
import * as z from 'zod';
import { parseDuration } from '../model/text/time.js';
import { headerName, innerPath } from './parts.js';

/** `webhook`: the secret that the platform was given, SLUICE_WEBHOOK_SECRET. `key`: what the account is paid with. */
const secretOf = z.enum(['webhook', 'key']);

const PLACES = 'a secret is { at: path in the body } or { header: name }, or null';

/** With `of: key` it is the SHA-256 of the key, in hexadecimal. */
const secretSchema = z
  .union(
    [
      z.strictObject({ at: innerPath, of: secretOf.default('webhook') }),
      z.strictObject({ header: headerName, of: secretOf.default('webhook') }),
    ],
    PLACES,
  )
  .nullable();

const TOLERANCE_FORM = 'a tolerance is a time from 1s to 1d, like 5m';
const TOLERANCE_MS_MAX = 86_400_000;

function isTolerance(text: string): boolean {
  const ms = parseDuration(text) ?? 0;
  return ms >= 1_000 && ms <= TOLERANCE_MS_MAX;
}

/** An HMAC over the body as it came, or over a time, a dot and that body. */
const signatureSchema = z
  .strictObject({
    header: headerName,
    hash: z.enum(['sha1', 'sha256', 'sha512']),
    encoding: z.enum(['hex', 'base64']).default('hex'),
    /** What stands before it in the header, as in `sha256=`. */
    prefix: z.string().max(100).default(''),
    secret: secretOf.default('webhook'),
    timestamp: z
      .strictObject({
        header: headerName,
        /** How old, or how far ahead, a delivery may be. */
        tolerance: z.string().refine(isTolerance, TOLERANCE_FORM).default('5m'),
      })
      .nullable()
      .default(null),
    signed: z.enum(['body', 'timestamp.body']).default('body'),
  })
  .refine(({ signed, timestamp }) => (signed === 'body') === (timestamp === null), {
    path: ['signed'],
    error:
      'a time counts only where it is signed: give "timestamp" and signed: timestamp.body, or neither',
  })
  .nullable();

export const webhooksSchema = z
  .strictObject({
    secret: secretSchema.prefault({ at: 'secret' }),
    signature: signatureSchema.default(null),
  })
  .prefault({});

export type WebhookProofs = z.output<typeof webhooksSchema>;

/** Whether what proves a webhook is made with the account's key. */
export function needsKey({ secret, signature }: WebhookProofs): boolean {
  return secret?.of === 'key' || signature?.secret === 'key';
}
