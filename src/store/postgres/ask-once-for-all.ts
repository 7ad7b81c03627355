// Asks one question for all callers that wait for its answer: the database is asked before each paid request, and a
// hundred may be about to leave.

/** A caller that comes while a question is under way shares the next one: its answer is younger than the call. */
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
