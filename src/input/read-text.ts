// A stream of bytes as a stream of text.
import type { Encoding } from './read-options.js';
import { StreamDecoder, type TextChunk } from './stream-decoder.js';

/** One chunk of text for each chunk of bytes, empty ones left out. */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  encoding?: Encoding,
): AsyncGenerator<TextChunk> {
  const decoder = new StreamDecoder(encoding);
  for await (const chunk of bytes) {
    const decoded = decoder.write(chunk);
    if (decoded.text !== '') yield decoded;
  }
  const last = decoder.end();
  if (last.text !== '') yield last;
}
