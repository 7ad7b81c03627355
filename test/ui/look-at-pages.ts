// The pages of a state, without a server, and as a user sees them who may only look.
import { onTestFinished } from 'vitest';
import { createStarter } from '../../src/app/run/start-command.js';
import { readEnvironment } from '../../src/app/settings/environment.js';
import { systemClock } from '../../src/app/system-clock.js';
import type { Store } from '../../src/ports/store/store.js';
import { openUi } from '../../src/ui/open-ui.js';
import type { Answer, UiContext } from '../../src/ui/page.js';
import { routesOf } from '../../src/ui/pages.js';
import { askServer, type Browser, cookieOf, openBrowser, pathOf } from './server/ui-bench.js';

/** A browser that has signed in; the server ends with the test, which fails where a page throws. */
export async function lookAtPages(store: Store, state: string): Promise<Browser> {
  const ui = await openUi({
    store,
    state,
    address: { host: '127.0.0.1', port: 0 },
    isReadOnly: true,
    command: [],
    environment: () => readEnvironment({}),
    onLinkUsed: () => undefined,
    onTrouble: (error) => {
      throw error;
    },
  });
  onTestFinished(() => ui.close());
  return openBrowser(ui.port, cookieOf(await askServer(ui.port, pathOf(ui.link()))));
}

export function contextOf(store: Store, state: string): UiContext {
  const starter = createStarter([], systemClock);
  const environment = readEnvironment({});
  const may = { isReadOnly: false, takesAccount: true };
  return { store, state, ...may, clock: systemClock, environment, starter };
}

/** The answer to `GET path`. */
/** `form`: what is sent to it; without one the page is asked for. */
export async function answerTo(
  context: UiContext,
  path: string,
  form?: URLSearchParams,
): Promise<Answer> {
  const method = form === undefined ? 'GET' : 'POST';
  const { pathname, searchParams: query } = new URL(path, 'http://127.0.0.1');
  for (const route of routesOf(context)) {
    const pattern = route.path.replaceAll('.', '[.]').replaceAll(/:(\w+)/g, '(?<$1>[^/]+)');
    const found = new RegExp(`^${pattern}$`).exec(pathname);
    if (route.method !== method || found === null) continue;
    const places = Object.entries(found.groups ?? {});
    return route.answer({
      params: Object.fromEntries(places.map(([name, text]) => [name, decodeURIComponent(text)])),
      query,
      form: form ?? new URLSearchParams(),
      file: Buffer.alloc(0),
      token: 'token',
      gone: new AbortController().signal,
    });
  }
  throw new Error(`There is no page ${path}.`);
}
