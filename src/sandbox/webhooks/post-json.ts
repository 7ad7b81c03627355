// One POST to a webhook's target.

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'sluice-sandbox' };

export class Poster {
  readonly #closing = new AbortController();

  constructor(private readonly timeoutMs: number) {}

  /**
   * Posts a body. Resolves with the status of the target's answer, or with 0 if none came within the time; never
   * rejects. Follows no redirect.
   */
  async post(url: string, body: string): Promise<number> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.timeoutMs)]);
    const options = { method: 'POST', headers: HEADERS, redirect: 'manual', body, signal } as const;
    try {
      const answer = await fetch(url, options);
      // Only the status counts. Read to its end, the connection is used again.
      answer.arrayBuffer().catch(() => undefined);
      return answer.status;
    } catch {
      return 0;
    }
  }

  /** Breaks off requests under way. */
  close(): void {
    this.#closing.abort();
  }
}
