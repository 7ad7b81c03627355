// Every exit code, in one place.
import { type ErrorCode, SluiceError } from '../model/errors.js';

export const EXIT = {
  ok: 0,
  unanswered: 1,
  usage: 2,
  input: 3,
  platform: 4,
  store: 5,
  budget: 6,
  cancelled: 7,
  paused: 8,
  cap: 9,
  'hit-rate': 10,
  bug: 70,
  busy: 75,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** What each means, in Markdown. */
export const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'Every lead is answered: found, not_found or (not all of them) skipped, or was not to be asked, or what is not answered is no failure by `fail-on`; or a drop folder has nothing new. A closed pipe (`| head`) counts as success.',
  unanswered:
    'The run finished, but leads without a reliable answer are a failure by the key `fail-on`, or all leads that were to be asked are skipped, other than because of `sluice suppress`, or a file has no lead. A row that shows an older answer, or a part, counts as answered, unless what else it was asked is `uncertain` or `timed_out`. Of `sluice schema --check`: something has changed. Of `sluice plan --check`: something about the input is doubtful. Of `sluice dialect check`: a recorded call is not what the dialect says. Of `sluice doctor`: a check failed. Of `sluice status --watch`: no process works on the run, which has not ended. Of `sluice audit`: something is unexplained. Of `sluice suppress check`: nothing suppresses the person.',
  usage: 'The command, the job file or the configuration is wrong. Nothing was sent.',
  input: 'The input cannot be read.',
  platform:
    'The platform refused the credentials, could not be reached, is out of credits, or does not speak the protocol. Everything so far is saved; run again to continue.',
  store: 'The state or the output cannot be written or read. Run again to continue.',
  budget:
    'Going on could have cost more than the budget. Everything so far is saved, and what costs nothing is answered. Whoever set it decides whether it is raised: with a higher one, the same command continues.',
  cancelled:
    'The run was cancelled (sluice cancel). What was paid for is saved, and serves the next run.',
  paused:
    'The job is paused (sluice pause), and something was left to send: nothing new was sent, and what was paid for is collected and saved. Resume it and run again to continue.',
  cap: 'Going on could have cost more than a cap on the day or the month (`caps`, `sluice caps`), or needs more requests than the rate limit allows in a window of more than an hour. Everything so far is saved; run again at the time that it says, or raise it.',
  'hit-rate':
    'Of the first leads the platform found less than `stop-below` wants. Everything so far is saved; lower or remove it and run again to continue.',
  bug: 'A bug in Sluice. Everything committed so far is in the state.',
  busy: 'Another process is working on the same job with the same state.',
  hungUp: 'The terminal was closed (SIGHUP). Everything so far is saved; run again to continue.',
  interrupted: 'Interrupted (Ctrl+C). Everything so far is saved; run again to continue.',
  terminated: 'Terminated (SIGTERM). Everything so far is saved; run again to continue.',
};

/** The exit code for the error that ended a command early. */
export function exitCodeOf(error: unknown): number {
  return error instanceof SluiceError ? exitCodeOfError(error.code) : EXIT.bug;
}

export function exitCodeOfError(code: ErrorCode): number {
  return EXIT[code === 'output' ? 'store' : code];
}
