// The interface of pages of `sluice ui`: a page is a function of its context and a visit. `pages.ts` lists them all.
import type { Readable } from 'node:stream';
import type { Starter } from '../app/run/start-command.js';
import type { Environment } from '../app/settings/environment.js';
import type { Markup } from '../html/markup.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store/store.js';

export interface UiContext {
  readonly store: Store;
  /** The state file, or the address of the database. */
  readonly state: string;
  /** Whether pages offer nothing that changes anything; the server refuses it as well. */
  readonly isReadOnly: boolean;
  /** Whether a page may take an account: only from this machine, by whoever has the link. */
  readonly takesAccount: boolean;
  readonly clock: Clock;
  /** As it is now: `.env` may have been written since the pages began. */
  readonly environment: Environment;
  readonly starter: Starter;
}

/** A request of a browser that may see the pages. */
export interface Visit {
  /** The decoded parts of the path in the places of the route: `/runs/:run` has `run`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The form that was sent; empty if there is none. */
  readonly form: URLSearchParams;
  /** The file that was sent; empty if there is none. */
  readonly file: Buffer;
  /** Each form sends it back as TOKEN_FIELD. */
  readonly token: string;
  /** Aborts when the browser has gone before the answer. */
  readonly gone: AbortSignal;
}

/**
 * Answers a visit, in at most the time that a person waits; only a form that was sent changes anything.
 * @throws SluiceError which the browser shows as a page with status 400 for `usage`, 409 for `busy`, else 503
 */
export type Answering = (context: UiContext, visit: Visit) => Promise<Answer>;

export type Answer = PageContent | Goto | Download;

export interface PageContent {
  readonly title: string;
  /** The content below the navigation, with `live` in it. */
  readonly body: Markup;
  readonly live?: readonly Live[];
  /** Whether they stay as they are now: the page is then no longer asked for. Default false. */
  readonly isFinal?: boolean;
  /** The status; default 200. */
  readonly status?: number;
}

/** A part that is sent again while the page is open, whenever it has changed: an element with this id. */
export interface Live {
  readonly id: string;
  readonly markup: Markup;
}

/** The browser goes on to this path of ours. */
export interface Goto {
  readonly goto: string;
}

export interface Download {
  readonly name: string;
  /** The media type, such as `text/csv; charset=utf-8`. */
  readonly type: string;
  readonly content: Readable;
}

/** The name of the field of each form that has the token of the visit. */
export const TOKEN_FIELD = 'token';

export interface Route {
  /** A form or a file is sent by POST. */
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The limit for the bytes of a file that it takes; without it only forms are taken. */
  readonly fileBytesMax?: number;
  readonly answer: (visit: Visit) => Promise<Answer>;
}
