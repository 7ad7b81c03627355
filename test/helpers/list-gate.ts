// Stands before a sandbox, so that a command can be killed at one certain request, and shows its contact lists.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CountingServer, startServer } from './counting-server.js';

/**
 * What is done at a request that stands there as `METHOD path`; undefined passes it on.
 * - `before`: it is called, and the request never reaches the sandbox
 * - `after`: the sandbox has answered, it is called, and the answer never comes back
 * - a number: the status that the sandbox's stead answers with
 */
export type Strike = (
  asked: string,
) => { readonly when: 'before' | 'after'; readonly act: () => void } | number | undefined;

/** Passes every request on to `url`, but for those that are struck. */
export function startGate(url: string, strike: Strike): Promise<CountingServer> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request;
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const struck = strike(`${method} ${path.replace(/\?.*/, '')}`);
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
