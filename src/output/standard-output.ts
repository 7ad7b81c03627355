// A table on standard output: handed on batch by batch, as fast as it is read.
import type { Writable } from 'node:stream';
import { errnoOf } from '../model/errors.js';
import { printableLines } from '../model/text/printable.js';
import { outputProblem } from './output-problem.js';
import type { TableSink } from './table-format.js';

/** The error codes of a stream that is no longer read. */
const CLOSED = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

/**
 * Opens the sink. It does not end the stream, which is not ours, and `discard` cannot take back written data.
 * @throws ClosedPipe from `write`, when the reader has gone
 * @throws SluiceError `output` from `write`, for any other failure
 */
export function openStandardOutput(stream: Writable): TableSink {
  let failure: Error | undefined;
  // A broken pipe is an event as well, which ends the process if nothing listens. After a failure the listener stays:
  // the event may come after the callback.
  const remember = (error: Error) => {
    failure ??= error;
  };
  stream.on('error', remember);
  const isTerminal = 'isTTY' in stream && stream.isTTY === true;
  const leave = async () => {
    if (failure === undefined) stream.off('error', remember);
  };

  return {
    async write(piece) {
      if (failure !== undefined) throw problemOf(failure);
      const isText = typeof piece === 'string';
      await new Promise<void>((resolve, reject) => {
        // A stream that is destroyed in the middle of a write never calls back.
        const onClose = () => reject(failure === undefined ? new ClosedPipe() : problemOf(failure));
        stream.once('close', onClose);
        stream.write(isText && isTerminal ? printableLines(piece) : piece, (error) => {
          stream.off('close', onClose);
          if (error) reject(problemOf(failure ?? error));
          else resolve();
        });
      });
    },
    commit: leave,
    discard: leave,
  };
}

function problemOf(cause: Error): Error {
  return CLOSED.has(errnoOf(cause) ?? '')
    ? new ClosedPipe({ cause })
    : outputProblem('standard output', cause);
}

/** The reader has the rows that it wanted (`sluice export - | head`): the command line exits with success. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';

  constructor(options: { cause?: unknown } = {}) {
    super('The reader of standard output has closed it.', options);
  }
}
