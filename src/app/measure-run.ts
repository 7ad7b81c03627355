// Counts what a run does, where its job wants metrics: served while it runs, and written to a file when it has
// ended, however it ended. prom-client is loaded only then.
import { readFile } from 'node:fs/promises';
import { JOB_LABEL, METRICS } from '../domain/metric-catalogue.js';
import type { Clock } from '../domain/ports/clock.js';
import type { RunResult, Watch } from '../domain/run-event.js';
import type { Metrics, Reading } from '../metrics/open-metrics.js';
import { openTableFile } from '../output/table-file.js';
import { checkWritable } from '../output/target-file.js';
import type { RunReport } from './conclude-run.js';
import type { JobSettings } from './job-settings.js';
import { runResult } from './run-result.js';

/** What a run has to be told of, and what it tells of itself. */
export interface Measuring {
  readonly watch: Watch;
  /** From now on, what is known of the state comes from here. */
  readonly lookAt: (read: () => Promise<Reading>) => void;
  /** Looks once more, and no more: the state is about to be closed. Never rejects. */
  readonly lookLast: (read: () => Promise<Reading>) => Promise<void>;
}

type Measured = Pick<JobSettings, 'job' | 'metricsFile' | 'metricsListen'>;

/** @throws SluiceError `usage` where the metrics cannot be written or served; and what `run` throws */
export async function measureRun(
  settings: Measured,
  watch: Watch,
  clock: Clock,
  run: (measuring: Measuring) => Promise<RunReport>,
): Promise<RunReport> {
  const { metricsFile, metricsListen } = settings;
  if (metricsFile === undefined && metricsListen === undefined) {
    return run({ watch, lookAt: () => undefined, lookLast: () => Promise.resolve() });
  }
  if (metricsFile !== undefined) await checkWritable(metricsFile, 'The metrics');
  const { openMetrics } = await import('../metrics/open-metrics.js');
  const metrics = openMetrics(settings.job);
  const both: Watch = {
    observesRequests: true,
    observe: (event) => {
      metrics.observe(event);
      watch.observe(event);
    },
  };
  const look = createLook(metrics);
  const server = metricsListen === undefined ? undefined : await serve(metrics, look, settings);
  if (server !== undefined) both.observe({ kind: 'metrics.served', port: server.port });
  const startedAt = clock.now();
  const end = async (result: RunResult): Promise<void> => {
    const at = clock.now();
    metrics.end({ result, at, durationMs: at - startedAt });
    // The file is that of the process that has the job.
    if (metricsFile !== undefined && result !== 'busy') {
      await write(metricsFile, metrics, settings.job, both);
    }
  };
  try {
    const report = await run({ watch: both, ...look });
    await end(runResult(undefined, report.isFinished, report.tally));
    return report;
  } catch (error) {
    await end(runResult(error, false));
    throw error;
  } finally {
    await server?.close();
  }
}

interface Look extends Omit<Measuring, 'watch'> {
  lookNow(): Promise<void>;
}

/** A look that fails leaves what was known before: metrics must not stop what is paid for. */
function createLook(metrics: Metrics): Look {
  let source: (() => Promise<Reading>) | undefined;
  const note = async (read: () => Promise<Reading>): Promise<void> => {
    try {
      metrics.note(await read());
    } catch {
      // The store tells its troubles by its own verbs.
    }
  };
  return {
    lookAt: (read) => {
      source = read;
    },
    lookLast: async (read) => {
      source = undefined;
      await note(read);
    },
    lookNow: async () => {
      if (source !== undefined) await note(source);
    },
  };
}

async function serve(metrics: Metrics, look: Look, { metricsListen }: Measured) {
  const { serveMetrics } = await import('../metrics/serve-metrics.js');
  if (metricsListen === undefined) throw new Error('nothing says where');
  return serveMetrics(metricsListen, {
    contentType: metrics.contentType,
    text: async () => {
      await look.lookNow();
      return metrics.text();
    },
  });
}

/** Replaces the file in one step; a run that is done is not called back over a full disk. */
async function write(path: string, metrics: Metrics, job: string, watch: Watch): Promise<void> {
  const { addEarlier } = await import('../metrics/add-earlier.js');
  const { observe } = watch;
  try {
    const earlier = await readFile(path, 'utf8').catch(() => '');
    const lasting = [METRICS.lastSuccess.name];
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
    observe({ kind: 'metrics.written', path });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The metrics were not written: ${why}`;
    observe({ kind: 'run.warned', warning: 'metrics_not_written', message });
  }
}

/** As the text format writes a label's value. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
