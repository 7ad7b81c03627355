// A stream of bytes as a stream of text.
import type { Encoding } from '../read-options.js';
import { StreamDecoder, type TextChunk } from './stream-decoder.js';

/** One chunk of text for each chunk of bytes, empty ones left out. `onDetected` is told an encoding that is not set. */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  encoding?: Encoding,
  onDetected?: (encoding: Encoding) => void,
): AsyncGenerator<TextChunk> {
  const decoder = new StreamDecoder(encoding);
  let isOpen = encoding === undefined;
  const tell = () => {
    if (!isOpen || decoder.encoding === undefined) return;
    isOpen = false;
    onDetected?.(decoder.encoding);
  };
  for await (const chunk of bytes) {
    const decoded = decoder.write(chunk);
    tell();
    if (decoded.text !== '') yield decoded;
  }
  const last = decoder.end();
  tell();
  if (last.text !== '') yield last;
}
