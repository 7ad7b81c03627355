// A server of pages with a few routes, and a browser's requests to it, header by header.
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { html } from '../../../src/html/markup.js';
import { SluiceError } from '../../../src/model/errors.js';
import type { Route, Visit } from '../../../src/ui/page.js';
import {
  openUiServer,
  type UiServer,
  type UiServerOptions,
} from '../../../src/ui/server/open-ui-server.js';
import { createDrivenClock, type DrivenClock } from '../../helpers/driven-clock.js';
import { atFileEnd } from '../../helpers/file-end.js';

const open = new Set<UiServer>();
atFileEnd(() => {
  for (const server of open) void server.close();
  open.clear();
});

export interface Bench {
  readonly server: UiServer;
  readonly clock: DrivenClock;
  readonly port: number;
  /** What `/counter` shows; a test changes it. */
  readonly shown: Shown;
  /** What the routes were asked, in order. */
  readonly visits: Visit[];
  readonly sent: Visit[];
  readonly troubles: unknown[];
  readonly nextLinks: string[];
  ask(path: string, asked?: Asked): Promise<Answered>;
  /** With the cookie of a session that the link has begun. */
  signIn(): Promise<Browser>;
}

export interface Shown {
  text: string;
  error?: Error;
  isFinal?: boolean;
  /** How long the page takes to find out. */
  tookMs?: number;
}

export interface Browser {
  readonly cookie: string;
  /** What its forms send. */
  readonly token: string;
  ask(path: string, asked?: Asked): Promise<Answered>;
  post(path: string, body: string, headers?: Headers): Promise<Answered>;
  /** The answer to `GET path` as it arrives. */
  begin(path: string): Promise<IncomingMessage>;
  /** The events that keep the page at `path` up to date. */
  follow(path: string): Promise<IncomingMessage>;
  /** Asks for it; what this returns goes away before there is an answer. */
  leave(path: string): () => void;
}

type Headers = Readonly<Record<string, string | undefined>>;

export interface Asked {
  readonly method?: string;
  readonly headers?: Headers;
  readonly body?: string | Buffer;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export async function startBench(options: Partial<UiServerOptions> = {}): Promise<Bench> {
  const clock = createDrivenClock();
  const shown: Shown = { text: '0' };
  let laterMs = 0;
  const visits: Visit[] = [];
  const sent: Visit[] = [];
  const troubles: unknown[] = [];
  const nextLinks: string[] = [];
  const server = await openUiServer({
    address: { host: '127.0.0.1', port: 0 },
    password: undefined,
    isReadOnly: false,
    routes: routesOf(
      shown,
      (visit) => {
        visits.push(visit);
        laterMs += shown.tookMs ?? 0;
      },
      sent,
    ),
    assets: new Map([['/assets/d1/page.js', { type: 'text/javascript', body: 'go();' }]]),
    shell: {
      page: (_path, { title }) => title,
      problem: ({ title, message }) => `${title}: ${message}`,
      signIn: (wrong = '') => `Password? ${wrong}`,
      opened: () => 'Opened',
    },
    clock: { ...clock, now: () => clock.now() + laterMs },
    onLinkUsed: (next) => nextLinks.push(next),
    onTrouble: (error) => troubles.push(error),
    ...options,
  });
  open.add(server);
  const { port } = server;
  const ask = (path: string, asked: Asked = {}) => askServer(port, path, asked);
  return {
    server,
    clock,
    port,
    shown,
    visits,
    sent,
    troubles,
    nextLinks,
    ask,
    signIn: async () => {
      const opened = await ask(pathOf(server.link()));
      return openBrowser(port, cookieOf(opened));
    },
  };
}

/** A browser with that cookie. */
export async function openBrowser(port: number, cookie: string): Promise<Browser> {
  const ask = (path: string, { headers, ...asked }: Asked = {}) =>
    askServer(port, path, { ...asked, headers: { cookie, ...headers } });
  const { text: token } = await ask('/token');
  return {
    cookie,
    token,
    ask,
    post: (path, body, headers = {}) =>
      ask(path, {
        method: 'POST',
        body,
        headers: {
          origin: `http://127.0.0.1:${port}`,
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
      }),
    begin: (path) => begin(port, path, { headers: { cookie } }),
    follow: (path) => begin(port, path, { headers: { cookie, accept: 'text/event-stream' } }),
    leave: (path) => {
      const asking = request({ host: '127.0.0.1', port, path, agent: false, headers: { cookie } });
      asking.on('error', () => undefined).end();
      return () => void asking.destroy();
    },
  };
}

/** `name=value`, as a browser sends it back. */
export function cookieOf({ headers }: Answered): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

/** What stands behind the port of an address. */
export function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

export async function askServer(port: number, path: string, asked: Asked = {}): Promise<Answered> {
  const answer = await begin(port, path, asked);
  const pieces: Buffer[] = await Readable.from(answer).toArray();
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text: Buffer.concat(pieces).toString('utf8'),
  };
}

async function begin(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Asked,
): Promise<IncomingMessage> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  const asking = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    headers: Object.fromEntries(given) as Record<string, string>,
  });
  asking.end(body);
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return answer;
}

function routesOf(shown: Shown, onVisit: (visit: Visit) => void, sent: Visit[]): Route[] {
  const page = (path: string, textOf: (visit: Visit) => string): Route => ({
    method: 'GET',
    path,
    answer: async (visit) => {
      onVisit(visit);
      if (shown.error !== undefined) throw shown.error;
      return {
        title: textOf(visit),
        body: html``,
        live: [{ id: 'counter', markup: html`<p id="counter">${shown.text}</p>` }],
        isFinal: shown.isFinal ?? false,
      };
    },
  });
  return [
    page('/', () => 'Runs'),
    page('/counter', () => shown.text),
    page('/token', ({ token }) => token),
    page('/jobs/:job/lines/:line', ({ params }) => JSON.stringify(params)),
    {
      method: 'GET',
      path: '/table',
      answer: async () => ({
        name: 'wörk "1".csv\r\nx: y',
        type: 'text/csv',
        content: Readable.from(['a,b\n', '1,2\n']),
      }),
    },
    {
      method: 'POST',
      path: '/act',
      answer: async (one) => {
        sent.push(one);
        return { goto: '/counter' };
      },
    },
    {
      method: 'POST',
      path: '/file',
      fileBytesMax: 1_000_000,
      answer: async (one) => {
        sent.push(one);
        if (one.file.length === 0) throw new SluiceError('input', 'The file is empty.');
        return { goto: '/' };
      },
    },
  ];
}
