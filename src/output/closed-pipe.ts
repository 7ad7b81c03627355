// The one way in which writing to standard output ends early without being an error.

/**
 * Whoever read our standard output has had enough (`sluice export - | head`). The rows that were
 * asked for have arrived, so the command line stops quietly and exits with success.
 */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';

  constructor(options: { cause?: unknown } = {}) {
    super('The reader of standard output has closed it.', options);
  }
}
