// Reads the body of a request, up to a bound.
import type { IncomingMessage } from 'node:http';

/** The bytes; undefined if there are more than `bytesMax`, of which nothing more is read. */
export async function readBody(
  request: IncomingMessage,
  bytesMax: number,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return undefined;
  const pieces: Buffer[] = [];
  let bytes = 0;
  // Not destroyed with its socket: the answer still has to go out.
  const arriving: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const piece of arriving) {
    bytes += piece.length;
    if (bytes > bytesMax) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
