// How long the suite waits for what hangs. Nothing waits so long where all is well: the room is for a machine
// that is four times slower and busy with other things.

/** One test, and one hook. */
export const TEST_MS = 300_000;
/** One command: less than a test, so that the failure tells what the command said. */
export const COMMAND_MS = 240_000;
/** One of the sweeps in `test/faults`, `test/population` and `test/sequences`, in its short version. */
export const SWEEP_MS = 900_000;
