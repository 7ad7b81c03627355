// The interfaces of pages of `sluice ui`: a page reads the state and returns its content. `pages.ts` lists them all.
import type { Readable } from 'node:stream';
import type { Environment } from '../app/settings/environment.js';
import type { Markup } from '../html/markup.js';
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store/store.js';
import type { Live } from './layout.js';
import type { Sent, Visit } from './server/routes.js';
import type { Starter } from './start/start-command.js';

/** The context of pages and actions. */
export interface UiContext {
  readonly store: Store;
  /** The state file, or the address of the database. */
  readonly state: string;
  /** Whether pages offer nothing that changes anything; the server refuses it as well. */
  readonly isReadOnly: boolean;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly starter: Starter;
}

export interface PageContent {
  readonly title: string;
  /** The content below the navigation, with `live` in it. */
  readonly body: Markup;
  /**
   * The parts that stay up to date: while the page is open it is loaded again and again, and those of them that have
   * changed are sent.
   */
  readonly live?: readonly Live[];
  /** Whether they stay as they are now: the page is then sent once more, and no longer loaded. Default false. */
  readonly isFinal?: boolean;
  /** The status; default 200. */
  readonly status?: number;
}

export interface UiPage {
  /** The path, such as `/runs/:run/leads/:line`: `visit.params.run`. */
  readonly path: string;
  /**
   * Loads the page. It changes nothing, and takes at most as long as a person waits.
   * @throws SluiceError which the browser shows as a page with status 400 for `usage`, 409 for `busy`, else 503
   */
  readonly load: (context: UiContext, visit: Visit) => Promise<PageContent>;
}

/** The action of a form. It may show a page of its own, such as one about an error in the form. */
export interface UiAction {
  readonly path: string;
  /** The limit for a file that is sent; default 64 KiB, which is also the limit of a form. */
  readonly bodyBytesMax?: number;
  readonly act: (context: UiContext, sent: Sent) => Promise<PageContent | Gone>;
}

/** The page to which the browser goes on. */
export interface Gone {
  readonly goto: string;
}

/**
 * A file that the browser keeps. It may show a page instead, such as one about an error in the form that asked for it.
 */
export interface UiDownload {
  readonly path: string;
  readonly open: (context: UiContext, visit: Visit) => Promise<Download | PageContent>;
}

export interface Download {
  readonly name: string;
  /** The media type, such as `text/csv; charset=utf-8`. */
  readonly type: string;
  readonly body: Readable;
}
