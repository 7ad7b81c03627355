// The schema of the people database, as GET /schema/people tells it (docs/platform-api.md, People schema).
import type { JsonObject } from '../text/json.js';

export interface PeopleSchema {
  /** One sample record. */
  readonly schema: JsonObject;
  /** The names of a record's top-level fields, in their order. */
  readonly properties: readonly string[];
  /** `since` is yyyymmdd as a number; undefined where the platform tells no version. */
  readonly version: { readonly since: number; readonly type: string } | undefined;
}
