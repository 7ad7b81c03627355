// Metrics are written when the command has ended in any way. prom-client is loaded only if needed.
import { readFile } from 'node:fs/promises';
import type { RunResult } from '../../model/telemetry/event-fields.js';
import { JOB_LABEL, METRICS } from '../../model/telemetry/metric-catalogue.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { highestTotal } from '../../model/verdict.js';
import { openTableFile } from '../../output/table-file.js';
import type { ReadingContext } from '../../run/run-context.js';
import type { Metrics, Reading } from '../../telemetry/open-metrics.js';
import type { JobSettings } from '../settings/job-settings.js';
import { runResult } from './end/conclude-run.js';
import type { RunReport, RunTask, SettledOptions } from './run-options.js';

/** Measures a run. The caller has checked that the file can be written. */
export async function measureRun(
  { failOn, job, metricsFile }: JobSettings,
  options: SettledOptions,
  run: (options: SettledOptions, lookLast?: RunTask['lookLast']) => Promise<readonly RunReport[]>,
): Promise<readonly RunReport[]> {
  if (metricsFile === undefined) return run(options);
  const { clock } = options;
  const { openMetrics } = await import('../../telemetry/open-metrics.js');
  const metrics = openMetrics(job);
  const observe: RunObserver = (event) => {
    metrics.observe(event);
    options.observe(event);
  };
  let hasSeenRun = false;
  // A failed reading leaves the values as they were: metrics must not stop a run.
  const lookLast = async (read: () => Promise<Reading>): Promise<void> => {
    try {
      const reading = await read();
      hasSeenRun ||= reading.open !== undefined;
      metrics.note(reading);
    } catch {
      // The steps of the run report trouble with the store.
    }
  };
  const startedAt = clock.now();
  const end = async (result: RunResult): Promise<void> => {
    const at = clock.now();
    metrics.end({ result, at, durationMs: at - startedAt });
    // Only the process that has locked the job writes the file.
    if (result === 'busy') return;
    const lasting = hasSeenRun ? LASTING : [...LASTING, ...LEFT_BY_RUN];
    await write(metricsFile, metrics, { job, lasting }, observe);
  };
  try {
    const reports = await run({ ...options, observe, observesRequests: true }, lookLast);
    await end(resultOf(reports, failOn));
    return reports;
  } catch (error) {
    await end(runResult(error, false));
    throw error;
  }
}

/** Gauges that stay in the file if there is no new value. */
const LASTING = [METRICS.lastSuccess.name];
/** Gauges that stay as well if no run began: the newest run is unchanged. */
const LEFT_BY_RUN = [
  METRICS.runLeads,
  METRICS.open,
  METRICS.runCredits,
  METRICS.creditsReserved,
  METRICS.listAdded,
].map(({ name }) => name);

/** The gauges of a run: values that are read from its state instead of counted. */
export async function readGauges({ run, store, terms }: ReadingContext): Promise<Reading> {
  const { queued, submitting, awaiting } = await store.work(run.id);
  const { open, spent } = await store.commitment(run.id);
  return {
    pending: await store.countPending(),
    open: { queued, submitting, awaiting },
    runCredits: spent,
    creditsReserved: highestTotal(open, terms.prices),
    leads: (await store.tally(run.id)).byStatus,
  };
}

/** The worst result of several runs; `ok` if there was nothing to run. */
function resultOf(reports: readonly RunReport[], failOn: JobSettings['failOn']): RunResult {
  const results = reports.map(({ isFinished, tally }) =>
    runResult(undefined, isFinished, { tally, failOn }),
  );
  const worst = (['stopped', 'unanswered'] as const).find((result) => results.includes(result));
  return worst ?? 'ok';
}

/** Replaces the file in one step. A failure is a warning: the run itself is done. */
async function write(
  path: string,
  metrics: Metrics,
  { job, lasting }: { readonly job: string; readonly lasting: readonly string[] },
  observe: RunObserver,
): Promise<void> {
  const { addEarlier } = await import('../../telemetry/add-earlier.js');
  try {
    const earlier = await readFile(path, 'utf8').catch(() => '');
    const text = addEarlier(await metrics.text(), earlier, {
      mark: `${JOB_LABEL}="${escaped(job)}"`,
      lasting,
    });
    const file = await openTableFile(path);
    try {
      await file.write(text);
      await file.commit();
    } finally {
      await file.discard();
    }
    observe({ kind: 'metrics.written', out: path });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The metrics were not written: ${why}`;
    observe({ kind: 'run.warned', warning: 'metrics_not_written', message });
  }
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
