// A webhook as the platform keeps it (platform-api.md, Webhook and POST /hooks).

/** What is asked for when a hook is registered. */
export interface HookWish {
  /** Receives the POST requests. */
  readonly targetUrl: string;
  /** An event type; without one, every event is delivered. */
  readonly type?: string | undefined;
  /** Sent back in the body of every delivery; cannot be changed, and is never told again. */
  readonly secret?: string | undefined;
}

export interface Hook {
  /** `hoo_…` */
  readonly id: string;
  readonly targetUrl: string;
  /** Absent for a hook of all events. */
  readonly type?: string | undefined;
}
