// Writes the report that a job wants, at the end of each of its runs. A failure ends no run: it is reported, and
// "sluice report" makes the report again.
import { SluiceError } from '../../model/errors.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';
import { refuseElsewhere } from '../files/stated-files.js';
import type { Environment } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { reportRun } from './write-report.js';

interface ReportTask {
  readonly settings: Pick<JobSettings, 'report' | 'state'>;
  readonly environment: Pick<Environment, 'state'>;
  readonly clock: Clock;
  readonly force: boolean;
  readonly observe: RunObserver;
  readonly writesTables?: ((isFinished: boolean) => boolean) | undefined;
}

/** @returns the file that was written; null if the job wants none, or it could not be written */
export async function reportAtEnd(
  { clock, environment, force, observe, settings, writesTables = () => true }: ReportTask,
  store: Store,
  runId: number,
): Promise<string | null> {
  try {
    const run = await store.findRun(runId);
    const out = run?.output.report;
    if (run === null || out === undefined || !writesTables(run.state === 'finished')) return null;
    refuseElsewhere({ report: out }, settings);
    const { state } = settings;
    await reportRun(store, runId, { out, force, state, environment, clock, isEnding: true });
    return out;
  } catch (error) {
    const why = error instanceof SluiceError ? error.logged : 'This is a bug in Sluice.';
    const message = `The report of run ${runId} was not written: ${why} "sluice report ${runId}" writes it.`;
    observe({ kind: 'run.warned', warning: 'report_not_written', message });
    return null;
  }
}
