// A refused connection makes BullMQ report tens of thousands of errors a second. One is reported in half a minute; too
// many in a row end the work, so that the supervisor of the process starts it anew.

const TELL_EVERY_MS = 30_000;
const LOOK_MS = 10_000;
const ERRORS_MAX = 20_000;

export function createTroubleLog(onTrouble: (message: string) => void, onHopeless: () => void) {
  let toldAt = -TELL_EVERY_MS;
  let untold = 0;
  let count = 0;
  const timer = setInterval(() => {
    count = 0;
  }, LOOK_MS).unref();
  const tell = (reason: string): void => {
    const now = performance.now();
    if (now - toldAt < TELL_EVERY_MS) {
      untold += 1;
      return;
    }
    const more = untold === 0 ? '' : ` (and ${untold} times since the last message)`;
    onTrouble(`The queue has trouble${more}: ${reason}`);
    toldAt = now;
    untold = 0;
  };
  return {
    /** Reports an error that does not end the work, however often it comes. */
    tell,
    note: (error: unknown): void => {
      count += 1;
      if (count === ERRORS_MAX) onHopeless();
      tell(error instanceof Error ? error.message : String(error));
    },
    close: () => clearInterval(timer),
  };
}
