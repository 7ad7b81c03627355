// `sluice ui` as a process, and a browser that was let in by its link.
import type { FileBrowser, Look, Tab } from './browser.js';
import type { Running } from './command-line.js';
import type { Workdir } from './workdir.js';

export interface UiProcess {
  readonly running: Running;
  /** Like `http://127.0.0.1:4180`. */
  readonly origin: string;
  /** The next link, which lets one browser in. */
  link(): Promise<string>;
  /** A window of its own that was let in, at this path. */
  visit(browser: FileBrowser, path: string, look?: Look): Promise<Tab>;
  /** Ends it, and resolves once it has ended. */
  stop(): Promise<void>;
}

/** Starts it in that folder, on a free port unless `flags` name another. */
export async function startUi(
  dir: Workdir,
  flags = '--port 0',
  env: Readonly<Record<string, string>> = {},
): Promise<UiProcess> {
  const running = dir.start(`ui ${flags}`, { isService: true, env });
  const links: string[] = [];
  const waiting: ((link: string) => void)[] = [];
  let said = '';
  const take = (text: string): void => {
    said += text;
    const lines = said.split('\n');
    said = lines.pop() ?? '';
    for (const line of lines) {
      const link = /http:\/\/\S+/.exec(line)?.[0];
      if (link === undefined) continue;
      const next = waiting.shift();
      if (next === undefined) links.push(link);
      else next(link);
    }
  };
  running.child.stdout?.on('data', take);
  running.child.stderr?.on('data', take);
  const link = (): Promise<string> => {
    const [first] = links.splice(0, 1);
    if (first !== undefined) return Promise.resolve(first);
    const said = new Promise<string>((resolve) => waiting.push(resolve));
    const ended = running.ended.then(({ stderr, stdout }): never => {
      throw new Error(`It ended: ${stdout}\n${stderr}`);
    });
    return Promise.race([said, ended]);
  };
  const first = await link();
  links.push(first);
  const { origin } = new URL(first);
  return {
    running,
    origin,
    link,
    visit: async (browser, path, look) => {
      const tab = await browser.open(look);
      await tab.page.goto(await link());
      await tab.page.waitForURL(`${origin}/`);
      if (path !== '/') await tab.page.goto(`${origin}${path}`);
      return tab;
    },
    stop: async () => {
      running.child.kill('SIGTERM');
      await running.ended;
    },
  };
}
