// Answers that the dialect could not read: what cannot be read is no miss. A part of the store's contract.

export interface UnreadAnswer {
  readonly id: number;
  /** As it came, so that a dialect that is corrected reads it without asking again. */
  readonly body: string;
  /** What stands in the row meanwhile. */
  readonly reason: string;
}

export interface UnreadAnswers {
  /**
   * Keeps the bodies of answers that could not be read. Their enrichments stay awaited and are due at no time by
   * themselves; one in another state is passed over. Returns the ids that are kept.
   */
  keepUnread(answers: readonly UnreadAnswer[]): Promise<number[]>;
  /** Everything unread that the run awaits is due at `at`. Returns how many. */
  reviveUnread(runId: number, at: number): Promise<number>;
  /** Deliveries of a scope that could not be read are pending again. Returns how many. */
  pendUnreadDeliveries(scope: string): Promise<number>;
  /** What `noteReadings` has noted. */
  readings(account: string, dialect: string): Promise<string[]>;
  /** For which asks a dialect (a digest of how it reads) has read a value in an account's answers. */
  noteReadings(account: string, dialect: string, asks: readonly string[]): Promise<void>;
}
