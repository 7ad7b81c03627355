// The routes of the server of `sluice ui`, as a plain table: a path, and the function that answers it. The table comes
// from outside; the server knows nothing of the content of its pages.
import type { Readable } from 'node:stream';

/** A request of a browser that may see the pages. */
export interface Visit {
  /** Without the query: `/runs/7`. */
  readonly path: string;
  /** The parts of the path in the places of the route: `/runs/:run` has `run`. Decoded, never empty. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Each form sends it back, in a hidden field of the name TOKEN_FIELD. */
  readonly token: string;
  /** Aborts when the browser has gone. */
  readonly gone: AbortSignal;
}

/** A form that was sent, or a file. */
export interface Sent extends Visit {
  /** Empty if the body is no form. */
  readonly form: URLSearchParams;
  readonly body: Buffer;
}

/** A part of a page that changes while it is looked at. `html` is the whole element, whose id is `id`. */
export interface LivePart {
  readonly id: string;
  readonly html: string;
}

export type Answer =
  | {
      readonly kind: 'page';
      /** Default 200. */
      readonly status?: number;
      readonly title: string;
      /** The whole document. */
      readonly document: () => string;
      /** Sent again while the page is open, whenever they have changed. */
      readonly live: readonly LivePart[];
      /** Whether they stay as they are now, so that the browser need not listen any longer. */
      readonly isFinal: boolean;
    }
  /** The browser goes on to this path of the same server. */
  | { readonly kind: 'goto'; readonly path: string }
  | {
      readonly kind: 'download';
      readonly name: string;
      readonly type: string;
      readonly body: Readable;
    };

export interface GetRoute {
  readonly method: 'GET';
  /** Like `/runs/:run/leads/:line`. */
  readonly path: string;
  /** Changes nothing. A SluiceError becomes a page that says it. */
  readonly answer: (visit: Visit) => Promise<Answer>;
}

export interface PostRoute {
  readonly method: 'POST';
  readonly path: string;
  /** Default 64 KiB, which is also the most for a form. A larger body has its token in the header TOKEN_HEADER. */
  readonly bodyBytesMax?: number;
  readonly answer: (sent: Sent) => Promise<Answer>;
}

export type Route = GetRoute | PostRoute;

export const TOKEN_FIELD = 'token';
export const TOKEN_HEADER = 'x-sluice-token';
