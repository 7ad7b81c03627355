// The part of a dialect that says how a request shows who sends it (docs/platform-api.md, Authentication).
import * as z from 'zod';
import { freeHeader } from './parts.js';

const FORMS =
  'auth is basic; or a header that holds a key: { header: X-API-Key }, or with a word before the key { header: Authorization, scheme: Bearer }';

/** HTTP Basic with user name and password, or a key in a header. A secret never stands in a URL. */
export const authSchema = z
  .union(
    [
      z.literal('basic'),
      z.strictObject({
        header: freeHeader,
        /** The word before the key, as in `Bearer KEY`; null: the key alone. */
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
  .default('basic');

export type Auth = z.output<typeof authSchema>;

/** The variables that hold what this platform asks for, for a sentence. */
export function secretVariables(auth: Auth): string {
  return auth === 'basic' ? 'SLUICE_USERNAME and SLUICE_PASSWORD' : 'SLUICE_API_KEY';
}
