// The part of a dialect that says how a request shows its sender.
import * as z from 'zod';
import { KEYS } from './keys.js';
import { freeHeader } from './parts.js';

const FORMS =
  'auth is basic; or a header that holds a key: { header: X-API-Key }, or with a word before the key { header: Authorization, scheme: Bearer }';

/** A secret never stands in a URL. */
export const authSchema = z
  .union(
    [
      z.literal('basic'),
      z.strictObject({
        header: freeHeader,
        scheme: z
          .string()
          .max(100)
          .regex(/^[!-~]+$/)
          .nullable()
          .default(null),
      }),
    ],
    FORMS,
  )
  .default('basic')
  .register(KEYS, { form: '`basic`, or a header' });

export type Auth = z.output<typeof authSchema>;

export function secretVariables(auth: Auth): string {
  return auth === 'basic' ? 'SLUICE_USERNAME and SLUICE_PASSWORD' : 'SLUICE_API_KEY';
}
