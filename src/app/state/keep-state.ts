// Removes data that is older than a job's `keep`, a little at a time: the same as prune, without a command for it.
import { SluiceError, wrongUse } from '../../model/errors.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { formatDuration } from '../../model/text/time.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';
import type { JobSettings } from '../settings/job-settings.js';

type Keeping = Pick<JobSettings, 'freshForMs' | 'job' | 'keepMs'>;

/** One step takes some hundredths of a second, in which no other process writes. */
const ROWS_OF_STEP = 2_000;
/** The pause between two steps, in which other processes can write. */
const PAUSE_MS = 20;
/**
 * The least number of rows that a command removes at its end, and the number for each lead that it has read: more than
 * it added.
 */
const ROWS_MIN = 20_000;
const ROWS_A_LEAD = 6;

/**
 * Checks `keep`; `store` is undefined while there is no state file.
 * @throws SluiceError `usage` if a job was told to count results as fresh for longer than `keep`
 */
export async function checkKeep(
  { freshForMs, job, keepMs }: Keeping,
  store: Store | undefined,
): Promise<void> {
  if (keepMs === undefined) return;
  const known = await store?.longestFreshFor();
  const isKnownLonger = known !== undefined && known.freshForMs > freshForMs;
  const longest = isKnownLonger ? known : { freshForMs, job };
  if (longest.freshForMs <= keepMs) return;
  const times = { keep: formatDuration(keepMs), fresh: formatDuration(longest.freshForMs) };
  throw wrongUse(
    `keep is ${times.keep}, and ${longest.job} counts results as fresh for ${times.fresh} (fresh-for, or once did): what is removed earlier could be paid for again. Set keep (or SLUICE_KEEP) to ${times.fresh} or more, or leave it out.`,
  );
}

interface KeepWork {
  readonly leads: number;
  readonly clock: Clock;
  readonly drain: AbortSignal;
  readonly observe: RunObserver;
}

/** Removes old data. A failure is only a warning: the run itself has ended well. */
export async function keepState(
  store: Pick<Store, 'longestFreshFor' | 'pruneSome'>,
  { keepMs }: Keeping,
  { leads, clock, drain, observe }: KeepWork,
): Promise<void> {
  if (keepMs === undefined) return;
  const at = clock.now();
  try {
    const known = await store.longestFreshFor();
    // Another job may have been told a longer time since this command began.
    const freshSince = at - Math.max(keepMs, known.freshForMs);
    const steps = Math.ceil((ROWS_MIN + ROWS_A_LEAD * leads) / ROWS_OF_STEP);
    for (let step = 1; step <= steps && !drain.aborted; step += 1) {
      const times = { at, before: at - keepMs, freshSince };
      const { isDone } = await store.pruneSome(times, ROWS_OF_STEP);
      if (isDone) return;
      await clock.sleep(PAUSE_MS, drain);
    }
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const message = `Data that is older than keep could not be removed, and stays until a run ends again: ${error.message}`;
    observe({ kind: 'run.warned', warning: 'old_runs_not_removed', message });
  }
}
