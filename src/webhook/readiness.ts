// Whether deliveries can be kept: asked by anybody, so the disk is asked once a second at most.

const FRESH_MS = 1_000;

/** Callers within a second share one answer; `check` rejects where nothing can be kept. */
export function createReadiness(
  check: () => Promise<void>,
  now: () => number,
): () => Promise<boolean> {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  const ask = async (): Promise<boolean> => {
    try {
      await check();
      return true;
    } catch {
      return false;
    }
  };
  return () => {
    const at = now();
    // A clock that was set back makes the answer old as well.
    if (asked === undefined || Math.abs(at - asked.at) >= FRESH_MS) asked = { at, answer: ask() };
    return asked.answer;
  };
}
