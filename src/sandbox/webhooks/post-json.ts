// One POST to a webhook's target. It speaks to undici's dispatcher and not to `request`, which builds a stream
// for every body: thousands of deliveries leave in a second, and nobody reads what a target says.
import { Agent, type Dispatcher } from 'undici';

/** A longer answer is cut off; only its status counts. */
const ANSWER_BYTES_MAX = 65_536;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'sluice-sandbox' };

export interface Poster {
  /**
   * Resolves with the status of the target's answer, or with 0 where none came within the time; never
   * rejects. Follows no redirect.
   */
  post(url: string, body: string): Promise<number>;
  /** Breaks off what is under way. Idempotent. */
  close(): Promise<void>;
}

/** At most `connections` to each origin, kept alive in between. */
export function createPoster({
  connections,
  timeoutMs,
}: {
  readonly connections: number;
  readonly timeoutMs: number;
}): Poster {
  const agent = new Agent({
    connections,
    connect: { timeout: timeoutMs },
    // The timer of each POST is the only one: undici's count in steps of half a second.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  let closing: Promise<void> | undefined;
  return {
    post: (url, body) => post(agent, new URL(url), body, timeoutMs),
    close: () => (closing ??= agent.destroy()),
  };
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
        // It stayed in the queue for longer than a target may take.
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
        { origin, path: pathname + search, method: 'POST', headers: HEADERS, body },
        handler,
      );
    } catch {
      end();
    }
  });
}
