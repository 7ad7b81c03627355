// Tells whom the job names that a run has ended. Whatever goes wrong here changes nothing about the run.
import { postNotice } from '../notify/post-notice.js';
import { type CommandTrouble, runNoticeCommand } from '../notify/run-notice-command.js';
import { environmentOfCommands } from './environment.js';
import type { NoticeWish } from './job-settings.js';
import { systemClock } from './system-clock.js';

export interface Notice {
  readonly job: string;
  /** Null where no run had begun. */
  readonly run: number | null;
  readonly exitCode: number;
  /** JSON. Ids and numbers, never persons. */
  readonly body: string;
}

/** A notice that was not sent. */
export interface NoticeTrouble {
  readonly message: string;
  /** The same without what a command of the user's said, which may be anything. */
  readonly logged: string;
}

/** @returns one for each that could not be told */
export async function sendNotice(
  { url, command }: NoticeWish,
  notice: Notice,
): Promise<NoticeTrouble[]> {
  const { body, exitCode, job, run } = notice;
  const troubles = await Promise.all([
    url === undefined ? undefined : named('notify.url', post(url, body)),
    command === undefined
      ? undefined
      : named(
          'notify.command',
          runNoticeCommand(command, `${body}\n`, {
            ...environmentOfCommands(),
            SLUICE_JOB: job,
            SLUICE_RUN: run === null ? '' : String(run),
            SLUICE_EXIT_CODE: String(exitCode),
          }),
        ),
  ]);
  return troubles.filter((trouble) => trouble !== undefined);
}

async function post(url: string, body: string): Promise<CommandTrouble | undefined> {
  const trouble = await postNotice(url, body, systemClock);
  return trouble === undefined ? undefined : { trouble, said: '' };
}

async function named(
  key: string,
  work: Promise<CommandTrouble | undefined>,
): Promise<NoticeTrouble | undefined> {
  const failed = await work;
  if (failed === undefined) return undefined;
  const { said, trouble } = failed;
  const sentence = (what: string): string =>
    `The notice to ${key} failed: ${what}. The run itself is not affected.`;
  return {
    message: sentence(said === '' ? trouble : `${trouble}: ${said}`),
    logged: sentence(trouble),
  };
}
