// The pages of a state as a user sees who may only look at them.
import { onTestFinished } from 'vitest';
import { readEnvironment } from '../../src/app/settings/environment.js';
import type { Store } from '../../src/ports/store/store.js';
import { openUi } from '../../src/ui/open-ui.js';
import { askServer, type Browser, cookieOf, openBrowser, pathOf } from './server/ui-bench.js';

/** A browser that has signed in; the server ends with the test, which fails where a page throws. */
export async function lookAtPages(store: Store, state: string): Promise<Browser> {
  const ui = await openUi({
    store,
    state,
    address: { host: '127.0.0.1', port: 0 },
    isReadOnly: true,
    command: [],
    environment: readEnvironment({}),
    onLinkUsed: () => undefined,
    onTrouble: (error) => {
      throw error;
    },
  });
  onTestFinished(() => ui.close());
  return openBrowser(ui.port, cookieOf(await askServer(ui.port, pathOf(ui.link()))));
}
