// Stands before a sandbox, so that a command can be killed or held at one certain request, and shows its contact lists.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CountingServer, startServer } from './counting-server.js';

/**
 * What is done at a request that stands there as `METHOD path`; undefined passes it on, a promise once it resolves.
 * - `before`: it is called, and the request never reaches the sandbox
 * - `after`: the sandbox has answered, it is called, and the answer never comes back
 * - a number: the status that the sandbox's stead answers with
 */
export type Strike = (
  asked: string,
) =>
  | { readonly when: 'before' | 'after'; readonly act: () => void }
  | number
  | undefined
  | Promise<undefined>;

/** Passes every request on to `url`, but for those that are struck. */
export function startGate(url: string, strike: Strike): Promise<CountingServer> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request;
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const struck = await strike(`${method} ${path.replace(/\?.*/, '')}`);
    if (typeof struck === 'number') {
      response.writeHead(struck).end('{"error":"not now"}');
      return;
    }
    if (struck?.when === 'before') {
      struck.act();
      request.socket.destroy();
      return;
    }
    const { authorization = '', 'content-type': type = 'application/json' } = headers;
    const answer = await fetch(url + path, {
      method,
      headers: { authorization, 'content-type': type },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const body = await answer.text();
    if (struck === undefined) response.writeHead(answer.status).end(body);
    else {
      struck.act();
      request.socket.destroy();
    }
  };
  return startServer((request, response) => void pass(request, response));
}

/**
 * A gate that holds the first paid request back until it is let go; `strike` decides about those after it. So the job
 * that sent it waits, with all its leads in the state, while others work.
 */
export async function startHoldingGate(
  sandboxUrl: string,
  strike: () => ReturnType<Strike> = () => undefined,
): Promise<{ readonly url: string; readonly arrived: Promise<void>; readonly letGo: () => void }> {
  let [arrive, letGo] = [() => {}, () => {}];
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const isOpen = new Promise<undefined>((resolve) => (letGo = () => resolve(undefined)));
  let sent = 0;
  const { url } = await startGate(sandboxUrl, (asked) => {
    if (asked !== 'POST /enrich') return undefined;
    sent += 1;
    if (sent > 1) return strike();
    arrive();
    return isOpen;
  });
  return { url, arrived, letGo };
}

export interface ShownList {
  readonly id: string;
  readonly name: string;
  readonly kind: 'static' | 'dynamic';
  readonly membersCount: number;
  readonly members: readonly { readonly email?: string; readonly firstName?: string }[];
}

/** The static lists of a sandbox, as it has them: the judge of what was created and who is in. */
export async function listsOf(sandboxUrl: string): Promise<ShownList[]> {
  const lists = (await (await fetch(`${sandboxUrl}/sandbox/lists`)).json()) as ShownList[];
  return lists.filter(({ kind }) => kind === 'static');
}
