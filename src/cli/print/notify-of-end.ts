// The notice that a run has ended, or may soon have to: the JSON of `sluice status --json`, its exit code, and the error that stopped it.

import { seeRun } from '../../app/results/see-run.js';
import { type NoticeTrouble, sendNotice } from '../../app/run/end/send-notice.js';
import type { RunReport } from '../../app/run/run-options.js';
import type { JobSettings, NoticeWish } from '../../app/settings/job-settings.js';
import { SluiceError } from '../../model/errors.js';
import { isAnswered } from '../../model/report/fail-on.js';
import { wordsOfState } from '../../model/run.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import { printable, printableJson, printableLines } from '../../model/text/printable.js';
import { asJson } from '../../tell/as-json.js';
import { runData } from '../../tell/run-data.js';
import { EXIT } from '../exit-codes.js';
import { withState } from '../open-state.js';

export interface RunEnd {
  /** Null if the command ended before a run began. */
  readonly run: number | null;
  readonly report?: RunReport;
  /** Null while it goes on. */
  readonly exitCode: number | null;
  /** The warning for which it is sent while the run goes on. */
  readonly warning?: string | undefined;
  /** The error that ended it early. */
  readonly error?: unknown;
}

/** Sends the notice that the job wants, if it wants one. Never throws; trouble goes to `warn`. */
export async function notifyOfEnd(
  settings: JobSettings,
  end: RunEnd,
  warn: (trouble: NoticeTrouble) => void,
): Promise<void> {
  const { job, notify } = settings;
  const { exitCode, run } = end;
  if (notify === undefined || !isWanted(notify.on, end)) return;
  try {
    const body = printableJson(JSON.stringify(await noticeJson(settings, end)));
    const troubles = await sendNotice(notify, { job, run, exitCode, body });
    for (const { message, logged } of troubles) {
      warn({ message: printableLines(message), logged });
    }
  } catch {
    const message =
      'A notice that the run has ended could not be made. The run itself is not affected.';
    warn({ message, logged: message });
  }
}

/** An end that no report explains is told wherever the exit code is not 0. */
function isWanted(on: NoticeWish['on'], { exitCode, report }: RunEnd): boolean {
  if (on === 'always' || exitCode === null) return true;
  const isRun = on !== 'trouble' && report !== undefined && exitCode <= EXIT.unanswered;
  if (!isRun) return exitCode !== EXIT.ok;
  const { moved = 0, rows = 0 } = report.changes ?? {};
  const counts = { changes: rows, moved };
  return !isAnswered(report.tally, on.conditions) || on.changes.some((word) => counts[word] > 0);
}

/** `text` is a summary in one sentence, under the key that chat services expect. */
async function noticeJson(settings: JobSettings, end: RunEnd): Promise<object> {
  const { job } = settings;
  const summary = await summaryOf(settings, end).catch(() => null);
  const error = end.error === undefined ? null : printable(sentenceOf(end.error));
  const { exitCode, warning } = end;
  const ended = exitCode === null ? [] : [`exit code ${exitCode}`];
  const said = [...(summary === null ? [`${job}: no run`] : partsOf(summary)), ...ended].join(', ');
  const text = printable([`${said}.`, error ?? warning].filter(Boolean).join(' '));
  return asJson({
    ...(summary ?? { run: null, job, state: null, byStatus: {} }),
    exitCode,
    error,
    text,
  }) as object;
}

type RunSummary = ReturnType<typeof runData>;

async function summaryOf(
  { state }: JobSettings,
  { run: id, report }: RunEnd,
): Promise<RunSummary | null> {
  if (id === null) return null;
  return withState(state, async (store) => {
    const found = await store.findRun(id);
    if (found === null) return null;
    const { run, tally, seen, charges } = await seeRun(store, found);
    return runData({ run, tally, report, seen, charges: report?.charges ?? charges });
  });
}

function partsOf(summary: RunSummary): string[] {
  const { byStatus, credits, leads, mayBeCharged: more, money, pricesAssumed, steps } = summary;
  const counts = Object.entries(byStatus)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${formatNumber(count)} ${status}`);
  const bySteps = steps?.map((one) => `${formatNumber(one.credits)} of ${one.step}`);
  const cost = money ?? `${bySteps?.join(', ') ?? ''} credits`;
  return [
    `${summary.job}: run ${summary.run} ${wordsOfState(summary.state)}`,
    `${formatCount(leads, 'lead')}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}`,
    `${credits === null ? cost : formatCount(credits, 'credit')}${more ? ` and up to ${formatNumber(more)} more` : ''}${pricesAssumed ? ' (prices assumed)' : ''}`,
  ];
}

/** The message of a bug may contain anything, so it is printed only on standard error. */
function sentenceOf(error: unknown): string {
  return error instanceof SluiceError
    ? error.logged
    : 'This is a bug in Sluice; everything committed so far is in the state.';
}
