// The part of a dialect that says how a webhook proves its origin.
import * as z from 'zod';
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

const signatureSchema = key(
  z
    .strictObject({
      header: key(headerName.clone(), 'The header that holds it.'),
      hash: key(z.enum(['sha1', 'sha256']), 'The hash function.'),
      encoding: key(z.enum(['hex', 'base64']).default('hex'), 'The encoding in the header.'),
      secret: key(
        secretOf.default('webhook'),
        "The secret that it is made with: `SLUICE_WEBHOOK_SECRET` for `webhook`, the account's key for `key`.",
      ),
    })
    .nullable()
    .default(null),
  'An HMAC of the body as it came, which the webhook has in a header; null: there is none.',
);

export const webhooksSchema = z
  .strictObject({ secret: secretSchema, signature: signatureSchema })
  .prefault({});

export type WebhookProofs = z.output<typeof webhooksSchema>;

/** Whether the proof of a webhook is made with the account's key. */
export function needsKey({ secret, signature }: WebhookProofs): boolean {
  return secret?.of === 'key' || signature?.secret === 'key';
}
