// The platform's objects besides enrichments and contact lists (docs/platform-api.md, Resources).
import type { JsonObject, JsonValue } from '../text/json.js';

/** The fields for registering a webhook (docs/platform-api.md, Webhook). */
export interface HookWish {
  /** The address that receives the POST requests. */
  readonly targetUrl: string;
  /** An event type; without one, every event is delivered. */
  readonly type?: string | undefined;
  /** Limits the hook to one campaign. */
  readonly campaignId?: string | undefined;
  /** Limits the hook to the first activity. */
  readonly isFirst?: boolean | undefined;
  /** A text that the platform keeps for the caller's own tracking. */
  readonly zapId?: string | undefined;
  /**
   * The secret that the platform sends back in the body of every delivery; it cannot be changed, and is never shown
   * again.
   */
  readonly secret?: string | undefined;
}

/** The registered hooks. */
export interface HookListing {
  readonly hooks: readonly Hook[];
  /** The number of further hooks, without a usable id or target. */
  readonly leftOut: number;
}

export interface Hook {
  /** `hoo_…` */
  readonly id: string;
  readonly targetUrl: string;
  /** Absent for a hook of all events. */
  readonly type?: string | undefined;
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
}

/**
 * A draft of an inbox conversation (docs/platform-api.md, Inbox draft). The items of cc and attachments, whose form is
 * not known, are kept as they came.
 */
export interface Draft {
  /** `drf_…` */
  readonly id: string;
  readonly channel: string | undefined;
  readonly subject: string | undefined;
  readonly cc: readonly JsonValue[];
  /** HTML. */
  readonly content: string | undefined;
  readonly attachments: readonly JsonValue[];
  readonly source: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
}

/** The schema of the people database, from GET /schema/people (docs/platform-api.md, People schema). */
export interface PeopleSchema {
  /** One sample record. */
  readonly schema: JsonObject;
  /** The names of a record's top-level fields, in their order. */
  readonly properties: readonly string[];
  /** `since` is yyyymmdd as a number; undefined if the platform gives no version. */
  readonly version: { readonly since: number; readonly type: string } | undefined;
}
