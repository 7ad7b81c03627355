import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createStarter } from '../app/run/start-command.js';
import type { Environment } from '../app/settings/environment.js';
import { folderBeside } from '../app/state/state-file.js';
import { systemClock } from '../app/system-clock.js';
import { STYLE } from '../html/style.js';
import { errnoOf, SluiceError, wrongUse } from '../model/errors.js';
import { hostAndPort, isLoopback, isLoopbackHost } from '../model/text/address.js';
import { leadingPage, shellOf } from './layout.js';
import type { UiContext } from './page.js';
import { routesOf } from './pages.js';
import { openUiServer, type UiServer, type UiServerOptions } from './server/open-ui-server.js';

export interface UiOptions
  extends Pick<
      UiServerOptions,
      'address' | 'publicUrl' | 'isReadOnly' | 'onLinkUsed' | 'onTrouble'
    >,
    Pick<UiContext, 'store' | 'state'> {
  readonly environment: () => Environment;
  /** The command that starts `sluice`: the program and its first arguments. */
  readonly command: readonly string[];
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
  const { address, isReadOnly, onLinkUsed, onTrouble, publicUrl, state, store } = options;
  const password = options.environment().uiPassword();
  const isOpen =
    !isLoopbackHost(address.host) || (publicUrl !== undefined && !isLoopback(publicUrl.href));
  if (isOpen && password === undefined) {
    throw wrongUse(
      `Whoever reaches ${hostAndPort(address)} over the network sees every lead, and can spend credits: set SLUICE_UI_PASSWORD, or SLUICE_UI_PASSWORD_FILE. The pages are sent unencrypted: put a proxy with TLS before them.`,
    );
  }
  const client = readClient(STYLE);
  const starter = createStarter(options.command, systemClock);
  const context: UiContext = {
    store,
    state,
    isReadOnly,
    takesAccount: !isReadOnly && !isOpen && password === undefined,
    clock: systemClock,
    get environment() {
      return options.environment();
    },
    starter,
  };
  let handedOver: string | undefined;
  const takeBack = async (): Promise<void> => {
    if (handedOver === undefined) return;
    await rm(dirname(handedOver), { recursive: true, force: true }).catch(onTrouble);
  };
  const server = await openUiServer({
    ...options,
    password,
    routes: routesOf(context),
    assets: client.assets,
    shell: shellOf(context, client),
    clock: systemClock,
    onLinkUsed: (next) => {
      void takeBack();
      onLinkUsed(next);
    },
  });
  return {
    ...server,
    handOver: () => {
      if (password !== undefined) return server.link();
      handedOver = writeLeading(state, server.link());
      setTimeout(() => void takeBack(), HANDED_OVER_MS).unref();
      return handedOver;
    },
    close: async () => {
      await takeBack();
      await server.close();
    },
  };
}

/** A browser may have to start first. */
const HANDED_OVER_MS = 60_000;

/**
 * Writes a file that leads on to the link, in a folder of its own beside the state, not in that for temporary files: a
 * browser may have one of its own.
 * @throws SluiceError `output` if it cannot be written
 */
function writeLeading(state: string, link: string): string {
  const folder = resolve(folderBeside(state));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Its folder has mode 0700.
    const file = join(mkdtempSync(join(folder, 'open-')), 'pages.html');
    writeFileSync(file, String(leadingPage(link)), { mode: 0o600 });
    return file;
  } catch (cause) {
    const code = errnoOf(cause) ?? 'unknown error';
    throw new SluiceError(
      'output',
      `The file for the browser cannot be written in ${folder} (${code}): open the link yourself.`,
      {},
      { cause },
    );
  }
}

/** Two folders above are the source, the built file and the bundle. */
const BUILT = new URL('../../dist/ui/client/', import.meta.url);

/**
 * The files that browsers load, by path, and the paths of the stylesheet and of the script that loads the others.
 * @throws SluiceError `usage` in a checkout that is not built
 */
export function readClient(style: string) {
  const files = [
    ['style.css', style],
    ...namesOfScripts().map((name) => [name, readFileSync(new URL(name, BUILT), 'utf8')]),
  ] as [name: string, body: string][];
  const hash = createHash('sha256');
  for (const [, body] of files) hash.update(body);
  // Of all together: the scripts name one another.
  const folder = `/assets/${hash.digest('hex').slice(0, 16)}`;
  const assets = files.map(([name, body]) => {
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    return [`${folder}/${name}`, { type: `${type}; charset=utf-8`, body }] as const;
  });
  return {
    assets: new Map(assets),
    style: `${folder}/style.css`,
    script: `${folder}/page.js`,
  };
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
