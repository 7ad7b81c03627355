// One POST to a webhook's target.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'sluice-sandbox' };

export class Poster {
  readonly #closing = new AbortController();

  constructor(private readonly timeoutMs: number) {}

  /**
   * Over a connection of its own; follows no redirect. Resolves with the status, 0 if none came in time; never rejects.
   */
  post(url: string, body: string): Promise<number> {
    const target = new URL(url);
    const request = target.protocol === 'https:' ? httpsRequest : httpRequest;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.timeoutMs)]);
    const options = { method: 'POST', headers: HEADERS, agent: false, signal } as const;
    return new Promise((resolve) => {
      const sent = request(target, options, (answer) => {
        // Only the status counts.
        answer.on('error', () => undefined).resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on('error', () => resolve(0));
      sent.end(body);
    });
  }

  close(): void {
    this.#closing.abort();
  }
}
