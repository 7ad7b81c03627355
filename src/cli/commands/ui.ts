// sluice ui: pages in the browser that show a state as it is now.
import { spawn } from 'node:child_process';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { isPublicUrl, parseUrl } from '../../model/text/address.js';
import { printable } from '../../model/text/printable.js';
import type { Store } from '../../ports/store/store.js';
import { openUi, type Ui } from '../../ui/open-ui.js';
import { command } from '../command.js';
import { commandEnvironment, openEnvFile } from '../command-environment.js';
import { withStateAt, withStateOrNew } from '../open-state.js';
import { number, STATE_OPTION, text, toggle } from '../options.js';
import { untilStopped } from '../signals.js';

const PORT = 4180;
/** Ports that are tried one after another if none is named. */
const PORTS = 10;

export const uiCommand = command({
  options: {
    port: number(`Port to listen on; 0 for any (default: ${PORT}, or the next)`),
    host: text('Address to listen on', { default: '127.0.0.1' }),
    'public-url': text('Address under which browsers reach it, through a proxy or a tunnel'),
    'read-only': toggle('Only show; refuse whatever would change something'),
    open: toggle('Open it in the browser at once'),
    ...STATE_OPTION,
  },
  examples: {
    'sluice ui --open': 'Look at the runs in the browser',
    'sluice ui --read-only': 'Only look',
  },
  notes:
    'An address that others can reach needs a password: SLUICE_UI_PASSWORD, or SLUICE_UI_PASSWORD_FILE.',
  handler: (args) => {
    const serve = async (store: Store, state: string): Promise<void> => {
      const publicUrl = publicUrlOf(args['public-url']);
      const open = (port: number): Promise<Ui> =>
        openUi({
          store,
          state,
          address: { host: args.host, port },
          publicUrl,
          isReadOnly: args['read-only'],
          environment: () => {
            openEnvFile();
            return commandEnvironment();
          },
          command: [process.execPath, process.argv[1] ?? ''],
          onLinkUsed: (next) => console.error(`Opened. For another browser: ${next}`),
          onTrouble: (error) => {
            console.error(error instanceof Error ? printable(error.stack ?? error.message) : error);
          },
        });
      const ui = await (args.port === undefined ? openNext(open) : open(args.port));
      // Before it says so: a signal may come at once.
      const stopped = untilStopped();
      console.log(`Pages at ${ui.link()}`);
      console.error('Ctrl+C ends it.');
      if (args.open) openBrowser(ui);
      await stopped;
      await ui.close();
    };
    // A new user begins here, so a missing state is created.
    return withStateOrNew(args.state, serve, (path) => withStateAt(path, serve));
  },
});

/** Taken ports are passed over. */
async function openNext(open: (port: number) => Promise<Ui>): Promise<Ui> {
  for (let port = PORT; port < PORT + PORTS - 1; port += 1) {
    try {
      return await open(port);
    } catch (error) {
      if (!(error instanceof SluiceError) || error.facts['code'] !== 'EADDRINUSE') throw error;
    }
  }
  return open(PORT + PORTS - 1);
}

/** @throws SluiceError `usage` for a text that is no address, or has a path */
function publicUrlOf(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = isPublicUrl(text) ? parseUrl(text) : undefined;
  if (url?.pathname === '/') return url;
  throw wrongUse('--public-url: an address without a path, like https://sluice.example.');
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** The browser goes on when this process ends. Without a browser, the link is printed. */
function openBrowser(ui: Ui): void {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  let target: string;
  try {
    target = ui.handOver();
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    console.error(printable(error.message));
    return;
  }
  const child = spawn(program, [...words, target], { stdio: 'ignore', detached: true });
  child.on('error', () => console.error(`No browser opens by ${program}: open the link yourself.`));
  child.unref();
}
