// `sluice ui`: the server, the pages and the state, put together.

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../app/settings/environment.js';
import { folderBeside } from '../app/state/state-file.js';
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
import { layOutPage, leadingPage, openedPage, problemPage, signInPage } from './layout.js';
import type { UiContext } from './page.js';
import { routesOf } from './pages.js';
import { type Asset, openUiServer, type Shell, type UiServer } from './server/open-ui-server.js';
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
   * The argument for a program that opens a browser: a file that leads on, and is removed once it did, or after a
   * minute; with a password the address.
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
    routes: routesOf(context),
    assets: client.assets,
    shell: shellOf(context, client),
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
      handedOver = handOver(state, server.link());
      setTimeout(handedOver.remove, HANDED_OVER_MS).unref();
      return handedOver.file;
    },
    close: async () => {
      handedOver?.remove();
      await server.close();
    },
  };
}

/** The documents, with what is around the contents of pages. */
export function shellOf(
  { isReadOnly, state }: Pick<UiContext, 'isReadOnly' | 'state'>,
  { style, script }: Omit<ClientFiles, 'assets'>,
): Shell {
  const own = { style, script, state: nameState(state), isReadOnly };
  return {
    page: (path, { body, isFinal = false, live = [], title }) => {
      const isLive = live.length > 0 && !isFinal;
      return String(layOutPage({ ...own, title, path, isLive }, body));
    },
    problem: ({ title, message }) => String(problemPage(style, title, message)),
    signIn: (trouble) => String(signInPage(style, trouble)),
    opened: () => String(openedPage(style)),
  };
}

function needsPassword(address: ListenAddress): SluiceError {
  return new SluiceError(
    'usage',
    `Whoever reaches ${hostAndPort(address)} over the network sees every lead, and can spend credits: set SLUICE_UI_PASSWORD, or SLUICE_UI_PASSWORD_FILE. The pages are sent unencrypted: put a proxy with TLS before them.`,
  );
}

/** A browser may have to start first. */
const HANDED_OVER_MS = 60_000;

interface HandedOver {
  readonly file: string;
  /** Removes the file. Idempotent. Never throws. */
  readonly remove: () => void;
}

/**
 * Writes the file beside the state, not in the folder for temporary files: a browser may have one of its own.
 * @throws SluiceError `output` if it cannot be written
 */
function handOver(state: string, link: string): HandedOver {
  const folder = resolve(folderBeside(state));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The folder has mode 0700.
    const own = mkdtempSync(join(folder, 'open-'));
    const remove = (): void => {
      try {
        rmSync(own, { recursive: true, force: true });
      } catch {
        // A file that stays is read by its owner alone.
      }
    };
    const file = join(own, 'pages.html');
    try {
      writeFileSync(file, String(leadingPage(link)), { mode: 0o600 });
    } catch (cause) {
      remove();
      throw cause;
    }
    return { file, remove };
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new SluiceError(
      'output',
      `The file for the browser cannot be written in ${folder} (${code}): open the link yourself.`,
      {},
      { cause },
    );
  }
}

export interface ClientFiles {
  /** By path. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The paths of the stylesheet and of the script that loads the others. */
  readonly style: string;
  readonly script: string;
}

/** Two folders above are the source, the built file and the bundle. */
const BUILT = new URL('../../dist/ui/client/', import.meta.url);
const TEXT_OF = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;

/** @throws SluiceError `usage` in a checkout that is not built */
export function readClient(style: string): ClientFiles {
  const scripts = namesOfScripts().map((name) => ({
    name,
    body: readFileSync(new URL(name, BUILT), 'utf8'),
  }));
  const hash = createHash('sha256').update(style);
  for (const { body } of scripts) hash.update(body);
  // Of all together: the scripts name one another.
  const folder = `/assets/${hash.digest('hex').slice(0, 16)}`;
  const assets = new Map<string, Asset>([
    [`${folder}/style.css`, { type: TEXT_OF.css, body: style }],
    ...scripts.map(
      ({ name, body }) => [`${folder}/${name}`, { type: TEXT_OF.js, body }] as [string, Asset],
    ),
  ]);
  return { assets, style: `${folder}/style.css`, script: `${folder}/page.js` };
}

function namesOfScripts(): string[] {
  try {
    return readdirSync(BUILT).filter((name) => name.endsWith('.js'));
  } catch (cause) {
    throw new SluiceError(
      'usage',
      'The script of the pages is not built: run "npm run build" in the checkout.',
      {},
      { cause },
    );
  }
}
