// A failure to send a notice does not affect the run.

import { SECRET_VARIABLE } from '../../../model/text/placeholders.js';
import { postNotice } from '../../../notify/post-notice.js';
import { runNoticeCommand } from '../../../notify/run-notice-command.js';
import type { NoticeWish } from '../../settings/job-settings.js';
import { systemClock } from '../../system-clock.js';

export interface Notice {
  readonly job: string;
  /** Null if no run had begun. */
  readonly run: number | null;
  /** Null while it goes on. */
  readonly exitCode: number | null;
  /** The notice as JSON. It holds ids and numbers, never persons. */
  readonly body: string;
}

export interface NoticeTrouble {
  readonly message: string;
  /** The same without the output of the user's command, which may contain anything. */
  readonly logged: string;
}

/** @returns the trouble of each notice that could not be sent */
export async function sendNotice(
  { url, command }: NoticeWish,
  { body, exitCode, job, run }: Notice,
): Promise<NoticeTrouble[]> {
  const env = {
    ...environmentOfCommand(),
    SLUICE_JOB: job,
    SLUICE_RUN: run === null ? '' : String(run),
    SLUICE_EXIT_CODE: exitCode === null ? '' : String(exitCode),
  };
  const [posted, ran] = await Promise.all([
    url === undefined ? undefined : postNotice(url, body, systemClock),
    command === undefined ? undefined : runNoticeCommand(command, `${body}\n`, env),
  ]);
  return [
    ...(posted === undefined ? [] : [troubleOf('notify.url', posted)]),
    ...(ran === undefined ? [] : [troubleOf('notify.command', ran.trouble, ran.said)]),
  ];
}

function troubleOf(key: string, trouble: string, said = ''): NoticeTrouble {
  const sentence = (what: string): string =>
    `The notice to ${key} failed: ${what}. The run itself is not affected.`;
  return {
    message: sentence(said === '' ? trouble : `${trouble}: ${said}`),
    logged: sentence(trouble),
  };
}

/** The command's environment: all variables but the platform's credentials, and nothing from .env. */
function environmentOfCommand(): Record<string, string> {
  const seen = Object.entries(process.env).filter(([name]) => !SECRET_VARIABLE.test(name));
  return Object.fromEntries(seen.map(([name, value]) => [name, value ?? '']));
}
