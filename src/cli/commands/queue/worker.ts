// sluice worker: takes runs from the queue, on any machine, until it is stopped.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { WorkEnd } from '../../../app/queue/find-needed.js';
import { checkAddress, STATED_KEYS, type Stated } from '../../../app/queue/stated.js';
import type { NoticeTrouble } from '../../../app/run/end/send-notice.js';
import { stateOf } from '../../../app/settings/command-settings.js';
import type { Environment } from '../../../app/settings/environment.js';
import type { JobSettings } from '../../../app/settings/job-settings.js';
import { SluiceError, wrongUse } from '../../../model/errors.js';
import type { Watch } from '../../../model/telemetry/observe.js';
import { printable } from '../../../model/text/printable.js';
import { command } from '../../command.js';
import { commandEnvironment, noteSecretFile } from '../../command-environment.js';
import { exitCodeOf } from '../../exit-codes.js';
import { type FlagValues, jobOfFlags, loadJobSettings, SET_OPTION } from '../../job-flags.js';
import { addressOf, number, QUIET_OPTION, STATE_OPTION, text } from '../../options.js';
import { aboutState } from '../../print/describe-event.js';
import { notifyOfEnd } from '../../print/notify-of-end.js';
import { untilStopped } from '../../signals.js';
import { LOG_OPTION, withLog } from '../../with-log.js';
import { exitCodeOfReport } from '../runs/run-and-report.js';

const CONCURRENCY_MAX = 100;

const STATED_OPTIONS = {
  url: text('Address of the platform, to which credentials may go (default: SLUICE_URL)'),
  dialect: text('A dialect that runs may have; those of Sluice always count'),
  set: {
    ...SET_OPTION,
    describe: 'prices=…, public-url=…: further values that runs may have',
  },
} as const;

export const workerCommand = command({
  options: {
    concurrency: number('Runs at a time, each of another job', { default: 4 }),
    jobs: { type: 'array', string: true, describe: 'Only runs of these jobs (default: all)' },
    folder: text(
      'Folder of the job files: runs by a schedule begin by them, and runs may have what they state',
      { default: 'jobs' },
    ),
    credentials: text('File that names accounts and their credentials; only its owner may read it'),
    ...STATED_OPTIONS,
    tables: {
      type: 'boolean',
      default: true,
      describe: 'Write the tables of finished runs; --no-tables leaves that to "sluice export"',
    },
    'metrics-listen': text(
      'Serve /metrics, /healthz and /readyz at [HOST:]PORT (default: nowhere)',
    ),
    ...STATE_OPTION,
    ...LOG_OPTION,
    ...QUIET_OPTION,
  },
  examples: { 'sluice worker --state postgres://db.internal/leads': 'Take runs of your account' },
  handler: async (args) => {
    const { concurrency, folder } = args;
    if (!Number.isSafeInteger(concurrency) || concurrency < 1 || concurrency > CONCURRENCY_MAX) {
      throw wrongUse(`--concurrency is a number from 1 to ${CONCURRENCY_MAX}.`);
    }
    const text = args['metrics-listen'];
    const metricsListen = text === undefined ? undefined : addressOf('metrics-listen', text);
    if (args.credentials !== undefined) noteSecretFile(args.credentials);
    const environment = commandEnvironment();
    const state = stateOf(args.state, environment);
    const stated = statedBy(args, environment);
    const loadJob: LoadJob = async (job) => {
      const path = join(folder, `${job}.yaml`);
      const isHere = basename(job) === job && existsSync(path);
      return isHere ? loadJobSettings(path, { state }) : undefined;
    };
    const { startWorker } = await import('../../../app/queue/start-worker.js');
    await withLog(args, async ({ isAlone, watch }) => {
      const say = (line: string): void => {
        if (!args.quiet && !isAlone) console.error(printable(line));
      };
      const warn = (line: string, logged: string | null = line): void => {
        // As with any command, a bug is printed in any case.
        if (!isAlone || logged === null) console.error(printable(line));
      };
      const worker = await startWorker({
        environment,
        state,
        stated,
        credentials: args.credentials,
        jobs: args.jobs,
        loadJob,
        onEnd: (job, end) => notifyOfWork(job, end, { loadJob, watch, say: warn }),
        concurrency,
        writesTables: args.tables,
        metricsListen,
        watch: {
          ...watch,
          observe: (event) => {
            watch.observe(event);
            const line = event.kind === 'state.new' ? undefined : aboutState(event);
            if (line !== undefined) say(line);
          },
        },
        tell: say,
        warn,
      });
      // Before it says so: a signal may come at once.
      const stopped = untilStopped();
      say(`Taking runs of ${state}, ${concurrency} at a time. Ctrl+C gives them back.`);
      const failure = await Promise.race([stopped.then(() => undefined), worker.failed]);
      await worker.stop();
      if (failure !== undefined) throw failure;
    });
  },
});

/** The settings that this machine states for every run. The address for credentials is checked before any run. */
function statedBy(args: FlagValues, environment: Environment): Stated {
  const {
    url: ofFlag,
    dialect,
    prices,
    ...job
  } = jobOfFlags(
    { url: args.url, dialect: args.dialect, set: args.set },
    { input: '-' },
    STATED_KEYS,
  );
  const url = ofFlag ?? environment.url;
  if (url !== undefined) checkAddress(url);
  return { url, dialect, prices, 'public-url': job['public-url'] };
}

type LoadJob = (job: string) => Promise<JobSettings | undefined>;

interface Telling {
  readonly loadJob: LoadJob;
  readonly watch: Watch;
  readonly say: (line: string) => void;
}

const BUG = { message: 'this is a bug in Sluice.', logged: 'this is a bug in Sluice.' };

/** Sends the notice that the job's file here wants: its address may be a secret, and is not kept with the run. */
export async function notifyOfWork(
  job: string,
  end: WorkEnd,
  { loadJob, say, watch }: Telling,
): Promise<void> {
  const { error, report, warning } = end;
  const warn = ({ message, logged }: NoticeTrouble): void => {
    watch.observe({ kind: 'run.warned', warning: 'notice_not_sent', message: logged });
    say(message);
  };
  const settings = await loadJob(job).catch((cause: unknown) => {
    const { message, logged } = cause instanceof SluiceError ? cause : BUG;
    const sentence = `The notice of ${job} was not sent:`;
    warn({ message: `${sentence} ${message}`, logged: `${sentence} ${logged}` });
  });
  if (settings === undefined) return;
  const ended = report === undefined ? exitCodeOf(error) : exitCodeOfReport(report, settings);
  const exitCode = warning === undefined ? ended : null;
  await notifyOfEnd(settings, { ...end, exitCode }, warn);
}
