// A webhook as the platform keeps it (docs/platform-api.md, Webhook).

/** What is asked for when a hook is registered. */
export interface HookWish {
  /** Receives the POST requests. */
  readonly targetUrl: string;
  /** An event type; without one, every event is delivered. */
  readonly type?: string | undefined;
  /** Limits the hook to one campaign. */
  readonly campaignId?: string | undefined;
  /** Limits the hook to the first activity. */
  readonly isFirst?: boolean | undefined;
  /** Kept by the platform for the caller's own tracking. */
  readonly zapId?: string | undefined;
  /** Sent back in the body of every delivery; cannot be changed, and is never told again. */
  readonly secret?: string | undefined;
}

/** The hooks that are registered. */
export interface HookListing {
  readonly hooks: readonly Hook[];
  /** How many more there are that have no usable id or target. */
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
