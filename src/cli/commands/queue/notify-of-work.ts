// The notice of the end of a worker's run, by the job's file on this machine.
import type { WorkEnd } from '../../../app/queue/find-needed.js';
import type { NoticeTrouble } from '../../../app/run/end/send-notice.js';
import type { JobSettings } from '../../../app/settings/job-settings.js';
import { SluiceError } from '../../../model/errors.js';
import type { Watch } from '../../../model/telemetry/observe.js';
import { exitCodeOf } from '../../exit-codes.js';
import { notifyOfEnd } from '../../print/notify-of-end.js';
import { exitCodeOfReport } from '../runs/run-and-report.js';

interface Telling {
  readonly loadJob: (job: string) => Promise<JobSettings | undefined>;
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
  const { error, report } = end;
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
  const exitCode = report === undefined ? exitCodeOf(error) : exitCodeOfReport(report);
  await notifyOfEnd(settings, { ...end, exitCode }, warn);
}
