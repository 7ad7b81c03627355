// A look at the beginning of a stream that can be read only once, without losing what was seen.
import { SluiceError } from '../../model/errors.js';
import { nameSource } from './source-name.js';

export interface Replay {
  /** Reads on from the stream and remembers; leaving the loop leaves the stream open. */
  readonly peek: () => AsyncIterable<Uint8Array>;
  /**
   * What was peeked, then the rest; leaving the loop closes the stream.
   * @throws SluiceError `input` the second time
   */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

export function replayOnce(path: string, chunks: AsyncIterable<Uint8Array>): Replay {
  const iterator = chunks[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let isTaken = false;

  async function* peek(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = await iterator.next();
      if (next.done) return;
      seen.push(next.value);
      yield next.value;
    }
  }

  async function* bytes(): AsyncGenerator<Uint8Array> {
    if (isTaken) throw readTwiceError(path);
    isTaken = true;
    try {
      for (let chunk = seen.shift(); chunk !== undefined; chunk = seen.shift()) yield chunk;
      for (;;) {
        const next = await iterator.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  return { peek, bytes };
}

function readTwiceError(path: string): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} is a pipe and was read already; save it to a file to read it again.`,
    { path },
  );
}
