// One POST to a webhook's target. It uses undici's dispatcher and not `request`, which builds a stream for every body:
// thousands of deliveries leave in a second, and the body of an answer is not read.
import { Agent, type Dispatcher } from 'undici';

/** A longer answer is cut off; only its status counts. */
const ANSWER_BYTES_MAX = 65_536;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'sluice-sandbox' };

export class Poster {
  readonly #agent: Agent;
  readonly #timeoutMs: number;
  #closing: Promise<void> | undefined;

  /** Opens at most `connections` to each origin, kept alive in between. */
  constructor(connections: number, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#agent = new Agent({
      connections,
      connect: { timeout: timeoutMs },
      // Only the timer of each POST counts: undici's own have steps of half a second.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Posts a body. Resolves with the status of the target's answer, or with 0 if none came within the time; never
   * rejects. Follows no redirect.
   */
  post(url: string, body: string): Promise<number> {
    return post(this.#agent, new URL(url), body, this.#timeoutMs);
  }

  /** Breaks off requests under way. Idempotent. */
  close(): Promise<void> {
    return (this.#closing ??= this.#agent.destroy());
  }
}

function post(agent: Agent, url: URL, body: string, timeoutMs: number): Promise<number> {
  return new Promise((resolve) => {
    let status = 0;
    let bytes = 0;
    let controller: Dispatcher.DispatchController | undefined;
    let isEnded = false;
    const end = (): void => {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(timer);
      resolve(status);
    };
    const cutOff = (): void => {
      end();
      controller?.abort(new Error('The answer came too late or was too long.'));
    };
    const timer = setTimeout(cutOff, timeoutMs).unref();
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        // It waited in the queue for longer than a target may take.
        if (isEnded) cutOff();
      },
      onResponseStart: (_, statusCode) => {
        if (statusCode >= 200) status = statusCode;
      },
      onResponseData: (_, chunk) => {
        bytes += chunk.length;
        if (bytes > ANSWER_BYTES_MAX) cutOff();
      },
      onResponseEnd: end,
      onResponseError: end,
    };
    const { origin, pathname, search } = url;
    try {
      agent.dispatch(
        { origin, path: pathname + search, method: 'POST', body, headers: HEADERS },
        handler,
      );
    } catch {
      end();
    }
  });
}
