// A webhook's target for one test: remembers every POST, answers as it is told, and lets a test wait for posts.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const BODY = z.object({
  type: z.string(),
  secret: z.string().optional(),
  /** Empty for an activity. */
  data: z
    .array(
      z.object({
        id: z.string(),
        metadata: z.unknown().optional(),
        data: z.record(z.string(), z.unknown()).optional(),
        error: z.string().optional(),
      }),
    )
    .default([]),
});

export interface Post {
  /** With its query. */
  readonly path: string;
  readonly contentType: string | undefined;
  readonly text: string;
  readonly body: z.infer<typeof BODY>;
  /** Milliseconds, of `performance.now`. */
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  readonly posts: readonly Post[];
  /** Resolves with the posts once there are that many. */
  received(count: number): Promise<readonly Post[]>;
}

/** `respond` is given the number of the post, from 1; without it every post is answered 200. */
export async function startReceiver(
  respond: (response: ServerResponse, number: number) => void = (response) => response.end('ok'),
): Promise<Receiver> {
  const posts: Post[] = [];
  const waiting = new Set<() => void>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await text(request);
    const { url: path = '', headers } = request;
    const body = BODY.parse(JSON.parse(raw));
    const at = performance.now();
    posts.push({ path, contentType: headers['content-type'], text: raw, body, at });
    respond(response, posts.length);
    for (const look of waiting) look();
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // The address of a listening TCP server is never a string.
  const { port } = server.address() as AddressInfo;
  const received = (count: number): Promise<readonly Post[]> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (posts.length < count) return;
        waiting.delete(look);
        resolve(posts);
      };
      waiting.add(look);
      look();
    });
  return { url: `http://127.0.0.1:${port}/hook`, posts, received };
}

/** Every result that came, one after another. */
export function idsOf(posts: readonly Post[]): string[] {
  return posts.flatMap(({ body }) => body.data.map(({ id }) => id));
}
