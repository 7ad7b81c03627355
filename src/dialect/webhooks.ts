// The part of a dialect that says how a webhook proves its origin.
import * as z from 'zod';
import { parseDuration } from '../model/text/time.js';
import { KEYS, key } from './keys.js';
import { headerName, innerPath } from './parts.js';

const secretOf = z.enum(['webhook', 'key']);

const PLACES = 'a secret is { at: path in the body } or { header: name }, or null';

const secretSchema = key(
  z
    .union(
      [
        z.strictObject({ at: innerPath, of: secretOf.default('webhook') }),
        z.strictObject({ header: headerName, of: secretOf.default('webhook') }),
      ],
      PLACES,
    )
    .nullable()
    .prefault({ at: 'secret' })
    .register(KEYS, { form: 'place in the body, or a header' }),
  "The place of the secret: `{ at: path in the body }` or `{ header: name }`. The secret is `SLUICE_WEBHOOK_SECRET`; with `of: key` it is the SHA-256 of the account's key, in hexadecimal. Null: there is none.",
);

const TOLERANCE_FORM = 'a tolerance is a time from 1s to 1d, like 5m';
const TOLERANCE_MS_MAX = 86_400_000;

function isTolerance(text: string): boolean {
  const ms = parseDuration(text) ?? 0;
  return ms >= 1_000 && ms <= TOLERANCE_MS_MAX;
}

const signatureSchema = key(
  z
    .strictObject({
      header: key(headerName.clone(), 'The header that holds it.'),
      hash: key(z.enum(['sha1', 'sha256', 'sha512']), 'The hash function.'),
      encoding: key(z.enum(['hex', 'base64']).default('hex'), 'The encoding in the header.'),
      prefix: key(
        z.string().max(100).default(''),
        'The text before it in the header, as in `sha256=`.',
      ),
      secret: key(
        secretOf.default('webhook'),
        "The secret that it is made with: `SLUICE_WEBHOOK_SECRET` for `webhook`, the account's key for `key`.",
      ),
      timestamp: key(
        z
          .strictObject({
            header: key(headerName.clone(), 'The header that holds the time.'),
            tolerance: key(
              z
                .string()
                .refine(isTolerance, TOLERANCE_FORM)
                .default('5m')
                .register(KEYS, { form: 'time from `1s` to `1d`' }),
              'The most that a delivery may be old, or ahead of time.',
            ),
          })
          .nullable()
          .default(null),
        'The time that is signed with the body; null: none is.',
      ),
      signed: key(
        z.enum(['body', 'timestamp.body']).default('body'),
        'The text that is signed: the body as it came, or time, dot and body.',
      ),
    })
    .refine(({ signed, timestamp }) => (signed === 'body') === (timestamp === null), {
      path: ['signed'],
      error:
        'a time counts only where it is signed: give "timestamp" and signed: timestamp.body, or neither',
    })
    .nullable()
    .default(null),
  'An HMAC that the webhook has in a header; null: there is none.',
);

export const webhooksSchema = z
  .strictObject({ secret: secretSchema, signature: signatureSchema })
  .prefault({});

export type WebhookProofs = z.output<typeof webhooksSchema>;

/** Whether the proof of a webhook is made with the account's key. */
export function needsKey({ secret, signature }: WebhookProofs): boolean {
  return secret?.of === 'key' || signature?.secret === 'key';
}
