// One question for all who wait for its answer: before each paid request the database is asked, and a hundred may be
// about to leave.

/**
 * Who asks while a question is under way shares the next one with all others who do: each is answered by a question that
 * began after it asked.
 */
export function askOnceForAll<A>(ask: () => Promise<A>): () => Promise<A> {
  let under: Promise<unknown> = Promise.resolve();
  let next: Promise<A> | undefined;
  const begin = (): Promise<A> => {
    next = undefined;
    const asked = ask();
    under = asked.catch(() => undefined);
    return asked;
  };
  return () => (next ??= under.then(begin));
}
