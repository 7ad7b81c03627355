// Closes what a run has opened, however the run ends.

interface Closable {
  close(): Promise<void>;
}

/** Opens something that is closed when the work ends. */
export type Closing = <T extends Closable>(opened: T) => T;

/** Closes all that the work hands to `closing`, the last first, however the work ends. */
export async function closingAll<R>(work: (closing: Closing) => Promise<R>): Promise<R> {
  const all: Closable[] = [];
  try {
    return await work((opened) => {
      all.push(opened);
      return opened;
    });
  } finally {
    await closeEach(all.toReversed());
  }
}

async function closeEach([first, ...others]: readonly Closable[]): Promise<void> {
  try {
    await first?.close();
  } finally {
    if (others.length > 0) await closeEach(others);
  }
}
