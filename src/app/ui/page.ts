// What a page of `sluice ui` is made of: it reads the state and says what there is to see. `routes.ts` lists them all.
import type { Readable } from 'node:stream';
import type { Markup } from '../../html/markup.js';
import type { Live } from '../../html/pages/layout.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';
import type { Sent, Visit } from '../../ui/routes.js';
import type { Environment } from '../settings/environment.js';
import type { Starter } from './actions/start-command.js';

/** What pages and actions work with. */
export interface UiContext {
  readonly store: Store;
  /** The state file, or the address of the database. */
  readonly state: string;
  /** Pages then offer nothing that changes anything; the server refuses it besides. */
  readonly isReadOnly: boolean;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly starter: Starter;
}

export interface PageContent {
  readonly title: string;
  /** What stands below the navigation, with `live` in it. */
  readonly body: Markup;
  /** While the page is open it is loaded again and again, and of these is sent what has changed. */
  readonly live?: readonly Live[];
  /** Whether they stay as they are now: the page is then sent once more, and no longer loaded. Default false. */
  readonly isFinal?: boolean;
  /** Default 200. */
  readonly status?: number;
}

export interface UiPage {
  /** Like `/runs/:run/leads/:line`: `visit.params.run`. */
  readonly path: string;
  /**
   * Changes nothing, and takes at most as long as a person waits.
   * @throws SluiceError which the browser shows as a page with status 400 for `usage`, 409 for `busy`, else 503
   */
  readonly load: (context: UiContext, visit: Visit) => Promise<PageContent>;
}

/** What a form does. It may show a page of its own, such as what is wrong with the form. */
export interface UiAction {
  readonly path: string;
  /** Of a file that is sent; default 64 KiB, which is also the most for a form. */
  readonly bodyBytesMax?: number;
  readonly act: (context: UiContext, sent: Sent) => Promise<PageContent | Gone>;
}

/** The browser goes on to this page. */
export interface Gone {
  readonly goto: string;
}

/** A file that the browser keeps. It may show a page instead, such as what is wrong with the form that asked for it. */
export interface UiDownload {
  readonly path: string;
  readonly open: (context: UiContext, visit: Visit) => Promise<Download | PageContent>;
}

export interface Download {
  readonly name: string;
  /** Like `text/csv; charset=utf-8`. */
  readonly type: string;
  readonly body: Readable;
}
