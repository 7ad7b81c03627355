// `sluice ui`: the server, the pages and the state, put together.
import type { Environment } from '../app/settings/environment.js';
import { systemClock } from '../app/system-clock.js';
import { STYLE } from '../html/style.js';
import { SluiceError } from '../model/errors.js';
import {
  hostAndPort,
  isLoopback,
  isLoopbackHost,
  type ListenAddress,
} from '../model/text/address.js';
import type { Store } from '../ports/store/store.js';
import { nameState } from '../store/open-store.js';
import { type HandedOver, handOver } from './hand-over.js';
import { layOutPage, openedPage, problemPage, signInPage } from './layout.js';
import type { PageContent, UiContext } from './page.js';
import { ACTIONS, DOWNLOADS, PAGES } from './pages.js';
import { type ClientFiles, readClient } from './read-client.js';

import type { Shell } from './server/admit.js';
import { openUiServer, type UiServer } from './server/open-ui-server.js';
import type { Answer, Route } from './server/routes.js';
import { BRIEF_MS } from './server/sessions.js';
import { createStarter } from './start/start-command.js';

export interface UiOptions {
  readonly store: Store;
  /** The state file, or the address of the database. */
  readonly state: string;
  /** Port 0 takes any free one. */
  readonly address: ListenAddress;
  /** The address for browsers, if a proxy or a tunnel leads to it. */
  readonly publicUrl?: URL | undefined;
  readonly isReadOnly: boolean;
  readonly environment: Environment;
  /** The command that starts `sluice`: the program and its first arguments. */
  readonly command: readonly string[];
  /** Called with the next link after a link was used, which is possible once. */
  readonly onLinkUsed: (next: string) => void;
  readonly onTrouble: (error: unknown) => void;
}

export interface Ui extends UiServer {
  /**
   * The argument for a program that opens a browser: a file that leads on, once and within a minute, and is removed
   * then; with a password the address.
   * @throws SluiceError `output` if the file cannot be written
   */
  handOver(): string;
}

/**
 * Serves the pages of a state until it is closed. The store stays open.
 * @throws SluiceError `usage` if the address cannot be taken, or the network can reach it and there is no password
 */
export async function openUi(options: UiOptions): Promise<Ui> {
  const { store, state, address, publicUrl, isReadOnly, environment } = options;
  const password = environment.uiPassword();
  const isOpen =
    !isLoopbackHost(address.host) || (publicUrl !== undefined && !isLoopback(publicUrl.href));
  if (isOpen && password === undefined) throw needsPassword(address);
  const client = readClient(STYLE);
  const starter = createStarter(options.command, systemClock);
  const context = { store, state, isReadOnly, clock: systemClock, environment, starter };
  let handedOver: HandedOver | undefined;
  const server = await openUiServer({
    address,
    publicUrl,
    password,
    isReadOnly,
    routes: routesOf(context, client),
    assets: client.assets,
    shell: shellOf(client),
    clock: systemClock,
    onLinkUsed: (next) => {
      handedOver?.remove();
      options.onLinkUsed(next);
    },
    onTrouble: options.onTrouble,
  });
  return {
    ...server,
    handOver: () => {
      if (password !== undefined) return server.link();
      handedOver?.remove();
      handedOver = handOver(state, server.briefLink());
      setTimeout(handedOver.remove, BRIEF_MS).unref();
      return handedOver.file;
    },
    close: async () => {
      handedOver?.remove();
      await server.close();
    },
  };
}

/** The frame around the contents of pages. */
function createFrame(context: UiContext, { style, script }: ClientFiles) {
  const { isReadOnly } = context;
  const state = nameState(context.state);
  const own = { style, script, state, isReadOnly };
  return (path: string, page: PageContent): Answer => {
    const { title, body, live = [], isFinal = false, status = 200 } = page;
    const isLive = live.length > 0 && !isFinal;
    return {
      kind: 'page',
      status,
      title: `${title} · Sluice`,
      document: () => String(layOutPage({ ...own, title, path, isLive }, body)),
      live: live.map(({ id, markup }) => ({ id, html: String(markup) })),
      isFinal,
    };
  };
}

function routesOf(context: UiContext, client: ClientFiles): Route[] {
  const frame = createFrame(context, client);
  return [
    ...PAGES.map(
      ({ path, load }): Route => ({
        method: 'GET',
        path,
        answer: async (visit) => frame(visit.path, await load(context, visit)),
      }),
    ),
    ...DOWNLOADS.map(
      ({ path, open }): Route => ({
        method: 'GET',
        path,
        answer: async (visit) => {
          const opened = await open(context, visit);
          return 'name' in opened ? { kind: 'download', ...opened } : frame(visit.path, opened);
        },
      }),
    ),
    ...ACTIONS.map(
      ({ path, act, ...bounds }): Route => ({
        method: 'POST',
        path,
        ...bounds,
        answer: async (sent) => {
          const done = await act(context, sent);
          return 'goto' in done ? { kind: 'goto', path: done.goto } : frame(sent.path, done);
        },
      }),
    ),
  ];
}

function shellOf({ style }: ClientFiles): Shell {
  return {
    problem: ({ title, sentence }) => String(problemPage(style, title, sentence)),
    signIn: (wrong) => String(signInPage(style, wrong)),
    opened: () => String(openedPage(style)),
  };
}

function needsPassword(address: ListenAddress): SluiceError {
  return new SluiceError(
    'usage',
    `Whoever reaches ${hostAndPort(address)} over the network sees every lead, and can spend credits: set SLUICE_UI_PASSWORD, or SLUICE_UI_PASSWORD_FILE. The pages are sent unencrypted: put a proxy with TLS before them.`,
    { variable: 'SLUICE_UI_PASSWORD' },
  );
}
