// Asks one question for all callers that wait for its answer: the database is asked before each paid request, and a
// hundred may be about to leave.

/**
 * Returns a function that asks at most one question at a time. A caller that comes while a question is under way shares
 * the next question with all others that do: each is answered by a question that began after its call.
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
