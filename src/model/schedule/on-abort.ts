// Waits that a signal ends. Many wait for the signal of a run at once, and a signal warns of more than ten listeners:
// here it has one, for all of them, and none once no wait is left.

interface Ends {
  readonly all: Set<() => void>;
  readonly callAll: () => void;
}

const known = new WeakMap<AbortSignal, Ends>();

/** Calls `end` when the signal aborts, unless the returned function was called before; never if it has aborted. */
export function onAbort(signal: AbortSignal | undefined, end: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const ends = endsOf(signal);
  ends.all.add(end);
  return () => {
    ends.all.delete(end);
    if (ends.all.size > 0 || known.get(signal) !== ends) return;
    signal.removeEventListener('abort', ends.callAll);
    known.delete(signal);
  };
}

function endsOf(signal: AbortSignal): Ends {
  const there = known.get(signal);
  if (there !== undefined) return there;
  const all = new Set<() => void>();
  const callAll = (): void => {
    for (const end of all) end();
  };
  const ends = { all, callAll };
  known.set(signal, ends);
  signal.addEventListener('abort', callAll, { once: true });
  return ends;
}
