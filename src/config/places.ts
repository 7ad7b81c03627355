// The places to which the texts of a job lead. A place is a part of a key's type: a value of the file .env is judged by
// it (app/settings/env-file-limits.ts), whatever the name of the key is.
import * as z from 'zod';

/**
 * `platform` is an address by which secrets go out or come back, `address` any other one; `program` is started; `state`
 * is a file that is written, or a database.
 */
export type Place = 'read' | 'written' | 'state' | 'platform' | 'address' | 'program';

/** The places of keys. That of a key holds for all texts in it. */
export const PLACES = z.registry<{ readonly place: Place }>();

function unwrapped(schema: unknown): unknown {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodReadonly) inner = inner.unwrap();
  return inner;
}

/** The place to which the text at a path of a job leads; undefined if it is a text and nothing else. */
export function placeAt(job: z.ZodObject, path: readonly PropertyKey[]): Place | undefined {
  let schema: unknown = job;
  for (const key of path) {
    schema = unwrapped(schema);
    if (schema instanceof z.ZodArray) {
      schema = schema.element;
      continue;
    }
    if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, key)) return undefined;
    const own = (schema.shape as z.ZodRawShape)[String(key)] as z.ZodType;
    const known = PLACES.get(own);
    if (known !== undefined) return known.place;
    schema = own;
  }
  return undefined;
}
