// One HTTP exchange, and the one fact that decides about payment: whether the request can have left. undici's `request`
// cannot tell, so this speaks to its dispatcher: `onRequestStart` comes right before the first byte is written. A
// failure before it is `unsent`, whatever its code; a failure after it is `lost`.
import type { Dispatcher } from 'undici';
import { type Headers, headerOf } from './headers.js';
import { readBody } from './read-body.js';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its query; percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, so that it leaves together with the head or not at all. */
  readonly body?: string;
}

export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
}

export interface Answer extends AnswerHead {
  readonly kind: 'answered';
  readonly text: string;
  /** The reason why `text` is not the whole body, or not as it was meant. */
  readonly flaw?: Error;
}

export type Exchange =
  | Answer
  /** Certainly no byte of the request left. */
  | { readonly kind: 'unsent'; readonly cause: Error }
  /** The request may have arrived, and no answer came back. */
  | { readonly kind: 'lost'; readonly cause: Error };

/** The limit for a body, packed and unpacked: no result is larger; a longer body is a mistake or an attack. */
const BODY_BYTES_MAX = 8 * 1_024 * 1_024;

/** Calls `act` after `ms`, unless the function that it returns is called before. */
export type StartTimer = (act: () => void, ms: number) => () => void;

export const startSystemTimer: StartTimer = (act, ms) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

export interface ExchangeOptions {
  readonly timeoutMs: number;
  readonly startTimer?: StartTimer;
  /** Called when the head of the answer is there, before its body. */
  readonly onHead?: (head: AnswerHead) => void;
}

/** Carries a request to the platform and brings its answer. Never rejects. */
export type Carry = (call: Call, options: ExchangeOptions) => Promise<Exchange>;

/** Sends one request once and collects its answer. Never rejects. */
export function exchange(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  call: Call,
  { timeoutMs, startTimer = startSystemTimer, onHead }: ExchangeOptions,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let head: AnswerHead | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let isEnded = false;

    const end = (error?: Error) => {
      if (isEnded) return;
      isEnded = true;
      stopTimer();
      resolve(outcomeOf(head, chunks, controller !== undefined, error));
    };
    const fail = (error: Error) => {
      if (isEnded) return;
      end(error);
      controller?.abort(error);
    };
    // After a stop of the process, or a sleep of the machine, timers run first: the answer may wait in the socket.
    const giveUp = (): void => fail(new AnswerTimeoutError(timeoutMs));
    const stopTimer = startTimer(() => setImmediate(giveUp), timeoutMs);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        // undici may put a request back into its queue and start it anew; a paid one must not leave twice.
        if (isEnded || controller !== undefined) {
          started.abort(new Error('the connection broke off'));
          return;
        }
        controller = started;
      },
      onResponseStart: (_, status, headers) => {
        if (status < 200 || isEnded) return;
        head = { status, headers };
        onHead?.(head);
      },
      onResponseData: (_, chunk) => {
        bytes += chunk.length;
        if (bytes > BODY_BYTES_MAX)
          fail(new Error(`the answer is longer than ${BODY_BYTES_MAX} bytes`));
        else chunks.push(chunk);
      },
      onResponseEnd: () => end(),
      onResponseError: (_, error) => end(error),
    };
    try {
      dispatcher.dispatch(toDispatch(call, timeoutMs), handler);
    } catch (error) {
      // The pool is closed, or undici does not write the path: both come before anything was sent.
      end(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** The platform was silent for longer than allowed, whether it took the connection or not. */
class AnswerTimeoutError extends Error {
  override readonly name = 'AnswerTimeoutError';

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs / 1_000} s`);
  }
}

function toDispatch(
  { method, path, headers, body }: Call,
  timeoutMs: number,
): Dispatcher.DispatchOptions {
  return {
    method,
    path,
    headers: { ...headers },
    body: body ?? null,
    idempotent: false,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  };
}

async function outcomeOf(
  head: AnswerHead | undefined,
  chunks: readonly Buffer[],
  isStarted: boolean,
  error: Error | undefined,
): Promise<Exchange> {
  if (head !== undefined) {
    const { text, flaw: own } = await readBody(Buffer.concat(chunks), {
      encoding: headerOf(head.headers, 'content-encoding'),
      type: headerOf(head.headers, 'content-type'),
      bytesMax: BODY_BYTES_MAX,
    });
    const flaw = error ?? (own && new Error(own.says));
    // A success may hold values, of which none may be a guess; of an error only the reason counts.
    const isGuess = own !== undefined && head.status < 300;
    const answer = { kind: 'answered', ...head, text: isGuess ? '' : text } as const;
    return flaw === undefined ? answer : { ...answer, flaw };
  }
  const cause = error ?? new Error('the answer had no head');
  return isStarted ? { kind: 'lost', cause } : { kind: 'unsent', cause };
}
