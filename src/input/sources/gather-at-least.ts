// Joins the first chunks of a stream until they are long enough to be told by their first bytes.

/** The same bytes; the first chunk holds at least `bytesMin`, unless the stream is shorter. */
export async function* gatherAtLeast(
  bytesMin: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let first: Uint8Array | null = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (first === null) {
      yield chunk;
      continue;
    }
    first = first.length === 0 ? chunk : Buffer.concat([first, chunk]);
    if (first.length < bytesMin) continue;
    yield first;
    first = null;
  }
  if (first !== null && first.length > 0) yield first;
}
