// Where the text of a table goes: a file that replaces another, or standard output.

export interface TextSink {
  /** Resolves when the text is handed on. */
  write(text: string): Promise<void>;
  /** Makes it visible and durable, where the sink can. Idempotent. */
  commit(): Promise<void>;
  /** Takes it back, where the sink can. Idempotent, and nothing after commit. */
  discard(): Promise<void>;
}
