// A call that was to add people to a contact list and did not: told with whom it held, and what went in before it.
import { SluiceError } from '../errors.js';

/** The same failure with that said; `held` is like `lines 2 to 4`. Anything but a SluiceError stays as it is. */
export function failedAddition(failure: unknown, held: string, added: number): unknown {
  if (!(failure instanceof SluiceError)) return failure;
  const before = added === 0 ? 'nobody was' : added === 1 ? '1 was' : `${added} were`;
  return failure.amended(`That call held people from ${held}; ${before} added before it.`, {
    added,
  });
}
